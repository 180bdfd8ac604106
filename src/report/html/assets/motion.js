// A motion known at some times, and between them: attitudes by Hermite's cubic in the rotation vector from one row to
// the next, rates by Lagrange's polynomial through neighbours.

class Motion {
  /** Of the data of the page. */
  static read({ t, q, w, l }) { return new Motion(numbers(t), numbers(q), numbers(w), l && numbers(l)); }

  /** Times, quaternions one after the other, body rates; momenta in space where they are no R J W. */
  constructor(t, q, w, l) {
    Object.assign(this, { t, q, w, l });
    let count = 0;
    while (count < this.t.length && Number.isFinite(this.q[4 * count])) count++;
    this.count = count;
    this.hasRate = count > 0 && Number.isFinite(this.w[0]);
    this.last = 0;
  }
  get start() { return this.t[0]; }
  get end() { return this.t[Math.max(0, this.count - 1)]; }
  attitude(i) { return Array.from(this.q.subarray(4 * i, 4 * i + 4)); }
  rate(i) { return this.hasRate ? Array.from(this.w.subarray(3 * i, 3 * i + 3)) : [0, 0, 0]; }

  /** The last row at or before a time. */
  before(t) {
    let low = 0, high = this.count - 1;
    const i = this.last;
    if (this.t[i] <= t && (i + 1 >= this.count || t < this.t[i + 1])) return i;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t[middle] <= t) low = middle; else high = middle - 1;
    }
    return (this.last = low);
  }

  /** The turn from one row to another, with as many whole turns as the rate tells. */
  between(i, j) {
    const phi = logarithm(compose(conjugate(this.attitude(i)), this.attitude(j)));
    if (!this.hasRate) return phi;
    const mean = times3(plus(this.rate(i), this.rate(j)), 0.5 * (this.t[j] - this.t[i]));
    const angle = size(phi);
    const axis = angle > 1e-9 ? times3(phi, 1 / angle) : unit(mean);
    const turns = Math.round((dot(mean, axis) - angle) / (2 * Math.PI));
    return times3(axis, angle + 2 * Math.PI * turns);
  }

  /** The turn from the exact motion to a row, as a vector. */
  off(i) {
    this.offs ??= [];
    return (this.offs[i] ??= logarithm(compose(conjugate(this.carrier.at(this.t[i])), this.attitude(i))));
  }

  /** Attitude at a time; rows `stride` apart are used. Near the exact motion the difference from it is interpolated. */
  at(t, stride = 1) {
    let i = this.before(Math.min(Math.max(t, this.start), this.end));
    if (this.carrier && i + 1 < this.count && t > this.t[i]) {
      const [a, b] = [this.off(i), this.off(i + 1)];
      if (size(minus(b, a)) < 0.5 && size(a) < 1.5) {
        const s = (t - this.t[i]) / (this.t[i + 1] - this.t[i]);
        return compose(this.carrier.at(t), exponential(plus(a, times3(minus(b, a), s))));
      }
    }
    i -= i % stride;
    const j = Math.min(i + stride, this.count - 1);
    const from = this.attitude(i);
    const length = this.t[j] - this.t[i];
    if (i === j || !(t > this.t[i])) return from;
    const phi = this.between(i, j);
    const s = Math.min(1, (t - this.t[i]) / length);
    const angle = size(phi);
    if (!this.hasRate || angle > 4) return compose(from, exponential(times3(phi, s)));
    // The derivative of the rotation vector at the end: the inverse of the right tangent map times the rate.
    const end = times3(this.rate(j), length);
    const c = angle < 1e-4 ? 1 / 12 : 1 / (angle * angle) - 1 / (2 * angle * Math.tan(angle / 2));
    const slope = plus(plus(end, times3(cross(phi, end), 0.5)), times3(cross(phi, cross(phi, end)), c));
    const s2 = s * s, s3 = s2 * s;
    const start = times3(this.rate(i), length * (s3 - 2 * s2 + s));
    const vector = plus(plus(start, times3(phi, 3 * s2 - 2 * s3)), times3(slope, s3 - s2));
    return compose(from, exponential(vector));
  }

  /** Body rate at a time, through so many rows. */
  rateAt(t, rows = 2) { return this.through(t, rows, (i) => this.rate(i)); }

  /** The momentum in space of a body that has more than R J W. */
  momentumAt(t) { return this.through(t, 2, (i) => Array.from(this.l.subarray(3 * i, 3 * i + 3))); }

  /** A vector at a time by Lagrange's polynomial through so many rows. */
  through(t, rows, of) {
    const first = Math.max(0, Math.min(this.before(t) - (rows >> 1) + 1, this.count - rows));
    const last = Math.min(first + rows, this.count);
    let sum = [0, 0, 0];
    for (let i = first; i < last; i++) {
      let weight = 1;
      for (let j = first; j < last; j++) {
        if (i !== j) weight *= (t - this.t[j]) / (this.t[i] - this.t[j]);
      }
      sum = plus(sum, times3(of(i), weight));
    }
    return sum;
  }

  /** The row at a time, to rounding; -1 where there is none. */
  rowAt(t) {
    const near = 1e-9 * (this.end - this.start);
    const i = this.before(t);
    if (Math.abs(this.t[i] - t) <= near) return i;
    return i + 1 < this.count && Math.abs(this.t[i + 1] - t) <= near ? i + 1 : -1;
  }

  /** What interpolation between rows costs, rad: of every other row, less by the fourth power of two. */
  interpolation() {
    let worst = 0;
    for (let i = 1; i + 1 < this.count; i += 2) {
      worst = Math.max(worst, angleBetween(this.attitude(i), this.at(this.t[i], 2)));
    }
    return worst / 16;
  }
}
