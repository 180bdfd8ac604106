// What the page does when it is opened: filters, sorting, and each case when it is shown.

/** Rows of the table of checks: filters above it, sorting by its heads. */
function checks(section) {
  const table = section.querySelector("table.checks");
  const rows = Array.from(table.tBodies[0].rows);
  const wanted = { text: "", verdict: "", scheme: "", case: "" };
  const bar = section.querySelector(".filters");
  const count = make("output", {});
  const apply = () => {
    let shown = 0;
    for (const row of rows) {
      const { verdict, schemes } = row.dataset;
      const fits = (!wanted.text || row.textContent.replaceAll("\u00a0", " ").toLowerCase().includes(wanted.text)) &&
        (!wanted.verdict || verdict === wanted.verdict) &&
        (!wanted.scheme || schemes.split(" ").includes(wanted.scheme)) &&
        (!wanted.case || row.dataset.case === wanted.case);
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} of ${rows.length} checks`;
  };
  const text = make("input", { type: "search", placeholder: "any text", oninput: () => { wanted.text = text.value.toLowerCase(); apply(); } });
  bar.append(make("label", {}, "Filter ", text));
  for (const [key, of] of [["verdict", (r) => [r.dataset.verdict]], ["case", (r) => [r.dataset.case]], ["scheme", (r) => r.dataset.schemes.split(" ")]]) {
    const names = [...new Set(rows.flatMap(of))].filter(Boolean).sort();
    if (names.length < 2) continue;
    const label = choice(key[0].toUpperCase() + key.slice(1), ["all", ...names], 0, (i) => { wanted[key] = i ? names[i - 1] : ""; apply(); });
    label.querySelector("select").dataset.filter = key;
    bar.append(label);
  }
  bar.append(count);
  bar.hidden = false;
  apply();
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const name = head.textContent;
    head.replaceChildren(make("button", { type: "button", onclick: () => sort(head, column) }, name));
  });
  const key = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
  const sort = (head, column) => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const numeric = rows.some((row) => row.cells[column].dataset.sort !== undefined);
    const order = (a, b) => {
      const [x, y] = [key(a, column), key(b, column)];
      if (!numeric) return x.localeCompare(y);
      if (x === "" || y === "") return (x === "") - (y === "");
      return Number(x) - Number(y);
    };
    rows.sort((a, b) => (up ? 1 : -1) * order(a, b));
    table.tBodies[0].append(...rows);
  };
}

/** Draws what a case has to show, once, when it is open. */
function live(section) {
  const place = section.querySelector("[data-live]");
  if (!section.open || !place || place.dataset.drawn) return;
  place.dataset.drawn = "yes";
  place.hidden = false;
  const at = liveSections.indexOf(section);
  const data = opened(page.cases[at]);
  const stage = place.querySelector(".stage");
  const moving = stage && new Stage(stage, data);
  const clock = moving?.clock;
  if (stage) {
    panels(place.querySelector(".panels"), data, clock);
    new Drop(place.querySelector(".drop"), data, moving);
  }
  figures(place.querySelector(".figures"), [...data.plots, ...times[at]], data.title);
  for (const map of data.maps) new EscapeMap(place.querySelector(".maps"), map, data.name, data.title);
  clock?.set(clock.start);
  // The figures of files show the same.
  if (place.querySelector("canvas")) section.querySelectorAll("details.stills").forEach((d) => { d.open = false; });
}

const liveSections = Array.from(document.querySelectorAll("details.case"));
for (const section of liveSections) {
  section.addEventListener("toggle", () => live(section));
  live(section);
}
const table = element("checks");
if (table) checks(table);

/** A link to a case opens it. */
function follow() {
  const target = element(decodeURIComponent(location.hash.slice(1)));
  const section = target?.closest("details.case");
  if (!section) return;
  section.open = true;
  live(section);
  target.scrollIntoView();
}
addEventListener("hashchange", follow);
follow();

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  charts.forEach((chart) => chart.u.redraw());
});
// On paper nothing can be opened.
let closed = [];
addEventListener("beforeprint", () => {
  closed = Array.from(document.querySelectorAll("details.case, details.stills, details.study")).filter((d) => !d.open);
  for (const d of closed) d.open = true;
  for (const section of liveSections) if (!section.querySelector("details.stills")) live(section);
});
addEventListener("afterprint", () => { for (const d of closed) d.open = false; });
// A file that misses its target must not replace the page.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (e) => e.preventDefault());
