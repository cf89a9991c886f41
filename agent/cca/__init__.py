"""CCA: rules in prose compiled once into a typed IR, checked by data-driven verifiers, corrected where they fail.

After "Compile, Don't Memorize: A Context Compilation Architecture for In-Context Learning" (arXiv 2609.00759).
"""
