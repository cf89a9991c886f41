"""The methods that the paper holds CCA against, and CCA itself, in one shape (``agent/cca/protocol.py``)."""
