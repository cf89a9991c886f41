"""The ``contextc`` command: one module a command, imported when it runs."""
