"""What runs show: metrics, paired tests, and their tables, JSON and HTML."""
