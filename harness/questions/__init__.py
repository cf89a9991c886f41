"""Benchmark questions: records, fact checks, loading, validation, mining from git, public sets."""
