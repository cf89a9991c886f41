"""Runs: question sets through tiers into JSONL that survives kills and full disks."""
