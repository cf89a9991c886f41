"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = new Map(data.nodes.map((node) => [node.id, node]));
  const panel = document.getElementById("panel");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  // Text from the repository is only ever set as text.
  const make = (tag, text, ...children) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    element.append(...children);
    return element;
  };

  const group = (node) => (node.centre ? "centre" : node.kind === "external" ? "external" : node.role === "test" ? "test" : "code");

  const nodeStyle = (name, back, edge, text) => ({
    selector: `node[group = "${name}"]`,
    style: { "background-color": colour(back), "border-color": colour(edge), color: colour(text) },
  });

  const styles = () => [
    {
      selector: "node",
      style: {
        shape: "round-rectangle", width: "data(width)", height: 30, "border-width": 1,
        label: "data(label)", "text-valign": "center", "text-halign": "center",
        "font-size": 13, "font-family": "system-ui, sans-serif",
      },
    },
    nodeStyle("code", "node", "node-edge", "text"),
    nodeStyle("test", "test", "test-edge", "text"),
    nodeStyle("external", "outside", "outside-edge", "text"),
    nodeStyle("centre", "centre", "centre", "centre-text"),
    { selector: 'node[kind = "class"]', style: { shape: "cut-rectangle" } },
    { selector: 'node[group = "external"]', style: { "border-style": "dashed" } },
    {
      selector: "edge",
      style: {
        width: 1.6, "curve-style": "bezier", "target-arrow-shape": "triangle", "arrow-scale": 0.9,
        "line-color": colour("certain"), "target-arrow-color": colour("certain"),
      },
    },
    ...["likely", "possible"].map((sure) => ({
      selector: `edge[confidence = "${sure}"]`,
      style: {
        "line-style": sure === "likely" ? "dashed" : "dotted",
        "line-color": colour(sure), "target-arrow-color": colour(sure),
      },
    })),
    {
      // Boxes of one column stand above each other: a straight line would run through those between.
      selector: "edge[bend]",
      style: { "curve-style": "unbundled-bezier", "control-point-distances": "data(bend)", "control-point-weights": 0.5 },
    },
    { selector: 'edge[kind != "call"]', style: { "target-arrow-shape": "vee" } },
    { selector: ":selected", style: { "border-width": 3, "border-color": colour("chosen"), "line-color": colour("chosen"), "target-arrow-color": colour("chosen") } },
    { selector: ".hidden", style: { display: "none" } },
  ];

  const bend = (edge) => {
    const [from, to] = [byId.get(edge.source), byId.get(edge.target)];
    const rows = Math.abs(from.y - to.y);
    return from !== to && from.x === to.x ? { bend: 130 + Math.min(160, rows * 0.25) } : {};
  };

  const cy = cytoscape({
    container: document.getElementById("canvas"),
    elements: [
      ...data.nodes.map((node) => ({
        data: { id: node.id, label: node.label, kind: node.kind, group: group(node), width: node.width },
        position: { x: node.x, y: node.y },
      })),
      ...data.edges.map((edge) => ({ data: { id: edge.id, source: edge.source, target: edge.target, kind: edge.kind, confidence: edge.confidence, ...bend(edge) } })),
    ],
    style: styles(),
    layout: { name: "preset" },
    minZoom: 0.08,
    maxZoom: 3,
  });

  const fit = () => {
    const shown = cy.elements(":visible");
    cy.fit(shown, 40);
    const centre = cy.nodes('[group = "centre"]');
    if (cy.zoom() > 1.1 || cy.zoom() < 0.45) {
      // A picture of hundreds of boxes begins where it can be read.
      cy.zoom(Math.min(1.1, Math.max(0.45, cy.zoom())));
      cy.center(centre.length && cy.zoom() === 0.45 ? centre : shown);
    }
  };

  const listing = (lines, at) => {
    const pre = make("pre");
    for (const [number, text] of lines) {
      const row = make("span", "", make("b", number ? String(number) : ""), document.createTextNode(text));
      if (number === at) row.className = "at";
      pre.append(row);
    }
    return pre;
  };

  const choose = (id) => {
    cy.elements().unselect();
    cy.getElementById(id).select();
  };

  const links = (title, edges, end) => {
    if (!edges.length) return [];
    const list = make("ul");
    for (const edge of edges) {
      const button = make("button", edge[end], make("small", `${edge.kind}, ${edge.confidence}, ${edge.sites.length} ${edge.sites.length === 1 ? "place" : "places"}`));
      button.addEventListener("click", () => choose(edge.id));
      list.append(make("li", "", button));
    }
    return [make("h3", `${title} (${edges.length})`), list];
  };

  const showNode = (node) => {
    const place = node.path ? `${node.kind}, ${node.path}:${node.line}` : node.kind === "external" ? "outside the tree" : node.kind;
    panel.replaceChildren(
      make("h2", node.id),
      make("p", place),
      ...(node.source && node.source.length ? [listing(node.source, node.line)] : []),
      ...links("Comes from", data.edges.filter((edge) => edge.target === node.id), "source"),
      ...links("Leads to", data.edges.filter((edge) => edge.source === node.id), "target"),
    );
  };

  const showEdge = (edge) => {
    const ends = [edge.source, edge.target].map((id) => {
      const button = make("button", id);
      button.addEventListener("click", () => choose(id));
      return make("li", "", button);
    });
    panel.replaceChildren(
      make("h2", { call: "Call", import: "Import", inherit: "Base class", reference: "Reference", test: "Test" }[edge.kind]),
      make("ul", "", ...ends),
      ...edge.sites.flatMap((site) => [
        make("h3", `${site.path}:${site.line}`),
        make("p", `${site.confidence}, by the rule ${site.rule}`),
        listing(site.source, site.line),
      ]),
    );
  };

  const edgesById = new Map(data.edges.map((edge) => [edge.id, edge]));
  cy.on("select", "node", (event) => showNode(byId.get(event.target.id())));
  cy.on("select", "edge", (event) => showEdge(edgesById.get(event.target.id())));

  const boxes = [...document.querySelectorAll("#filters input")];
  const filter = () => {
    const on = Object.fromEntries(boxes.map((box) => [box.name, box.checked]));
    cy.batch(() => {
      cy.elements().removeClass("hidden");
      cy.edges().filter((edge) => !on[edge.data("confidence")]).addClass("hidden");
      cy.nodes().filter((node) => (node.data("group") === "external" && !on.external) || (node.data("group") === "test" && !on.test)).addClass("hidden");
      cy.nodes().filter((node) => node.data("group") !== "centre" && node.connectedEdges().every((edge) => edge.hasClass("hidden"))).addClass("hidden");
    });
  };
  boxes.forEach((box) => box.addEventListener("change", filter));

  const zoomBy = (factor) => cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  document.getElementById("in").addEventListener("click", () => zoomBy(1.3));
  document.getElementById("out").addEventListener("click", () => zoomBy(1 / 1.3));
  document.getElementById("fit").addEventListener("click", fit);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => cy.style(styles()));

  document.getElementById("title").textContent = data.title;
  const omitted = data.omitted ? `; ${data.omitted} further or less sure ones left out` : "";
  document.getElementById("counts").textContent = `${data.nodes.length} definitions, ${data.edges.length} relations${omitted}`;
  fit();
  const first = data.nodes.find((node) => node.centre) || data.nodes[0];
  if (first) choose(first.id);
})();
