// Figures of a case: any column of its runs, their errors, and the figures of its studies.

/** What can stand in a panel: { name, y: axis, series of a run }. */
function quantities(data) {
  const label = (run) => (run.fineness ? `${run.scheme}, ${run.fineness}` : run.scheme);
  // Schemes have colours, their steps dashes; the finest is solid, and in a crowd it is shown alone.
  const schemes = [...new Set(data.runs.map((run) => run.scheme))];
  const finer = (run) => data.runs.filter((other) => other.scheme === run.scheme && other.order < run.order).length;
  const all = [];
  const add = (name, unit, log, of, about, exact) => {
    const series = data.runs.map((run) => {
      const points = of(run);
      return points && { label: label(run), x: points[0], y: points[1], waits: finer(run) > 0, look: look(schemes.indexOf(run.scheme), finer(run)) };
    }).filter((s) => s && Array.from(s.y).some(Number.isFinite));
    if (series.length && data.exact && exact) {
      const { t, count } = data.exact;
      series.push({ label: "exact motion", x: t.slice(0, count), y: Array.from({ length: count }, (_, k) => exact(data.exact, k)), look: { stroke: () => style("--ink"), dash: [3, 5] } });
    }
    if (series.length) all.push({ name, about, y: { label: unit ? `${name} [${unit}]` : name, log }, series });
  };
  add(data.whole ? "Attitude error" : "Axis error", data.whole ? "rad" : "", true, (r) => r.errors && [r.motion.t, r.errors[0]]);
  add("Rate error", "rad/s", true, (r) => r.errors && [r.motion.t, r.errors[1]]);
  data.columns.forEach((column, i) => add(column.label, column.unit, false, (r) => r.columns[i], column.about, data.exact?.hasRate && column.rate !== null ? (m, k) => m.rate(k)[column.rate] : null));
  if (data.whole) {
    const along = (of) => ({ motion }) => motion && [motion.t.slice(0, motion.count), Array.from({ length: motion.count }, (_, i) => of(motion, i))];
    const third = (row) => (motion, i) => turn(motion.attitude(i), [0, 0, 1])[row];
    ["R13", "R23", "R33"].forEach((name, row) => add(name, "", false, along(third(row)),
      `${name}: ${["x", "y", "z"][row]} component of the body's third axis in space`, third(row)));
    // Histories of others have no columns of ours.
    const rate = (k) => (motion, i) => motion.rate(i)[k];
    if (!data.columns.length && data.runs.some((run) => run.motion?.hasRate)) {
      [0, 1, 2].forEach((k) => add(`W${k + 1}`, "rad/s", false, along(rate(k)), `W${k + 1}: angular velocity, body frame`, rate(k)));
    }
  }
  return all;
}

/** Reads the arrays of a case, once. */
function opened(data) {
  if (data.open) return data;
  data.runs.forEach((run) => {
    run.t = numbers(run.t);
    run.columns = run.columns.map(({ t, y }) => [t ? numbers(t) : run.t, numbers(y)]);
    run.errors = run.errors && run.errors.map(numbers);
    run.motion = run.motion && Motion.read(run.motion);
  });
  data.exact = data.exact && Motion.read(data.exact);
  for (const run of data.runs) if (run.motion && data.whole) run.motion.carrier = data.exact;
  data.open = true;
  return data;
}

/** Panels in which any quantity can be chosen; the first ones show errors and what is kept. */
function panels(place, data, clock) {
  const all = quantities(data);
  if (!all.length) return;
  // Where a free body turns over, its rate about the axis of its spin changes sign.
  const rate = data.body?.rate?.map(Math.abs) ?? [];
  const spin = data.body?.free && !data.body.lever ? `W${rate.indexOf(Math.max(...rate)) + 1}` : "";
  const first = ["Attitude error", "Axis error", spin, "H − H(0)", "H", "R33"].map((name) => all.findIndex((q) => q.name === name));
  let shown = [...new Set(first.filter((i) => i >= 0))];
  for (let i = 0; shown.length < 3 && i < all.length; i++) if (!shown.includes(i)) shown.push(i);
  const row = make("div", { class: "grid" });
  place.append(make("h3", {}, "Against time"), row);
  for (const i of shown.slice(0, 4)) {
    const holder = make("div", {});
    row.append(holder);
    const described = (k) => ({ title: all[k].about || all[k].name, y: all[k].y, series: all[k].series });
    let chart;
    holder.append(choice("Show", all.map((q) => q.y.label), i, (k) => chart.show(described(k))));
    chart = new Chart(holder, { ...described(i), x: { label: "t [s]" }, clock });
  }
  if (data.runs.length > CROWD) {
    place.append(make("p", { class: "hint" }, "The finest step of each scheme is shown; a click on a name shows or hides its curve."));
  }
  const dense = data.runs.some((r) => r.rows > Math.max(r.t.length, r.motion?.count ?? 0));
  if (dense) {
    place.append(make("p", { class: "hint" },
      "Long histories are thinned here: smooth ones to rows between which lines are within half a pixel, others to their smallest and largest numbers. The CSV files have every row."));
  }
}

/** A title without that of the case, which stands above. */
const without = (title, of) => (title.startsWith(of) ? title.slice(of.length).replace(/^[\s:·,]+/, "") : title);
function untitled(title, of) {
  const named = without(title, of);
  return named ? named[0].toUpperCase() + named.slice(1) : title;
}

/** Figures of studies. */
function figures(place, plots, of) {
  if (!plots.length) return;
  const row = make("div", { class: "grid" });
  place.append(make("h3", {}, "Studies"), row);
  for (const plot of plots) {
    const series = plot.series.map((s) => ({ ...s, x: numbers(s.x), y: numbers(s.y) }));
    // The title of the case stands above.
    new Chart(row, { title: untitled(plot.title, of), x: plot.x, y: plot.y, series, marks: plot.marks, height: 340 });
  }
}
