"""Embedders: texts in, unit vectors out. The default one is static, ships with the package and needs numpy alone."""
