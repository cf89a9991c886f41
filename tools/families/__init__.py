"""Training of the network that tells families of demands (``agent/cca/families``); docs/cca.md says how."""
