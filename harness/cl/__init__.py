"""CL-bench: tasks under long contexts, graded by all of their rubrics, answered by methods side by side."""
