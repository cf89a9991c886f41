"""Harness: benchmarks that print figures about retrieval and answers."""
