"""Benchmark and property run of Context IR: ``python -m harness.ir``."""
