"""A neighbourhood of the graph as one HTML file: data, layout, page. It is drawn by Cytoscape.js (MIT)."""
