"""Grades of a run's answers: automatic, by hand, by a model; and how far graders agree."""
