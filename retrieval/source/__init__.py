"""From a source tree to text: which files there are, which are worth indexing, and what they say.

The only package that reads the user's tree. Everything it returns is data; nothing in the tree is executed.
"""
