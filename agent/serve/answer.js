// An answer as elements: paragraphs, lists, code, marks of failed sentences, and citations that open their lines.

import { button, chip, lines, make, plural } from "./dom.js";

// The grammar of agent/answer/citations.py: [3], [3:12], [3:12-18], lists of them.
const REF = "(?:E|#|\\^)?\\d{1,4}(?: ?: ?[Ll]?\\d{1,7}(?: ?[-–—] ?[Ll]?\\d{1,7})?|[ ]?[-–—] ?\\d{1,4})?";
// Code that holds backticks stands between more of them.
const CODE = "``(?!`)(?:[^`\\n]|`(?!`)){1,400}``(?!`)|```(?!`)(?:[^`\\n]|`{1,2}(?!`)){1,400}```(?!`)|`[^`\\n]+`";
const INLINE = new RegExp(`(${CODE})|([\\[【]${REF}(?: ?[,;] ?${REF}){0,63}[\\]】])|(\\[(?:unsupported|uncited)\\])|(\\*\\*[^*\\n]+\\*\\*)`, "g");
const ONE = /(?:E|#|\^)?(\d+)(?: ?: ?[Ll]?(\d+)(?: ?[-–—] ?[Ll]?(\d+))?| ?[-–—] ?(\d+))?/g;

/**
 * `places(number, first, last)` gives {path, start, end} of a reference or null; `open(place, button)` shows it.
 * Text that is still being written is rendered again and again: it must do for half a sentence, too.
 */
export function render(text, places, open) {
  const out = document.createDocumentFragment();
  let list = null;
  let paragraph = null;
  let code = null;
  for (const line of text.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) {
      if (code) code = null;
      else out.append(make("pre", {}, (code = make("code"))));
      paragraph = list = null;
      continue;
    }
    if (code) {
      code.append(`${line}\n`);
      continue;
    }
    const item = /^(\s*)([-*•]|\d{1,3}[.)])\s+(.*)$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (!line.trim()) paragraph = list = null;
    else if (heading) {
      out.append(make("h3", {}, ...inline(heading[1], places, open)));
      paragraph = list = null;
    } else if (item) {
      if (!list) out.append((list = make("ul")));
      const depth = Math.min(3, Math.floor(item[1].length / 2));
      const mark = /\d/.test(item[2]) ? item[2] : "•";
      list.append(make("li", { className: `deep${depth}`, attributes: { "data-mark": mark } }, ...inline(item[3], places, open)));
      paragraph = null;
    } else {
      if (!paragraph) out.append((paragraph = make("p")));
      else paragraph.append(make("br"));
      paragraph.append(...inline(line, places, open));
      list = null;
    }
  }
  return out;
}

function inline(text, places, open) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[1]) parts.push(make("code", {}, unfenced(match[1])));
    else if (match[2]) parts.push(...citations(match[2], places, open));
    else if (match[4]) parts.push(make("strong", {}, ...inline(match[4].slice(2, -2), places, open)));
    else parts.push(make("mark", { title: "This sentence did not pass the check of its citations" }, match[3]));
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}

function unfenced(span) {
  const ticks = /^`{1,3}/.exec(span)[0].length;
  const inner = span.slice(ticks, -ticks);
  return ticks > 1 && inner.trim() ? inner.replace(/^ | $/g, "") : inner;
}

function citations(text, places, open) {
  const found = [];
  for (const [written, n, first, last, upto] of text.matchAll(ONE)) {
    for (let each = Number(n); each <= Math.min(Number(upto || n), Number(n) + 20); each += 1) {
      const place = places(each, Number(first || 0), Number(last || first || 0));
      found.push(place ? reference(each, place, open, Boolean(first)) : upto ? `[${each}]` : `[${written}]`);
    }
  }
  return found.length ? found : [text];
}

function reference(n, place, open, exact) {
  const where = `${place.path}:${lines(place.start, place.end)}`;
  return button(exact ? `${n}:${lines(place.start, place.end)}` : `${n}`, (event) => open(place, event.currentTarget), {
    className: "cite",
    title: where,
    attributes: { "aria-label": `Evidence ${n}, ${where}` },
  });
}

/** References while a model writes: the numbers are those of the pack. */
export const placesOfPack = (pack) => (n, first, last) => {
  const chunk = pack && pack.chunks.find((each) => each.number === n);
  return chunk ? { path: chunk.path, start: first || chunk.start_line, end: last || chunk.end_line } : null;
};

/** The files of a pack as they were: of a place in one of them it can be told whether it has changed since. */
export function dated(places, pack) {
  const states = new Map(pack ? pack.chunks.map((each) => [each.path, each.file_sha256]) : []);
  return (...reference) => {
    const place = places(...reference);
    return place && { ...place, sha256: states.get(place.path) };
  };
}

/** References of a checked answer: only what its citations resolve to opens. */
export const placesOfAnswer = (answer) => (n, first, last) => {
  const own = answer.citations.filter((each) => each.number === n);
  const exact = own.find((each) => each.start === first && each.end === last) || own.find((each) => each.start <= first && last <= each.end);
  if (exact) return { path: exact.path, start: first || exact.start, end: last || exact.end };
  return !first && own.length ? own[0] : null;
};

/** How the answer fared against the rules that the server was started with. */
function ruleGroups(rules) {
  const told = (each) => `${each.source}: ${each.text}` + (each.message ? ` (${each.message})` : "");
  const by = (status) => rules.checked.filter((each) => each.status === status).map(told);
  const groups = [["Rules violated", by("violated")], ["Rules that hold", by("holds")]];
  return groups.filter(([, lines]) => lines.length).map(([name, lines]) => group(name, lines));
}

/** What the reader should know about a checked answer: who gave it, how its sentences fared, its places, its notes. */
export function details(answer, open) {
  const facts = answer.statements.filter((each) => each.kind === "evidence");
  const held = facts.filter((each) => each.supported).length;
  const who = answer.model ? `${answer.answerer} (${answer.model})` : answer.answerer;
  const verdict = answer.refused ? "refused" : answer.abstained ? "abstained" : `${held} of ${plural(facts.length, "statement")} supported`;
  const inferred = answer.statements.filter((each) => each.kind === "inference").length;
  const out = [
    make("p", { className: "verdict" }, chip(verdict, "", answer.refused || answer.abstained || held < facts.length ? "warn" : "good"),
      inferred ? chip(`${inferred} inferred`) : null, chip(`answered by ${who}`),
      answer.usage.total_tokens ? chip(`${plural(answer.usage.total_tokens, "token")} used`) : null),
  ];
  const failed = answer.statements.filter((each) => !each.supported);
  if (failed.length) out.push(group("Not supported", failed.map((each) => [...inline(each.text, () => null, open), ` — ${each.why}`]), "warn"));
  if (answer.citations.length) out.push(sources(answer, open));
  if (answer.missing.length) out.push(group("Looked for in vain", answer.missing.map((each) => inline(each, () => null, open))));
  if (answer.notes.length) out.push(group("Notes", answer.notes));
  if (answer.rules) out.push(...ruleGroups(answer.rules));
  return out;
}

function group(title, texts, kind = "") {
  return make("section", { className: kind }, make("h3", {}, title), make("ul", {}, ...texts.map((text) => make("li", {}, ...[text].flat()))));
}

function sources(answer, open) {
  const byNumber = new Map();
  for (const each of answer.citations) {
    if (!byNumber.has(each.number)) byNumber.set(each.number, []);
    byNumber.get(each.number).push(each);
  }
  const rows = [...byNumber].sort(([a], [b]) => a - b).map(([n, own]) => {
    const places = [...new Map(own.map((each) => [`${each.start}-${each.end}`, each])).values()].sort((a, b) => a.start - b.start || a.end - b.end);
    return make("li", {}, make("b", {}, `[${n}] `), make("span", { className: "path" }, own[0].path), " ",
      ...places.flatMap((place) => [button(lines(place.start, place.end), (event) => open(place, event.currentTarget), {
        className: "cite", attributes: { "aria-label": `${place.path}, lines ${lines(place.start, place.end)}` } }), " "]));
  });
  return make("section", {}, make("h3", {}, "Citations"), make("ul", { className: "sources" }, ...rows));
}
