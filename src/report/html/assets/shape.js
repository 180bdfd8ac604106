// What a body looks like in its own frame: faces, and the axis whose path is shown. All follows from its numbers.

/** Six faces of a box: its centre, half its sides, its axes. */
function box(centre, half, axes) {
  const corner = (a, b, c) => plus(centre, plus(times3(axes[0], a * half[0]),
    plus(times3(axes[1], b * half[1]), times3(axes[2], c * half[2]))));
  const faces = [];
  for (let k = 0; k < 3; k++) {
    for (const side of [1, -1]) {
      const around = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([a, b]) => {
        const s = [0, 0, 0];
        s[k] = side;
        s[(k + 1) % 3] = a * side;
        s[(k + 2) % 3] = b;
        return corner(...s);
      });
      faces.push({ points: around, tone: k });
    }
  }
  return faces;
}

/** A round body about an axis: half its length and its radius at either end; the rim has marks that show the spin. */
function round(centre, axis, half, radii) {
  const count = 24;
  const other = Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const u = unit(cross(axis, other));
  const v = cross(axis, u);
  const rim = (side, radius) => Array.from({ length: count }, (_, i) => {
    const a = 2 * Math.PI * i / count;
    return plus(plus(centre, times3(axis, side * half)),
      plus(times3(u, radius * Math.cos(a)), times3(v, radius * Math.sin(a))));
  });
  const low = rim(-1, radii[0]), high = rim(1, radii[1]);
  const faces = [];
  const sector = count / 4;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    faces.push({ points: [low[i], low[j], high[j], high[i]], tone: Math.floor(i / sector) % 2 });
  }
  // The lids in quarters, so that the spin is seen.
  for (let k = 0; k < 4; k++) {
    const part = (all) => Array.from({ length: sector + 1 }, (_, i) => all[(k * sector + i) % count]);
    faces.push({ points: [plus(centre, times3(axis, half)), ...part(high)], tone: k % 2 });
    faces.push({ points: [plus(centre, times3(axis, -half)), ...part(low).reverse()], tone: k % 2 });
  }
  return faces;
}

/** Half the sides of the box with these principal moments; a side that no box has is thin. */
function sides(moments) {
  const [a, b, c] = moments;
  const squares = [b + c - a, c + a - b, a + b - c];
  const most = Math.sqrt(Math.max(...squares, 1e-300));
  return squares.map((s) => Math.max(Math.sqrt(Math.max(s, 0)) / most, 0.06));
}

/** The index of the moment that is neither the smallest nor the largest. */
function middle(moments) {
  return [0, 1, 2].sort((i, j) => moments[i] - moments[j])[1];
}

const SHAPES = ["box", "T-handle", "disc"];

/** The shape that fits a body: an index of SHAPES. */
function fitting(body) {
  if (!body) return 2;
  const [a, b, c] = body.moments;
  const near = (x, y) => Math.abs(x - y) < 0.01 * Math.max(x, y);
  if (body.lever) {
    const k = body.axes.findIndex((axis) => size(cross(axis, unit(body.lever))) < 1e-6);
    return k >= 0 && near(body.moments[(k + 1) % 3], body.moments[(k + 2) % 3]) ? 2 : 0;
  }
  // Spun about the middle axis, and no flat plate: it is going to turn over.
  const k = middle(body.moments);
  const along = Math.abs(dot(body.axes[k], unit(body.rate)));
  const sorted = [a, b, c].sort((x, y) => x - y);
  const flips = !near(sorted[0], sorted[1]) && !near(sorted[1], sorted[2]);
  return body.free && flips && along > 0.9 && sorted[2] < 0.9 * (sorted[0] + sorted[1]) ? 1 : 0;
}

/** Faces of a body in a shape, within the unit sphere, the rod from the fixed point, and the axis that is followed. */
function shapeOf(body, kind) {
  if (!body) return { faces: round([0, 0, 0], [0, 0, 1], 0.12, [0.6, 0.6]), rod: null, axis: [0, 0, 1] };
  const { moments, axes, lever } = body;
  if (lever) {
    const arm = unit(lever);
    const centre = times3(arm, 0.72);
    const k = axes.map((axis) => Math.abs(dot(axis, arm))).reduce((best, x, i, all) => x > all[best] ? i : best, 0);
    const across = Math.max(moments[(k + 1) % 3], moments[(k + 2) % 3]);
    const radius = Math.min(0.62, Math.max(0.2, 0.72 * Math.sqrt(2 * moments[k] / across)));
    const faces = kind === 2
      ? round(centre, arm, 0.09, [radius, radius])
      : box(centre, sides(moments).map((s) => 0.4 * s), axes);
    return { faces, rod: centre, axis: arm };
  }
  if (kind === 1) {
    const order = [0, 1, 2].sort((i, j) => moments[i] - moments[j]);
    const [bar, stem] = [axes[order[0]], axes[order[1]]];
    const faces = [
      ...round(times3(stem, -0.1), bar, 0.5, [0.11, 0.11]),
      ...round(times3(stem, 0.33), stem, 0.36, [0.1, 0.1]),
    ];
    return { faces, rod: null, axis: stem };
  }
  const k = middle(moments);
  if (kind === 2) return { faces: round([0, 0, 0], axes[2], 0.12, [0.6, 0.6]), rod: null, axis: axes[2] };
  const half = sides(moments);
  const scale = 0.72 / Math.hypot(...half);
  return { faces: box([0, 0, 0], half.map((s) => s * scale), axes), rod: null, axis: axes[k] };
}
