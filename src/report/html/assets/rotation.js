// Rotations as unit quaternions [w, x, y, z], body to space.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const times3 = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const minus = (a, b) => plus(a, times3(b, -1));
const size = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => times3(a, 1 / (size(a) || 1));
const product = (m, v) => [dot(m.slice(0, 3), v), dot(m.slice(3, 6), v), dot(m.slice(6, 9), v)];

const conjugate = (q) => [q[0], -q[1], -q[2], -q[3]];
const compose = (p, q) => [
  p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
  p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
  p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
  p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
];
const normal = (q) => {
  const s = 1 / Math.hypot(...q);
  return q.map((x) => x * s);
};
/** The vector turned from the body to space. */
const turn = (q, v) => {
  const u = [q[1], q[2], q[3]];
  const t = times3(cross(u, v), 2);
  return plus(plus(v, times3(t, q[0])), cross(u, t));
};
/** The quaternion of a rotation vector. */
const exponential = (v) => {
  const angle = size(v);
  const s = angle < 1e-8 ? 0.5 - angle * angle / 48 : Math.sin(angle / 2) / angle;
  return [Math.cos(angle / 2), v[0] * s, v[1] * s, v[2] * s];
};
/** The shortest rotation vector of a quaternion. */
const logarithm = (q) => {
  const v = [q[1], q[2], q[3]];
  const sine = size(v);
  if (sine < 1e-12) return times3(v, q[0] < 0 ? -2 : 2);
  const angle = 2 * Math.atan2(q[0] < 0 ? -sine : sine, Math.abs(q[0]));
  return times3(v, angle / sine);
};
/** The angle between two attitudes, rad. */
const angleBetween = (p, q) => size(logarithm(compose(conjugate(p), q)));
/** The quaternion of a matrix, row by row. */
const ofMatrix = (m) => {
  const [a, b, c, d, e, f, g, h, i] = m;
  const t = a + e + i;
  if (t > 0) return normal([1 + t, h - f, c - g, d - b]);
  if (a >= e && a >= i) return normal([h - f, 1 + a - e - i, b + d, c + g]);
  if (e >= i) return normal([c - g, b + d, 1 + e - a - i, f + h]);
  return normal([d - b, c + g, f + h, 1 + i - a - e]);
};
