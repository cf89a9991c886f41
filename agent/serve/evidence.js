// The pack: each piece of evidence with its provenance, what the budgeter did, and what rot detection found.

import { button, chip, lines, listing, make, number, plural } from "./dom.js";

const VERSIONS = { sliced: "sliced to statements", demoted: "signature only", focused: "lines in focus", cut: "cut to the budget" };
const ROW_LIMIT = 40;

/** `ask(question)` asks a further question. */
export function evidence(pack, open, ask) {
  if (!pack.chunks.length) return [make("p", { className: "quiet" }, "No evidence.")];
  return [
    make("p", { className: "quiet" }, `${plural(pack.chunks.length, "piece")} of ${plural(new Set(pack.chunks.map((each) => each.path)).size, "file")}, ${number(pack.total_tokens)} tokens, strength ${pack.strength.toFixed(2)} of 1`,
      pack.redactions ? `, ${plural(pack.redactions, "secret")} redacted` : ""),
    ...pack.chunks.map((chunk) => card(chunk, open, ask)),
  ];
}

function card(chunk, open, ask) {
  const first = chunk.ranges[0][0];
  const last = chunk.ranges[chunk.ranges.length - 1][1];
  const version = chunk.actions.map((action) => VERSIONS[action]).find(Boolean) || "whole";
  const place = { path: chunk.path, start: first, end: last, sha256: chunk.file_sha256 };
  const head = make("h3", {}, make("b", {}, `[${chunk.number}] `),
    button(`${chunk.path}:${lines(chunk.start_line, chunk.end_line)}`, (event) => open(place, event.currentTarget), { className: "place" }));
  const others = chunk.actions.filter((action) => !VERSIONS[action]);
  const chips = make("p", { className: "chips" },
    chip(version, "The version of this piece that the budgeter chose", version === "whole" ? "good" : ""),
    ...others.map((action) => chip(action)),
    chip(`${plural(chunk.tokens, "token")}`),
    ...chunk.legs.map((leg) => chip(`${leg.leg} #${leg.rank}`, `score ${leg.score.toFixed(3)} in the ${leg.leg} leg`, leg.leg)),
    chip(`score ${chunk.score.toFixed(2)}`, "Fused and ranked; comparable within one question"),
    chip(chunk.role), chip(stateOf(chunk.state)));
  return make("article", { className: "card", attributes: { "data-number": chunk.number } }, head,
    chunk.symbol ? make("p", { className: "symbol" }, chunk.symbol) : null, chips,
    make("div", { className: "more-of" }, make("details", {}, make("summary", {}, `${plural(shown(chunk).filter(([at]) => at).length, "line")} shown`), listing(shown(chunk))),
    make("details", {}, make("summary", {}, "Provenance"), provenance(chunk)),
      CALLED.has(chunk.kind) && chunk.qualname ? button("Who calls it?", () => ask(`who calls ${chunk.qualname}`), { className: "further" }) : null));
}

const CALLED = new Set(["function", "method", "class"]);

const stateOf = (state) => (state.startsWith("commit:") ? `commit ${state.slice(7, 15)}` : state === "unknown" ? "no commit" : state);

/** [line number, text] of what the pack shows, with a mark where lines are left out. */
function shown(chunk) {
  const texts = chunk.source.split("\n");
  const out = [];
  let at = 0;
  chunk.ranges.forEach(([first, last], place) => {
    if (place) {
      const before = chunk.ranges[place - 1][1];
      out.push(["", `⋮ ${plural(first - before - 1, "line")} left out`]);
    }
    for (let line = first; line <= last; line += 1) out.push([line, texts[at++] ?? ""]);
  });
  return out;
}

function provenance(chunk) {
  const rows = [
    ["Why", chunk.reason],
    ...chunk.legs.map((leg) => [`${leg.leg} leg`, `rank ${leg.rank}, score ${leg.score.toFixed(4)}`]),
    ...chunk.features.map((each) => [each.name.replaceAll("_", " "), (each.value >= 0 ? "+" : "") + each.value.toFixed(4)]),
    ["strength", chunk.strength.toFixed(3)],
    ["done to it", chunk.actions.join(", ") || "nothing"],
    ["kind", `${chunk.kind}, ${chunk.language}, ${chunk.role}`],
    ["state", chunk.state],
    ["chunk", chunk.chunk_id],
  ];
  return make("dl", {}, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

const GROUPS = [
  ["Kept whole", (each) => each.action === "kept" && each.stage === "budgeter"],
  ["Shrunk", (each) => (each.stage === "budgeter" && !["kept", "dropped"].includes(each.action)) || (each.stage === "rot" && each.action === "sliced")],
  ["Dropped for the budget", (each) => each.action === "dropped" && each.stage === "budgeter"],
  ["Dropped as rot", (each) => each.action === "dropped" && each.stage === "rot"],
  ["Merged", (each) => each.action === "merged"],
  ["Left out before the budget", (each) => each.stage === "workspace"],
  ["Other", () => true],
];

export function budget(pack, open) {
  const left = [...pack.decisions];
  const out = [
    make("p", {}, `${number(pack.total_tokens)} of ${number(pack.budget)} tokens used`, make("span", { className: "quiet" }, `; ${number(pack.reserve)} more kept for the reply`)),
    make("meter", { min: 0, max: pack.budget, value: Math.min(pack.total_tokens, pack.budget), attributes: { "aria-label": "Tokens used of the budget" } }),
  ];
  const warnings = pack.warnings.filter((each) => !each.startsWith("Context rot treated:")); // told under Rot
  if (warnings.length) out.push(make("ul", { className: "warn" }, ...warnings.map((each) => make("li", {}, each))));
  for (const [title, belongs] of GROUPS) {
    const rows = left.filter(belongs);
    for (const row of rows) left.splice(left.indexOf(row), 1);
    if (rows.length) out.push(decisions(title, rows, open));
  }
  return out;
}

function decisions(title, rows, open) {
  const body = make("ul", { className: "decisions" });
  const more = (from, to) => {
    for (const row of rows.slice(from, to)) {
      const place = { path: row.path, start: row.start_line, end: row.end_line };
      body.append(make("li", {},
        button(`${row.path}:${lines(row.start_line, row.end_line)}`, (event) => open(place, event.currentTarget), { className: "place" }),
        row.symbol ? make("span", { className: "symbol" }, ` ${row.symbol}`) : null,
        make("span", { className: "why" }, `${row.action}: ${row.why}`)));
    }
  };
  more(0, ROW_LIMIT);
  const group = make("details", {}, make("summary", {}, `${title} (${number(rows.length)})`), body);
  group.open = title === "Kept whole" || title === "Shrunk";
  if (rows.length > ROW_LIMIT) {
    const rest = button(`Show ${number(rows.length - ROW_LIMIT)} more`, () => {
      more(ROW_LIMIT, rows.length);
      rest.remove();
    });
    group.append(rest);
  }
  return group;
}

export function rot(found, pack, open) {
  const out = [];
  if (!found.findings.length) out.push(make("p", {}, found.actions.length ? "Nothing further was found." : "Nothing found: no stale, conflicting, duplicate, noisy or injected evidence."));
  for (const finding of found.findings) {
    const chunks = finding.chunks.map((n) => pack.chunks.find((each) => each.number === n)).filter(Boolean);
    out.push(make("article", { className: `card ${finding.severity}` },
      make("h3", {}, chip(finding.severity, "", finding.severity), ` ${finding.kind}`),
      make("p", {}, finding.message),
      finding.action ? make("p", { className: "quiet" }, finding.action) : null,
      make("p", { className: "chips" }, ...chunks.map((chunk) => button(`[${chunk.number}] ${chunk.path}:${chunk.start_line}`, (event) =>
        open({ path: chunk.path, start: chunk.start_line, end: chunk.end_line }, event.currentTarget), { className: "place" })))));
  }
  const done = found.actions.filter((each) => /^(dropped|re-sliced|refreshed) /.test(each));
  if (done.length) out.push(make("h3", {}, "Done before answering"), make("ul", {}, ...done.map((each) => make("li", {}, each))));
  return out;
}
