"""One script per peer, run by the Python that has the peer installed; nothing of contextc is imported here.

A script gets the tree's folder as its first argument and questions on standard input, one ``{"id", "question"}`` a
line. It prints ``{"meta": {"index_s", "version"}}``, then for each question ``{"id", "ms", "results"}`` with results
``{"path", "start_line", "end_line"}`` best first (as ``contextc search --batch`` does), or ``{"id", "ms", "shown"}``
with the regions shown at each budget for a peer that makes whole contexts.
"""
