// A history of somebody else, compared here with the exact motion; it leaves this machine for nowhere.

const ANGLES = { rad: 1, deg: Math.PI / 180, "°": Math.PI / 180 };
const UNITS = { s: 1, ms: 1e-3, min: 60, ...ANGLES, "rad/s": 1, "deg/s": Math.PI / 180, "°/s": Math.PI / 180, rpm: Math.PI / 30 };

/** More rows than this are compared at evenly spread ones, as `topsim judge` does. */
const MOST_ROWS = 100000;

/** Times, attitudes and rates of a CSV text; `ended` says why reading stopped early. */
function readHistory(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  // Names may stand behind a #; other lines that begin so are remarks.
  const first = lines.findIndex((line) => /^[\s#"]*[A-Za-z]/.test(line) && /(^|[\s#",;])t\s*("|[[(,;\t]|$)/.test(line));
  if (first < 0) throw new Error(lines.length ? `There is no line of names with a column t. The first line is: ${lines[0].slice(0, 80)}` : "The file is empty.");
  const between = [",", ";", "\t"].reduce((best, c) => (lines[first].split(c).length > lines[first].split(best).length ? c : best));
  const cells = (line) => line.split(between);
  const heads = cells(lines[first].replace(/^[\s#]+/, "")).map((h) => h.trim().replace(/^"|"$/g, ""));
  const names = heads.map((h) => h.replace(/[[(].*$/, "").trim());
  const factors = heads.map((h) => {
    const unit = (h.match(/[[(]([^,\])]*)/) ?? [])[1]?.trim();
    return unit ? UNITS[unit] : 1;
  });
  const data = lines.slice(first + 1).filter((line) => !line.trimStart().startsWith("#"));
  if (!data.length) throw new Error("The file has no rows.");
  const all = (wanted) => {
    const at = wanted.map((name) => names.indexOf(name));
    if (at.some((i) => i < 0)) return null;
    const unknown = at.find((i) => factors[i] === undefined);
    if (unknown !== undefined) throw new Error(`The unit of ${heads[unknown]} is not known here; \`topsim judge\` knows more.`);
    return (row) => at.map((i) => (row[i]?.trim() ? Number(row[i]) * factors[i] : NaN));
  };
  const time = all(["t"]);
  if (!time) throw new Error(`There is no column t; there are ${names.join(", ").slice(0, 200)}.`);
  const matrix = all(["R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33"]);
  const quaternion = all(["qw", "qx", "qy", "qz"]);
  if (!matrix && !quaternion) throw new Error("The file has neither R11 … R33 nor qw, qx, qy, qz. `topsim judge` reads more kinds.");
  const body = all(["W1", "W2", "W3"]);
  const space = all(["omega_x", "omega_y", "omega_z"]);
  const rows = [];
  let ended = "";
  const every = Math.max(1, Math.ceil(data.length / MOST_ROWS));
  let last = -Infinity;
  for (let i = 0; i < data.length; i += every) {
    const row = cells(data[i]);
    const [t] = time(row);
    const q = matrix ? ofMatrix(matrix(row)) : normal(quaternion(row));
    const rate = body ? body(row) : space ? turn(conjugate(q), space(row)) : null;
    if (!Number.isFinite(t) || !q.every(Number.isFinite) || !(rate ?? []).every(Number.isFinite)) {
      ended = `row ${i} has something that is no number: it and what follows are not used`;
      break;
    }
    if (!(t > last)) {
      ended = `the time of row ${i} is not after that of the row before: it and what follows are not used`;
      break;
    }
    last = t;
    rows.push({ t, q, rate });
  }
  return { rows, ended, of: data.length };
}

/** Errors of rows against the exact motion, within its span. */
function compared({ rows, ended, of }, exact) {
  const near = 1e-9 * (exact.end - exact.start);
  const inside = rows.filter((r) => r.t >= exact.start - near && r.t <= exact.end + near);
  let between = false;
  // The worst errors where the attitude were the other way round.
  let other = 0;
  const errors = inside.map(({ t, q, rate }) => {
    const i = exact.rowAt(t);
    if (i < 0) between = true;
    const carried = i < 0 ? exact.at(t) : exact.attitude(i);
    const attitude = angleBetween(carried, q);
    other = Math.max(other, angleBetween(carried, conjugate(q)));
    const truth = i < 0 ? exact.rateAt(t, 6) : exact.rate(i);
    return { t, q, body: rate, attitude, rate: rate && exact.hasRate ? size(minus(rate, truth)) : NaN };
  });
  return { errors, ended, of, other, skipped: rows.length - inside.length, sure: between ? exact.interpolation() : 1e-15 };
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
      " It is compared with the exact motion in this page and goes nowhere.", this.waiting = make("strong", {}));
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
    this.busy(true);
    // What is said is seen before a long file is read.
    await new Promise((done) => setTimeout(done, 30));
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
    this.busy(false);
    const names = { attitude: ["Attitude error", "rad"], rate: ["Rate error", "rad/s"] };
    for (const of of ["attitude", "rate"]) {
      if (!series[of].length) continue;
      const [title, unit] = names[of];
      new Chart(this.charts, {
        title, x: { label: "t [s]" }, y: { label: `${title} [${unit}]`, log: true }, series: series[of], clock: this.stage.clock,
      });
    }
  }

  busy(on) { this.waiting.textContent = on ? " Reading …" : ""; }

  tell(name, { errors, ended, of, other, skipped, sure }) {
    const note = (text) => this.said.append(make("p", { class: "note" }, text));
    if (!errors.length) {
      note(`${name}: ${ended || "no row lies within the span of the exact motion"}.`);
      return;
    }
    const attitude = largest(errors, "attitude"), rate = largest(errors, "rate");
    const words = [`${name}: attitude error at most ${brief(attitude.attitude, 6)} rad, at t = ${brief(attitude.t, 5)} s`];
    if (Number.isFinite(rate.rate)) words.push(`; rate error at most ${brief(rate.rate, 6)} rad/s, at t = ${brief(rate.t, 5)} s`);
    words.push(`; ${errors.length} ${errors.length + skipped < of && !ended ? `evenly spread rows of ${of}` : "rows"} compared`);
    if (skipped) words.push(`, ${skipped} outside the span of the exact motion`);
    words.push(".");
    if (sure > 1e-12) words.push(` The page knows the exact motion between its own times to about ${brief(sure, 2)} rad.`);
    const line = make("p", {}, ...words);
    line.dataset.attitude = attitude.attitude;
    line.dataset.rate = rate.rate;
    this.said.append(line);
    if (ended) note(`${name}: ${ended}.`);
    const advice = `\`topsim judge ${this.data.name} --history ${name}\` tells.`;
    if (attitude.attitude > 0.01 && other < 0.1 * attitude.attitude) {
      note(`With the attitude the other way round (the transposed matrix, the conjugated quaternion) the error is at most ${brief(other)} rad: ` +
        `the columns must take components in the body to components in space. ${advice}`);
    } else if (errors[0].attitude > 0.01) {
      note(`The first row is already ${brief(errors[0].attitude)} rad off: another order of the quaternion, or another start? ${advice}`);
    }
  }
}
