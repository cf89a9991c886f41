// The API: JSON requests, and questions whose answers come as server-sent events.

const KEY = "contextc-token";

/** The token of this tab: from the address it was opened with, which then forgets it, or from before a reload. */
export function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    keep(given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEY) || "";
}

export const keep = (value) => sessionStorage.setItem(KEY, value);

/** What the server refused, or that it could not be reached. */
export class Problem extends Error {
  constructor(status, cause, mend) {
    super(cause);
    Object.assign(this, { status, cause, mend });
  }
}

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, {
      ...options,
      credentials: "omit",
      redirect: "error",
      headers: { authorization: `Bearer ${token()}`, ...(options.body ? { "content-type": "application/json" } : {}) },
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not answer.", "Start it again: contextc serve");
  }
  if (response.ok) return response;
  let told = {};
  try {
    told = await response.json();
  } catch {
    // Not one of ours: the status is all there is.
  }
  throw new Problem(response.status, told.cause || `The server answered ${response.status}.`, told.mend || "Try again.");
}

export async function get(path, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  return (await send(query ? `${path}?${query}` : path, {})).json();
}

/** Calls `on(name, data)` for each event; returns when the stream has ended, throws a Problem when it broke off. */
export async function ask(body, on, signal) {
  const response = await send("/api/ask/stream", { method: "POST", body: JSON.stringify(body), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  let last = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      if (error.name === "AbortError") throw error;
      return { done: true };
    });
    if (done) break;
    const blocks = (held + value).split("\n\n");
    held = blocks.pop();
    for (const block of blocks) {
      const event = { name: "", data: "" };
      for (const line of block.split("\n")) {
        if (line.startsWith("event: ")) event.name = line.slice(7);
        if (line.startsWith("data: ")) event.data += line.slice(6);
      }
      if (!event.name) continue;
      const data = JSON.parse(event.data);
      if (event.name === "error") throw new Problem(data.status, data.cause, data.mend);
      last = event.name;
      on(event.name, data);
    }
  }
  if (last !== "done") throw new Problem(0, "The answer broke off.", "Ask again; if it does so again, look at the server.");
}
