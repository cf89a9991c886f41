// The page: a question, its streamed answer, and beside it what the answer rests on.

import { dated, details, placesOfAnswer, placesOfPack, render } from "./answer.js";
import { byId, make, number, plural } from "./dom.js";
import { budget, evidence, rot } from "./evidence.js";
import { FileView } from "./source.js";
import { ask, get, keep, token } from "./stream.js";

const TABS = ["evidence", "budget", "rot", "file"];
const PANELS = { evidence: "evidence", budget: "budgeter", rot: "rot", file: "file" };
let running = null;
let opener = null;
let before = "evidence";

// ---- tabs ------------------------------------------------------------------------------------------------------------

function choose(name, focus = false) {
  for (const each of TABS) {
    const tab = byId(`tab-${each}`);
    tab.setAttribute("aria-selected", String(each === name));
    tab.tabIndex = each === name ? 0 : -1;
    byId(PANELS[each]).hidden = each !== name;
  }
  if (name !== "file") before = name;
  if (focus) byId(`tab-${name}`).focus();
}

for (const name of TABS) {
  const tab = byId(`tab-${name}`);
  tab.addEventListener("click", () => choose(name));
  tab.addEventListener("keydown", (event) => {
    const shown = TABS.filter((each) => !byId(`tab-${each}`).hidden);
    const at = shown.indexOf(name);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(shown[(to + shown.length) % shown.length], true);
  });
}

const count = (name, value) => {
  byId(`tab-${name}`).querySelector(".count").textContent = value ? number(value) : "";
};

// ---- files -----------------------------------------------------------------------------------------------------------

const leave = () => {
  choose(before);
  if (opener && opener.isConnected) opener.focus();
};
const file = new FileView(byId("file"), leave);

function open(place, from) {
  opener = from;
  byId("tab-file").hidden = false;
  choose("file");
  file.show(place);
}

document.addEventListener("keydown", (event) => {
  const typing = /^(TEXTAREA|INPUT)$/.test(event.target.tagName);
  if (event.key === "Escape" && !byId("file").hidden) leave();
  else if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    byId("question").focus();
  }
});

// ---- asking ----------------------------------------------------------------------------------------------------------

const field = byId("question");
const grow = () => {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight + 2, 200)}px`;
};
field.addEventListener("input", grow);
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    byId("ask").requestSubmit();
  }
});

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = field.value.trim();
  if (question) answer(question);
});
byId("stop").addEventListener("click", () => running && running.abort());

function further(question) {
  field.value = question;
  grow();
  byId("answer").focus();
  scrollTo({ top: 0 });
  answer(question);
}

function say(text) {
  byId("progress").textContent = text;
}

function fail(problem) {
  byId("problem").replaceChildren(make("p", {}, make("b", {}, problem.cause), " ", problem.mend || ""));
}

function busy(on) {
  byId("submit").hidden = on;
  byId("stop").hidden = !on;
  byId("text").setAttribute("aria-busy", String(on));
}

async function answer(question) {
  if (running) running.abort();
  const mine = (running = new AbortController());
  byId("problem").replaceChildren();
  byId("asked").textContent = question;
  for (const id of ["text", "checks", ...Object.values(PANELS)]) byId(id).replaceChildren();
  for (const name of ["evidence", "budget", "rot"]) count(name, 0);
  byId("tab-file").hidden = true;
  choose("evidence");
  byId("result").hidden = false;
  busy(true);
  say("Compiling the evidence …");
  const state = { pack: null, text: "", drawn: false };
  const draw = () => {
    state.drawn = false;
    if (!state.answer) byId("text").replaceChildren(render(state.text, placesOfPack(state.pack), open));
  };
  const on = (name, data) => {
    if (running !== mine) return;
    if (name === "pack") {
      state.pack = data;
      byId("evidence").replaceChildren(...evidence(data, open, further));
      byId("budgeter").replaceChildren(...budget(data, open));
      count("evidence", data.chunks.length);
      say(`${plural(data.chunks.length, "piece")} of evidence, ${number(data.total_tokens)} tokens; answering …`);
    } else if (name === "rot") {
      byId("rot").replaceChildren(...rot(data, state.pack, open));
      count("rot", data.findings.length);
    } else if (name === "text") {
      state.text += data.text;
      if (!state.drawn) requestAnimationFrame(draw);
      state.drawn = true;
    } else if (name === "answer") {
      state.answer = data;
      byId("text").replaceChildren(render(data.answer, dated(placesOfAnswer(data), state.pack), open));
      byId("checks").replaceChildren(...details(data, open));
    } else if (name === "done") say(`Answered in ${data.seconds.toFixed(1)} s.`);
  };
  const body = { question, strict: byId("strict").checked };
  if (byId("budget").value) body.budget = Number(byId("budget").value);
  if (byId("offline").checked) body.answerer = "offline";
  try {
    await ask(body, on, mine.signal);
  } catch (problem) {
    if (running !== mine) return;
    if (problem.name === "AbortError") say("Stopped.");
    else if (problem.status === 401) login(problem);
    else {
      say("");
      fail(problem.cause ? problem : { cause: String(problem) });
    }
  }
  if (running === mine) {
    running = null;
    busy(false);
  }
}

// ---- beginning -------------------------------------------------------------------------------------------------------

function login(problem = null) {
  byId("login").hidden = false;
  byId("work").hidden = true;
  if (problem) byId("login-why").textContent = `${problem.cause} ${problem.mend}`;
  byId("token").focus();
}

byId("login").addEventListener("submit", (event) => {
  event.preventDefault();
  keep(byId("token").value.trim());
  begin();
});

async function begin() {
  if (!token()) return login();
  let status;
  try {
    status = await get("/api/status");
  } catch (problem) {
    if (problem.status === 401) return login(problem);
    byId("work").hidden = false;
    return fail(problem);
  }
  byId("login").hidden = true;
  byId("work").hidden = false;
  const name = status.root.split("/").filter(Boolean).pop() || status.root;
  document.title = `${name} – contextc`;
  byId("tree").textContent = name;
  byId("tree").title = status.root;
  const who = status.answerer === "offline" ? "answers offline" : `answers by ${status.model || (status.answerer === "openai" ? "a model" : status.answerer)}`;
  byId("state").textContent = `${plural(status.counts.files, "file")}, ${plural(status.counts.lines, "line")}; ${status.current ? "index current" : "index behind the tree"}; ${who}`;
  byId("offline-option").hidden = status.answerer === "offline";
  byId("budget").value = status.budget;
  field.focus();
}

addEventListener("hashchange", begin);
begin();
