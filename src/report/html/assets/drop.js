// A history of somebody else, compared here with the exact motion; it leaves this machine for nowhere.

const ANGLES = { rad: 1, deg: Math.PI / 180, "°": Math.PI / 180 };
const UNITS = { s: 1, ms: 1e-3, min: 60, ...ANGLES, "rad/s": 1, "deg/s": Math.PI / 180, "°/s": Math.PI / 180, rpm: Math.PI / 30 };

/** Times, attitudes and rates of a CSV text. */
function readHistory(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() && !line.startsWith("#"));
  if (lines.length < 2) throw new Error("The file has no rows.");
  const heads = lines[0].split(",").map((h) => h.trim().replace(/^"|"$/g, ""));
  const names = heads.map((h) => h.replace(/[[(].*$/, "").trim());
  const factor = heads.map((h) => UNITS[(h.match(/[[(]([^,\])]*)/) ?? [])[1]?.trim()] ?? 1);
  const rows = lines.slice(1).map((line) => line.split(",").map((x, i) => Number(x) * (factor[i] ?? 1)));
  const all = (wanted) => {
    const at = wanted.map((name) => names.indexOf(name));
    return at.every((i) => i >= 0) ? (row) => at.map((i) => row[i]) : null;
  };
  const time = all(["t"]);
  if (!time) throw new Error(`The first line has no column t; it has ${names.join(", ")}.`);
  const matrix = all(["R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33"]);
  const quaternion = all(["qw", "qx", "qy", "qz"]);
  if (!matrix && !quaternion) throw new Error("The file has neither R11 … R33 nor qw, qx, qy, qz. `topsim judge` reads more kinds.");
  const body = all(["W1", "W2", "W3"]);
  const space = all(["omega_x", "omega_y", "omega_z"]);
  return rows.map((row) => {
    const q = matrix ? ofMatrix(matrix(row)) : normal(quaternion(row));
    const rate = body ? body(row) : space ? turn(conjugate(q), space(row)) : null;
    return { t: time(row)[0], q, rate };
  });
}

/** Errors of rows against the exact motion, within its span. */
function compared(rows, exact) {
  const near = 1e-9 * (exact.end - exact.start);
  const inside = rows.filter((r) => r.t >= exact.start - near && r.t <= exact.end + near && r.q.every(Number.isFinite));
  let between = false;
  const errors = inside.map(({ t, q, rate }) => {
    const i = exact.rowAt(t);
    if (i < 0) between = true;
    const attitude = angleBetween(i < 0 ? exact.at(t) : exact.attitude(i), q);
    const truth = i < 0 ? exact.rateAt(t, 6) : exact.rate(i);
    return { t, q, body: rate, attitude, rate: rate && exact.hasRate ? size(minus(rate, truth)) : NaN };
  });
  return { errors, skipped: rows.length - inside.length, sure: between ? exact.interpolation() : 1e-15 };
}

const largest = (errors, of) => errors.reduce((worst, e) => (e[of] > worst[of] ? e : worst), errors[0]);

class Drop {
  constructor(place, data, stage) {
    if (!data.exact || !data.whole) return;
    Object.assign(this, { data, stage });
    const file = make("input", { type: "file", accept: ".csv,text/csv", onchange: () => this.read(file.files) });
    this.said = make("div", { class: "said", "aria-live": "polite" });
    this.charts = make("div", { class: "grid" });
    const target = make("div", { class: "target" },
      "Drop a CSV of your own solver here (t, R11 … R33 or qw, qx, qy, qz, and W1, W2, W3), or choose it: ", file,
      " It is compared with the exact motion in this page and goes nowhere.");
    for (const kind of ["dragenter", "dragover"]) {
      target.addEventListener(kind, (e) => { e.preventDefault(); target.classList.add("over"); });
    }
    target.addEventListener("dragleave", () => target.classList.remove("over"));
    target.addEventListener("drop", (e) => {
      e.preventDefault();
      target.classList.remove("over");
      this.read(e.dataTransfer.files);
    });
    place.append(make("h3", {}, "Your own history"), target, this.said, this.charts);
  }

  async read(files) {
    this.said.replaceChildren();
    this.charts.replaceChildren();
    const series = { attitude: [], rate: [] };
    for (const file of files) {
      try {
        const result = compared(readHistory(await file.text()), this.data.exact);
        this.tell(file.name, result);
        if (!result.errors.length) continue;
        const rows = result.errors;
        const x = rows.map((e) => e.t);
        const motion = new Motion(x, Float64Array.from(rows.flatMap((e) => e.q)), Float64Array.from(rows.flatMap((e) => e.body ?? [NaN, NaN, NaN])));
        this.stage.add(file.name, motion, rows.map((e) => e.attitude));
        for (const of of ["attitude", "rate"]) {
          const y = result.errors.map((e) => e[of]);
          if (y.some(Number.isFinite)) series[of].push({ label: file.name, x, y });
        }
      } catch (error) {
        this.said.append(make("p", { class: "note" }, `${file.name}: ${error.message}`));
      }
    }
    const names = { attitude: ["Attitude error", "rad"], rate: ["Rate error", "rad/s"] };
    for (const of of ["attitude", "rate"]) {
      if (!series[of].length) continue;
      const [title, unit] = names[of];
      new Chart(this.charts, {
        title, x: { label: "t [s]" }, y: { label: `${title} [${unit}]`, log: true }, series: series[of], clock: this.stage.clock,
      });
    }
  }

  tell(name, { errors, skipped, sure }) {
    if (!errors.length) {
      this.said.append(make("p", { class: "note" }, `${name}: no row lies within the span of the exact motion.`));
      return;
    }
    const attitude = largest(errors, "attitude"), rate = largest(errors, "rate");
    const words = [`${name}: attitude error at most ${brief(attitude.attitude, 6)} rad, at t = ${brief(attitude.t, 5)} s`];
    if (Number.isFinite(rate.rate)) words.push(`; rate error at most ${brief(rate.rate, 6)} rad/s, at t = ${brief(rate.t, 5)} s`);
    words.push(`; ${errors.length} rows compared`);
    if (skipped) words.push(`, ${skipped} left out`);
    words.push(".");
    if (sure > 1e-12) words.push(` The page knows the exact motion between its own times to about ${brief(sure, 2)} rad.`);
    const line = make("p", {}, ...words);
    line.dataset.attitude = attitude.attitude;
    line.dataset.rate = rate.rate;
    this.said.append(line);
    if (errors[0].attitude > 0.01) {
      this.said.append(make("p", { class: "note" },
        `Row 0 is already ${brief(errors[0].attitude)} rad off: another order of the quaternion, or the transposed matrix? ` +
        `\`topsim judge ${this.data.name} --history ${name}\` tells.`));
    }
  }
}
