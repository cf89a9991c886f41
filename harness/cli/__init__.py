"""The commands ``contextc bench`` and ``contextc grade``."""
