"""The statistics of comparisons, from first principles and exact where that is possible."""
