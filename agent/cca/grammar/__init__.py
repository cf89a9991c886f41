"""A small grammar of demands: what is meant (features), how much of it (limits), whether it is wanted (polarity)."""
