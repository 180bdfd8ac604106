// The data of the page: JSON, in which arrays are base64 of little-endian numbers.

const element = (id) => document.getElementById(id);
const page = JSON.parse(element("topsim-data").textContent);
const times = JSON.parse(element("topsim-times").textContent);

/**
 * The array of a text: "f" for 32-bit numbers or "d" for 64-bit ones, then base64; or of a smallest number, a distance,
 * and "h" with how many of these each number is above it.
 */
function numbers(given) {
  if (Array.isArray(given)) {
    const [low, step, text] = given;
    return Float64Array.from(new Uint16Array(bytesOf(text)), (n) => (n === 65535 ? NaN : low + step * n));
  }
  const bytes = bytesOf(given);
  return given[0] === "d" ? new Float64Array(bytes) : new Float32Array(bytes);
}

function bytesOf(text) {
  const raw = atob(text.slice(1));
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

/** An element with its attributes and what stands in it; texts are never read as markup. */
function make(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
}

/** A number for people, with so many digits. */
function brief(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e5) return String(Number(x.toPrecision(digits)));
  return x.toExponential(Math.max(0, digits - 2));
}

/** A choice among texts; `chosen` is the index of the first one shown. */
function choice(label, names, chosen, changed) {
  const options = names.map((name, i) => make("option", { value: i, selected: i === chosen }, name));
  const select = make("select", { onchange: () => changed(Number(select.value)) }, ...options);
  return make("label", {}, label + " ", select);
}

/** A table of texts: its heads and its rows. */
function tableOf(heads, rows) {
  const cell = (name, text) => make(name, {}, text);
  return make("div", { class: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((h) => cell("th", h)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((x) => cell("td", x)))))));
}

// Okabe and Ito's colours, told apart by the colour-blind; after seven the dash changes.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a00"];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
/** How the i-th of some things looks, and the k-th of its kind. */
const look = (i, k = 0) => ({
  stroke: COLOURS[i % COLOURS.length],
  dash: DASHES[(Math.floor(i / COLOURS.length) + k) % DASHES.length],
});
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
