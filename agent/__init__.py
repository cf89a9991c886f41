"""Agent: answerers, the answer contract and the ``contextc`` command. Never imports ``harness``."""
