"""A local HTTP server over one index: a JSON API with streamed answers, and a page that shows them with evidence."""
