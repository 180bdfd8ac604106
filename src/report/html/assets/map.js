// Maps of escape times: the number under the pointer, and the command for a finer window.

// As in the figures of files: early is bright.
const RAMP = [[253, 231, 37], [94, 201, 98], [33, 145, 140], [59, 82, 139], [68, 1, 84]];

/** A colour of the ramp, from 0 to 1. */
function ramp(s) {
  const at = Math.min(Math.max(s, 0), 1) * (RAMP.length - 1);
  const i = Math.min(Math.floor(at), RAMP.length - 2);
  return RAMP[i].map((a, k) => Math.round(a + (RAMP[i + 1][k] - a) * (at - i)));
}

/** Round numbers between two others, about so many. */
function ticks(low, high, about) {
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.999);
  const all = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * (high - low); k++) all.push(Number((k * step).toPrecision(9)));
  return all;
}

class EscapeMap {
  constructor(place, map, name, of) {
    this.map = map;
    this.name = name;
    this.seconds = numbers(map.seconds);
    const least = this.seconds.reduce((a, b) => (b > 0 && b < a ? b : a), map.end);
    this.shades = [Math.log(least), Math.log(map.end) - Math.log(least) || 1];
    this.canvas = make("canvas", { class: "map", tabindex: 0, role: "img", "aria-label": "map of escape times over x and z" });
    this.told = make("output", { "aria-live": "polite" }, "Point at the map, or use the arrow keys. Drag a window to zoom; + and − zoom about the marked cell, Escape shows all.");
    this.command = make("code", {});
    this.whole = make("button", { type: "button", onclick: () => this.zoom(this.all()) }, "Show all");
    this.axes = [make("div", { class: "ticks x" }), make("div", { class: "ticks z" })];
    const [x, z] = this.axes;
    place.append(make("figure", { class: "plot" },
      make("figcaption", {}, make("span", { class: "title" }, `Escape times, ${without(map.title, of)}`), make("span", { class: "tools" }, this.whole)),
      make("div", { class: "framed" }, make("span", { class: "up" }, "z − zₛ [mm]"), z, this.canvas, this.legend(), x,
        make("span", { class: "across" }, "x [mm]")),
      make("p", {}, this.told),
      make("p", { class: "hint" }, `Yellow: escapes early. Dark: late. White: still there after ${brief(map.end)} s.`), make("p", { class: "hint" }, "To compute this window with all its cells: ", this.command)));
    this.listen();
    this.zoom(this.all());
  }

  all() { return [...this.map.x.slice(0, 2), ...this.map.z.slice(0, 2)]; }

  /** A colour for a time, or for one that never escapes. */
  colour(t) {
    return Number.isFinite(t) ? ramp((Math.log(Math.max(t, 1e-12)) - this.shades[0]) / this.shades[1]) : [255, 255, 255];
  }

  /** What the colours mean: a bar with times. */
  legend() {
    const [low, span] = this.shades;
    const bar = make("canvas", { width: 1, height: 100 });
    const c = bar.getContext("2d");
    for (let k = 0; k < 100; k++) {
      c.fillStyle = `rgb(${ramp(1 - k / 99).join()})`;
      c.fillRect(0, k, 1, 1);
    }
    const marks = [];
    for (let p = Math.ceil(low / Math.LN10); p * Math.LN10 <= low + span; p++) marks.push(10 ** p);
    if (marks.length < 2) marks.splice(0, marks.length, Math.exp(low), this.map.end);
    const label = (t) => {
      const made = make("span", {}, `${brief(t, 3)} s`);
      made.style.bottom = `${100 * (Math.log(t) - low) / span}%`;
      return made;
    };
    return make("div", { class: "ramp" }, bar, make("div", { class: "ticks z" }, ...marks.map(label)));
  }

  /** Numbers along both sides of the window. */
  label() {
    const [x0, x1, z0, z1] = this.window;
    [[x0, x1, "left"], [z0, z1, "bottom"]].forEach(([low, high, side], k) => {
      const places = ticks(low * 1000, high * 1000, 5);
      const step = places.length > 1 ? places[1] - places[0] : 1;
      const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
      this.axes[k].replaceChildren(...places.map((v) => {
        const made = make("span", {}, v.toFixed(digits));
        made.style[side] = `${100 * (v / 1000 - low) / (high - low)}%`;
        return made;
      }));
    });
  }

  listen() {
    const { canvas } = this;
    const at = (e) => [e.offsetX / canvas.clientWidth, 1 - e.offsetY / canvas.clientHeight];
    canvas.addEventListener("pointerdown", (e) => { this.from = at(e); canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => { this.cell = this.cellOf(...this.point(at(e))); this.marked = null; this.tell(...this.point(at(e))); this.draw(this.from && [this.from, at(e)]); });
    canvas.addEventListener("pointerup", (e) => {
      const [a, b] = [this.from, at(e)];
      this.from = null;
      if (!a || Math.abs(a[0] - b[0]) < 0.02 || Math.abs(a[1] - b[1]) < 0.02) return this.draw();
      const [p, q] = [this.point(a), this.point(b)];
      this.zoom([Math.min(p[0], q[0]), Math.max(p[0], q[0]), Math.min(p[1], q[1]), Math.max(p[1], q[1])]);
    });
    canvas.addEventListener("keydown", (e) => {
      const { x, z, cells } = this.map;
      const size = [(x[1] - x[0]) / cells[0], (z[1] - z[0]) / cells[1]];
      const [x0, x1, z0, z1] = this.window;
      this.cell ??= this.cellOf((x0 + x1) / 2, (z0 + z1) / 2);
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
      const factor = { "+": 0.5, "-": 2 }[e.key];
      if (!move && !factor && e.key !== "Escape") return;
      e.preventDefault();
      if (e.key === "Escape") return this.zoom(this.all());
      if (move) this.cell = this.cell.map((c, k) => Math.min(Math.max(c + move[k], 0), cells[k] - 1));
      const at = [x[0] + (this.cell[0] + 0.5) * size[0], z[0] + (this.cell[1] + 0.5) * size[1]];
      const seen = at[0] > x0 && at[0] < x1 && at[1] > z0 && at[1] < z1;
      if (factor || !seen) {
        const part = (middle, length, [low, high]) => {
          const kept = Math.min(length, high - low);
          const from = Math.min(Math.max(middle - kept / 2, low), high - kept);
          return [from, from + kept];
        };
        const f = factor ?? 1;
        const smallest = 4;
        this.zoom([...part(at[0], Math.max(f * (x1 - x0), smallest * size[0]), x), ...part(at[1], Math.max(f * (z1 - z0), smallest * size[1]), z)]);
      }
      this.marked = at;
      this.tell(...at);
      this.draw();
    });
    canvas.addEventListener("blur", () => { this.marked = null; this.draw(); });
  }

  /** The start at a place of the picture. */
  point([u, v]) {
    const [x0, x1, z0, z1] = this.window;
    return [x0 + u * (x1 - x0), z0 + v * (z1 - z0)];
  }

  /** The cell of a start: across and up. */
  cellOf(x, z) {
    const { map } = this;
    const of = (value, axis, cells) => Math.min(Math.max(Math.floor((value - axis[0]) / (axis[1] - axis[0]) * cells), 0), cells - 1);
    return [of(x, map.x, map.cells[0]), of(z, map.z, map.cells[1])];
  }

  /** The time of a start. */
  time(x, z) {
    const [i, j] = this.cellOf(x, z);
    return this.seconds[j * this.map.cells[0] + i];
  }

  tell(x, z) {
    const t = this.time(x, z);
    const how = Number.isFinite(t) ? `escapes after ${brief(t)} s` : `is still there after ${brief(this.map.end)} s`;
    this.told.textContent = `x = ${brief(x * 1000)} mm, z − zₛ = ${brief(z * 1000)} mm: ${how}`;
  }

  zoom(window) {
    this.window = window;
    const { x, z } = this.map;
    const text = window.map((v) => Number(v.toPrecision(5))).join(",");
    this.command.textContent = `topsim run ${this.name} --window ${text} --size ${x[2]}x${z[2]}`;
    this.marked = null;
    this.paint();
    this.label();
    this.draw();
  }

  /** The picture of the window, without what is drawn over it. */
  paint() {
    [this.canvas.width, this.canvas.height] = [480, 480];
    this.picture = this.canvas.getContext("2d").createImageData(480, 480);
    for (let j = 0; j < 480; j++) {
      for (let i = 0; i < 480; i++) {
        const t = this.time(...this.point([(i + 0.5) / 480, 1 - (j + 0.5) / 480]));
        this.picture.data.set([...this.colour(t), 255], 4 * (j * 480 + i));
      }
    }
  }

  /** The picture, a window that is being drawn, and the cell that keys have chosen. */
  draw(drawn) {
    const c = this.canvas.getContext("2d");
    c.putImageData(this.picture, 0, 0);
    c.strokeStyle = "#d55e00";
    c.lineWidth = 2;
    if (drawn) {
      const [a, b] = drawn.map(([u, v]) => [480 * u, 480 * (1 - v)]);
      c.strokeRect(a[0], a[1], b[0] - a[0], b[1] - a[1]);
    }
    if (this.marked) {
      const [x0, x1, z0, z1] = this.window;
      const [a, b] = [480 * (this.marked[0] - x0) / (x1 - x0), 480 * (1 - (this.marked[1] - z0) / (z1 - z0))];
      c.beginPath();
      for (const [p, q] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        c.moveTo(a + 5 * p, b + 5 * q);
        c.lineTo(a + 16 * p, b + 16 * q);
      }
      c.stroke();
    }
  }
}
