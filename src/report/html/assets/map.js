// Maps of escape times: the number under the pointer, and the command for a finer window.

const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/** A colour of the ramp, from 0 to 1. */
function ramp(s) {
  const at = Math.min(Math.max(s, 0), 1) * (RAMP.length - 1);
  const i = Math.min(Math.floor(at), RAMP.length - 2);
  return RAMP[i].map((a, k) => Math.round(a + (RAMP[i + 1][k] - a) * (at - i)));
}

class EscapeMap {
  constructor(place, map, name) {
    this.map = map;
    this.name = name;
    this.seconds = numbers(map.seconds);
    this.window = [...map.x.slice(0, 2), ...map.z.slice(0, 2)];
    this.canvas = make("canvas", { class: "map", tabindex: 0, role: "img", "aria-label": "map of escape times" });
    this.told = make("output", {}, "Point at the map, or use the arrow keys; drag a window to zoom.");
    this.command = make("code", {});
    this.whole = make("button", { type: "button", onclick: () => this.zoom([...map.x.slice(0, 2), ...map.z.slice(0, 2)]) }, "Show all");
    place.append(make("figure", { class: "plot" },
      make("figcaption", {}, make("span", { class: "title" }, `Escape times, ${map.stem}`), make("span", { class: "tools" }, this.whole)),
      this.canvas, make("p", {}, this.told),
      make("p", { class: "hint" }, `Dark: escapes early. Yellow: late. White: still there after ${brief(map.end)} s.`), make("p", { class: "hint" }, "The window in full: ", this.command)));
    this.cell = [0, 0];
    this.listen();
    this.zoom(this.window);
  }

  listen() {
    const { canvas } = this;
    const at = (e) => [e.offsetX / canvas.clientWidth, 1 - e.offsetY / canvas.clientHeight];
    canvas.addEventListener("pointerdown", (e) => { this.from = at(e); canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => { this.tell(...this.point(at(e))); this.draw(this.from && [this.from, at(e)]); });
    canvas.addEventListener("pointerup", (e) => {
      const [a, b] = [this.from, at(e)];
      this.from = null;
      if (!a || Math.abs(a[0] - b[0]) < 0.02 || Math.abs(a[1] - b[1]) < 0.02) return this.draw();
      const [p, q] = [this.point(a), this.point(b)];
      this.zoom([Math.min(p[0], q[0]), Math.max(p[0], q[0]), Math.min(p[1], q[1]), Math.max(p[1], q[1])]);
    });
    canvas.addEventListener("keydown", (e) => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
      if (!move) return;
      e.preventDefault();
      this.cell = this.cell.map((c, k) => Math.min(Math.max(c + move[k], 0), this.map.cells[k] - 1));
      const { x, z, cells } = this.map;
      this.tell(x[0] + (this.cell[0] + 0.5) * (x[1] - x[0]) / cells[0], z[0] + (this.cell[1] + 0.5) * (z[1] - z[0]) / cells[1]);
    });
  }

  /** The start at a place of the picture. */
  point([u, v]) {
    const [x0, x1, z0, z1] = this.window;
    return [x0 + u * (x1 - x0), z0 + v * (z1 - z0)];
  }

  /** The index of the cell of a start. */
  index(x, z) {
    const { map } = this;
    const of = (value, axis, cells) => Math.min(Math.max(Math.floor((value - axis[0]) / (axis[1] - axis[0]) * cells), 0), cells - 1);
    this.cell = [of(x, map.x, map.cells[0]), of(z, map.z, map.cells[1])];
    return this.cell[1] * map.cells[0] + this.cell[0];
  }

  tell(x, z) {
    const t = this.seconds[this.index(x, z)];
    const how = Number.isFinite(t) ? `escapes after ${brief(t)} s` : `is still there after ${brief(this.map.end)} s`;
    this.told.textContent = `x = ${brief(x * 1000)} mm, z − zₛ = ${brief(z * 1000)} mm: ${how}`;
  }

  zoom(window) {
    this.window = window;
    const { x, z } = this.map;
    const text = window.map((v) => Number(v.toPrecision(5))).join(",");
    this.command.textContent = `topsim run ${this.name} --window ${text} --size ${x[2]}x${z[2]}`;
    this.draw();
  }

  draw(drawn) {
    const { canvas } = this;
    [canvas.width, canvas.height] = [480, 480];
    const c = canvas.getContext("2d");
    const picture = c.createImageData(480, 480);
    const times = Array.from(this.seconds).filter((t) => t > 0);
    const least = Math.log(times.reduce((a, b) => Math.min(a, b), this.map.end));
    const span = Math.log(this.map.end) - least || 1;
    for (let j = 0; j < 480; j++) {
      for (let i = 0; i < 480; i++) {
        const t = this.seconds[this.index(...this.point([(i + 0.5) / 480, 1 - (j + 0.5) / 480]))];
        const rgb = Number.isFinite(t) ? ramp((Math.log(Math.max(t, 1e-12)) - least) / span) : [255, 255, 255];
        picture.data.set([...rgb, 255], 4 * (j * 480 + i));
      }
    }
    c.putImageData(picture, 0, 0);
    if (!drawn) return;
    const [a, b] = drawn.map(([u, v]) => [480 * u, 480 * (1 - v)]);
    c.strokeStyle = "#d55e00";
    c.lineWidth = 2;
    c.strokeRect(a[0], a[1], b[0] - a[0], b[1] - a[1]);
  }
}
