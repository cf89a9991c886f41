"""Configuration: files, environment and flags, over the options that the commands declare."""
