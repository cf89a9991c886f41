"""The symbol graph: resolved edges, queries over them, and the centrality that ranking uses."""
