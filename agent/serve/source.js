// A file's lines around a place, more of them on demand.

import { button, lines, listing, make, plural } from "./dom.js";
import { get } from "./stream.js";

const AROUND = 40;
const STEP = 200;
const NARROW = "(max-width: 860px)"; // as in page.css

/** Shows the lines of `place` in `box`; `back` leaves the file. The last call wins, whichever answer comes first. */
export class FileView {
  constructor(box, back) {
    this.box = box;
    this.back = back;
    this.asked = 0;
  }

  async show(place) {
    const turn = (this.asked += 1);
    this.box.replaceChildren(make("p", { className: "quiet" }, `Reading ${place.path} …`));
    let found;
    try {
      found = await get("/api/file", { path: place.path, first: Math.max(1, place.start - AROUND), last: place.end + AROUND });
    } catch (problem) {
      if (turn === this.asked) this.box.replaceChildren(make("p", { className: "error" }, `${problem.cause} ${problem.mend}`), this.leave());
      return;
    }
    if (turn !== this.asked) return;
    this.fill(place, found);
  }

  leave() {
    return button("Back to the answer", this.back, { className: "leave" });
  }

  fill(place, found) {
    const marked = [place.start, Math.min(place.end, found.last)];
    const code = listing(numbered(found), marked);
    const title = make("h3", { tabIndex: -1 }, make("span", { className: "path" }, found.path), ` ${marked[0] === marked[1] ? "line" : "lines"} ${lines(...marked)}`);
    const notes = [];
    if (place.sha256 && place.sha256 !== found.sha256) notes.push("The file was indexed anew since this answer: the lines may have moved.");
    else if (found.changed) notes.push("The file on disk has changed since it was indexed; these are the indexed lines.");
    const above = this.more(found.path, "earlier", () => [Math.max(1, found.first - STEP), found.first - 1], found.first > 1, (more) => {
      const anchor = code.firstElementChild;
      const before = anchor.getBoundingClientRect().top;
      code.prepend(...listing(numbered(more)).children);
      code.scrollTop += anchor.getBoundingClientRect().top - before;
      found.first = more.first;
      return found.first > 1;
    });
    const below = this.more(found.path, "later", () => [found.last + 1, found.last + STEP], found.last < found.total_lines, (more) => {
      code.append(...listing(numbered(more)).children);
      found.last = more.last;
      return found.last < found.total_lines;
    });
    code.tabIndex = 0;
    code.setAttribute("role", "region");
    code.setAttribute("aria-label", `${found.path}, ${plural(found.total_lines, "line")}`);
    this.box.replaceChildren(make("div", { className: "filehead" }, title, this.leave()), ...notes.map((text) => make("p", { className: "warn" }, text)), above, code, below);
    title.focus({ preventScroll: true });
    if (matchMedia(NARROW).matches) this.box.scrollIntoView({ block: "start" }); // else it stands beside the answer
    const first = code.querySelector(".marked");
    if (first) code.scrollTop = first.offsetTop - code.clientHeight / 3;
  }

  more(path, which, range, some, add) {
    const control = button(`Show ${which} lines`, async () => {
      const [first, last] = range();
      control.disabled = true;
      try {
        control.hidden = !add(await get("/api/file", { path, first, last }));
      } catch (problem) {
        control.replaceWith(make("p", { className: "error" }, `${problem.cause} ${problem.mend}`));
      }
      control.disabled = false;
    }, { className: "more", hidden: !some });
    return control;
  }
}

const numbered = (found) => found.lines.map((text, at) => [found.first + at, text]);
