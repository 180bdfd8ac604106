// A figure of curves that can be zoomed, hovered, toggled and read as a table: uPlot with our axes and keys.

/** Times of animations, and who follows them. */
const clocks = [];

/** Ticks of a logarithmic axis: decades, and what is between them where there are few. */
function decades(u, axis, min, max) {
  const [low, high] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))];
  const every = Math.ceil((high - low) / 8);
  const within = high - low <= 2 ? [1, 2, 5] : [1];
  const all = [];
  for (let p = low; p <= high; p += every) for (const k of within) all.push(Number(`${k}e${p}`));
  return all.filter((x) => x >= min * 0.999 && x <= max * 1.001);
}

/** Numbers of ticks, with as many digits as tell them apart. */
function labels(u, ticks, axis, space, step) {
  const most = Math.max(...ticks.map(Math.abs));
  const digits = Math.max(1, Math.ceil(Math.log10(most / step)) + 1);
  if (most < 1e-3 || most >= 1e6) return ticks.map((x) => (x === 0 ? "0" : x.toExponential(Math.min(digits - 1, 8)).replace(/\.?0+e/, "e")));
  let places = 0;
  while (places < 12 && Math.abs(step * 10 ** places - Math.round(step * 10 ** places)) > 1e-6) places++;
  return ticks.map((x) => x.toFixed(places));
}

const powers = (u, ticks) => ticks.map((x) => (x === null ? "" : x >= 0.01 && x < 1000 ? String(Number(x.toPrecision(3))) : x.toExponential(0)));
const room = (u, texts) => 22 + 7 * Math.max(1, ...(texts ?? []).map((t) => t.length));

/** The point of a curve that is nearest to one of the table. */
function nearest(data, series, at) {
  const [x, y] = [data[0], data[series]];
  let [low, high] = [at, at];
  while (low > 0 && y[low] == null) low--;
  while (high < x.length - 1 && y[high] == null) high++;
  if (y[low] == null) return high;
  return y[high] == null || x[at] - x[low] <= x[high] - x[at] ? low : high;
}

/** So many names are shown at once. */
const NAMES = 12;
/** More curves than this are a crowd. */
const CROWD = 12;

class Chart {
  /**
   * place: where it stands. title; x, y: { label, log }; marks. series: [{ label, x, y, markers, line }].
   * clock: whose time a cursor shows, where x is time.
   */
  constructor(place, description) {
    Object.assign(this, { marks: [], height: 300 }, description);
    this.place = place;
    this.crowded();
    this.body = make("div", { class: "chart" });
    this.table = make("details", { class: "table" }, make("summary", {}, "Table"));
    this.table.addEventListener("toggle", () => this.fillTable());
    this.linear = make("button", { type: "button", title: "logarithmic or linear", onclick: () => this.flip() }, "log");
    const tool = (text, title, act) => make("button", { type: "button", title, "aria-label": title, onclick: act }, text);
    const tools = make("span", { class: "tools" }, this.linear,
      tool("+", "zoom in", () => this.scale(0.5)), tool("−", "zoom out", () => this.scale(2)),
      tool("⟲", "show all", () => this.draw()));
    const head = make("figcaption", {}, make("span", { class: "title" }, this.title), tools);
    this.figure = make("figure", { class: "plot" }, head, make("p", { class: "hint whole" }), this.body, this.table);
    place.append(this.figure);
    this.draw();
    const width = new ResizeObserver(() => {
      const now = this.body.clientWidth;
      if (now && Math.abs(now - this.u.width) > 1) this.u.setSize({ width: now, height: this.height });
    });
    width.observe(this.body);
    if (this.clock) this.clock.follow((t) => this.mark(t));
    charts.push(this);
  }

  show(description) {
    Object.assign(this, description);
    this.crowded();
    this.figure.querySelector(".title").textContent = this.title;
    this.draw();
  }

  /** Of many curves those that are told to wait are shown when they are asked for. */
  crowded() {
    const waits = (s) => this.series.length > CROWD && Boolean(s.waits);
    // Their names follow those of the others.
    this.series = [...this.series.filter((s) => !waits(s)), ...this.series.filter(waits)];
    this.hidden = new Set(this.series.map((s, i) => (waits(s) ? i : -1)).filter((i) => i >= 0));
    this.named = Math.min(this.series.length - this.hidden.size, NAMES);
    this.every = false;
  }

  flip() {
    this.y = { ...this.y, log: !this.y.log };
    this.draw();
  }

  /** One table of all x: where a curve has no point it is joined across. */
  data() {
    const clean = (y, x) => Array.from(y, (v, i) => {
      if (!Number.isFinite(v) || (this.x.log && !(x[i] > 0))) return null;
      if (!this.y.log) return v;
      return v === 0 ? null : Math.abs(v);
    });
    const tables = this.series.map((s) => [Array.from(s.x), clean(s.y, s.x)]);
    if (!tables.length) return [[]];
    return uPlot.join(tables, tables.map(() => [null, 1]));
  }

  draw() {
    this.u?.destroy();
    this.linear.setAttribute("aria-pressed", String(Boolean(this.y.log)));
    const data = this.data();
    const ink = () => style("--ink");
    const grid = { stroke: () => style("--line"), width: 1 };
    const short = this.shortened();
    const axis = (of, size) => ({
      label: of === this.y ? short : of.label, labelSize: 18, size, stroke: ink, grid, ticks: grid, font: "12px sans-serif", labelFont: "12px sans-serif",
      ...(of.log ? { splits: decades, filter: (u, ticks) => ticks, values: powers } : { values: labels, ...(of === this.y ? { space: 24 } : {}) }),
    });
    // A point on the border would not count.
    const wide = (u, min, max) => {
      if (min === null || max === null) return [min, max];
      if (this.x.log) return [min / 1.1, max * 1.1];
      const margin = max > min ? 0.005 * (max - min) : 0.5;
      return [min - margin, max + margin];
    };
    const scale = (of, x) => ({ time: false, distr: of.log ? 3 : 1, ...(x ? { range: wide } : {}) });
    this.u = new uPlot({
      width: Math.max(this.body.clientWidth, 200),
      height: this.height,
      scales: { x: scale(this.x, true), y: scale(this.y) },
      axes: [axis(this.x, 40), axis(this.y, room)],
      // Where a curve has no point of its own, its nearest one is read.
      cursor: { drag: { x: true, y: true, uni: 20 }, focus: { prox: 24 }, dataIdx: (u, s, i) => (s ? nearest(u.data, s, i) : i) },
      focus: { alpha: 0.25 },
      legend: {
        live: true,
        markers: { width: 2, dash: (u, i) => ({ 0: "solid", 2: "dotted" }[u.series[i].dash?.[0] ?? 0] ?? "dashed") },
      },
      series: [
        { label: this.x.label, value: (u, x) => brief(x, 6) },
        ...this.series.map((s, i) => ({
          label: s.label,
          ...(s.look ?? look(i)),
          ...(this.covers(i) ? { dash: [7, 7] } : {}),
          width: s.line === false ? 0 : 1.6,
          points: { show: Boolean(s.markers), size: 6, fill: look(i).stroke },
          spanGaps: true,
          show: !this.hidden.has(i),
          value: (u, x) => brief(x),
        })),
      ],
      hooks: {
        draw: [(u) => this.drawMarks(u)],
        setSeries: [(u, i, o) => {
          if (o.show === false) this.hidden.add(i - 1);
          else if (o.show) this.hidden.delete(i - 1);
        }],
      },
    }, data, this.body);
    this.keys();
    this.names();
    this.needle = make("div", { class: "needle", hidden: true });
    this.u.over.append(this.needle);
    if (this.clock) {
      this.u.over.addEventListener("click", (e) => this.clock.set(this.u.posToVal(e.offsetX, "x")));
      this.mark(this.clock.t);
    }
    if (this.table.open) this.fillTable();
  }

  /** The name of the vertical axis where it fits; else its unit, and all of it above the figure. */
  shortened() {
    const { label } = this.y;
    const most = Math.floor((this.height - 60) / 5.9);
    const long = label.length > most;
    this.figure.querySelector(".whole").textContent = long ? `Vertical axis: ${label}` : "";
    if (!long) return label;
    return label.match(/\[[^\]]*\]$/)?.[0] ?? "";
  }

  /** Whether a curve of a study lies on one that is drawn before it: both are seen where it has gaps. */
  covers(i) {
    const s = this.series[i];
    if (!s.markers || s.x.length > 60) return false;
    const same = (a, b) => a.length === b.length && a.every((v, k) => Math.abs(v - b[k]) <= 0.03 * Math.abs(v));
    return this.series.slice(0, i).some((o) => same(Array.from(s.x), Array.from(o.x)) && same(Array.from(s.y), Array.from(o.y)));
  }

  /** Of more names than a reader takes in, those of curves that wait are behind a button. */
  names() {
    const rows = Array.from(this.body.querySelectorAll(".u-legend .u-series")).slice(1);
    const first = this.every ? rows.length : this.named;
    rows.forEach((row, i) => { row.hidden = i >= first; });
    if (rows.length <= this.named) return;
    const text = this.every ? "fewer names" : `${rows.length - first} more names`;
    this.body.querySelector(".u-legend").append(make("button", { type: "button", class: "more", onclick: (e) => {
      this.every = !this.every;
      e.target.remove();
      this.names();
    } }, text));
  }

  /** Names in the legend are switches for the keyboard too. */
  keys() {
    this.body.querySelectorAll(".u-legend .u-series").forEach((row, i) => {
      const head = row.querySelector("th");
      if (i === 0 || !head) return;
      head.tabIndex = 0;
      head.setAttribute("role", "switch");
      head.setAttribute("aria-checked", String(!this.hidden.has(i - 1)));
      head.addEventListener("keydown", (e) => {
        if (e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        this.u.setSeries(i, { show: !this.u.series[i].show });
        head.setAttribute("aria-checked", String(this.u.series[i].show));
      });
    });
  }

  scale(factor) {
    const { min, max } = this.u.scales.x;
    if (this.x.log) {
      const [a, b] = [Math.log(min), Math.log(max)];
      const [m, h] = [(a + b) / 2, (b - a) / 2 * factor];
      this.u.setScale("x", { min: Math.exp(m - h), max: Math.exp(m + h) });
    } else {
      const [m, h] = [(min + max) / 2, (max - min) / 2 * factor];
      this.u.setScale("x", { min: m - h, max: m + h });
    }
  }

  /** The time of the animation. */
  mark(t) {
    const left = this.u.valToPos(t, "x");
    this.needle.hidden = !(left >= 0 && left <= this.u.over.clientWidth);
    this.needle.style.transform = `translateX(${left}px)`;
  }

  drawMarks(u) {
    const c = u.ctx;
    const { left, top, width, height } = u.bbox;
    const ratio = uPlot.pxRatio;
    c.save();
    c.beginPath();
    c.rect(left, top, width, height);
    c.clip();
    c.strokeStyle = c.fillStyle = style("--ink");
    c.lineWidth = ratio;
    c.textAlign = "left";
    c.setLineDash([6 * ratio, 4 * ratio]);
    c.font = `${11 * ratio}px sans-serif`;
    const line = (x0, y0, x1, y1, label) => {
      c.beginPath();
      c.moveTo(x0, y0);
      c.lineTo(x1, y1);
      c.stroke();
      if (label) c.fillText(label, Math.min(x0, x1) + 4 * ratio, Math.min(y0, y1) + 14 * ratio);
    };
    let slopes = 0;
    for (const mark of this.marks) {
      if (mark.kind === "horizontal") {
        const y = u.valToPos(mark.at, "y", true);
        line(left, y, left + width, y, mark.label);
      } else if (mark.kind === "vertical") {
        const x = u.valToPos(mark.at, "x", true);
        line(x, top, x, top + height, mark.label);
      } else if (this.x.log && this.y.log) {
        this.slope(u, mark.order, slopes++);
      }
    }
    c.restore();
  }

  /** A triangle of a slope in the corner that the curves leave free. */
  slope(u, order, place) {
    const c = u.ctx;
    const { left, top, width, height } = u.bbox;
    const decade = (scale, length) => length / Math.log10(u.scales[scale].max / u.scales[scale].min);
    const run = 0.13 * width;
    const rise = run / decade("x", width) * Math.abs(order) * decade("y", height);
    const fit = Math.min(1, 0.4 * height / rise);
    const [w, h] = [run * fit, rise * fit];
    // Curves that rise leave the upper left free, unless one of them does not rise.
    const rises = order > 0;
    const taken = this.series.some((s) => Array.from(s.x).some((x, i) => {
      const [a, b] = [(u.valToPos(x, "x", true) - left) / width, (u.valToPos(s.y[i], "y", true) - top) / height];
      return b < 0.25 && (rises ? a < 0.5 : a > 0.5);
    }));
    const y = top + (taken ? 0.94 * height - h : 0.06 * height);
    const x = left + (rises !== taken ? 0.04 + 0.16 * place : 0.82 - 0.16 * place) * width;
    c.setLineDash([]);
    c.beginPath();
    if (order > 0) [[x, y + h], [x + w, y + h], [x + w, y]].forEach(([a, b], i) => (i ? c.lineTo(a, b) : c.moveTo(a, b)));
    else [[x, y], [x, y + h], [x + w, y + h]].forEach(([a, b], i) => (i ? c.lineTo(a, b) : c.moveTo(a, b)));
    c.closePath();
    c.stroke();
    c.fillText(String(Number(order.toFixed(2))), order > 0 ? x + w + 4 : x + w / 2, order > 0 ? y + h / 2 : y + h / 2);
  }

  fillTable() {
    if (!this.table.open) return;
    this.table.querySelector(".scroll")?.remove();
    const data = this.data();
    const step = Math.ceil(data[0].length / 200);
    // Where curves have points at times of their own, the nearest one stands.
    const value = (k, i) => data[k][data[k][i] === undefined ? nearest(data, k, i) : i];
    const rows = data[0].map((x, i) => [brief(x, 6), ...this.series.map((_, k) => brief(value(k + 1, i), 6))]);
    this.table.append(tableOf([this.x.label, ...this.series.map((s) => s.label)], rows.filter((_, i) => i % step === 0)));
  }
}

/** All figures, to be drawn again where the colours change. */
const charts = [];
