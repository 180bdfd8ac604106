// Drawing a body on a canvas: everything is a piece with a depth, and the farthest is painted first.

class Scene {
  constructor(canvas) {
    this.canvas = canvas;
    this.yaw = -0.6;
    this.pitch = 0.35;
    this.zoom = 1;
  }

  /** Begins a picture; the size follows that of the element. */
  begin() {
    const scale = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    const [w, h] = [Math.round(clientWidth * scale), Math.round(clientHeight * scale)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    this.context = this.canvas.getContext("2d");
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.context.clearRect(0, 0, clientWidth, clientHeight);
    this.centre = [clientWidth / 2, clientHeight / 2];
    this.unit = 0.39 * this.zoom * Math.min(clientWidth, clientHeight);
    this.pieces = [];
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    // To the right, up, and towards the eye.
    this.right = [cy, sy, 0];
    this.up = [-sy * sp, cy * sp, cp];
    this.eye = cross(this.right, this.up);
  }

  /** Where a point of space is on the canvas, and how near. */
  see(p) {
    const depth = dot(p, this.eye);
    const s = this.unit / (1 - 0.12 * depth);
    return [this.centre[0] + s * dot(p, this.right), this.centre[1] - s * dot(p, this.up), depth];
  }

  add(depth, draw) { this.pieces.push({ depth, draw }); }

  line(points, colour, width = 1, alpha = 1, dashed = []) {
    const seen = points.map((p) => this.see(p));
    const depth = seen.reduce((sum, p) => sum + p[2], 0) / seen.length;
    this.add(depth, (c) => {
      c.globalAlpha = alpha;
      c.strokeStyle = colour;
      c.lineWidth = width;
      c.setLineDash(dashed);
      c.beginPath();
      seen.forEach((p, i) => (i ? c.lineTo(p[0], p[1]) : c.moveTo(p[0], p[1])));
      c.stroke();
    });
  }

  /** A path in pieces, so that each is before or behind the body. */
  path(points, colour, width, alpha) {
    const part = Math.max(1, Math.ceil(points.length / 150));
    for (let i = 0; i + 1 < points.length; i += part) {
      const piece = points.slice(i, i + part + 1);
      const behind = dot(piece[0], this.eye) < 0;
      this.line(piece, colour, width, behind ? alpha * 0.4 : alpha);
    }
  }

  /** An arrow from the middle; its name stands beyond the tip, or beside it. */
  arrow(vector, colour, label, beside) {
    const length = size(vector);
    if (!(length > 1e-9)) return;
    this.line([[0, 0, 0], vector], colour, 2.5);
    const [x, y, depth] = this.see(vector);
    const from = this.see(times3(vector, 0.9));
    const angle = Math.atan2(y - from[1], x - from[0]);
    this.add(depth + 0.01, (c) => {
      c.globalAlpha = 1;
      c.fillStyle = colour;
      c.beginPath();
      c.moveTo(x + 4 * Math.cos(angle), y + 4 * Math.sin(angle));
      for (const turned of [2.6, -2.6]) c.lineTo(x + 9 * Math.cos(angle + turned), y + 9 * Math.sin(angle + turned));
      c.fill();
      const [away, off] = beside ? [14, angle + Math.PI / 2] : [17, angle];
      c.font = "italic 15px sans-serif";
      c.textAlign = "center";
      c.textBaseline = "middle";
      c.fillText(label, x + away * Math.cos(off), y + away * Math.sin(off));
      c.textAlign = "start";
      c.textBaseline = "alphabetic";
    });
  }

  /** A text at a place of space. */
  write(p, text, colour) {
    const [x, y, depth] = this.see(p);
    this.add(depth + 0.01, (c) => {
      c.globalAlpha = 1;
      c.fillStyle = colour;
      c.font = "bold 12px sans-serif";
      c.textAlign = "center";
      c.textBaseline = "middle";
      c.fillText(text, x, y);
      c.textAlign = "start";
      c.textBaseline = "alphabetic";
    });
  }

  /** A body: filled, or as a ghost its edges only. */
  body(shape, q, ghost) {
    const tones = ghost ? [] : [style("--body-a"), style("--body-b"), style("--body-c")];
    const ink = style("--ink");
    for (const { points, tone } of shape.faces) {
      const turned = points.map((p) => turn(q, p));
      const normal = unit(cross(minus(turned[1], turned[0]), minus(turned[2], turned[0])));
      const seen = turned.map((p) => this.see(p));
      const depth = seen.reduce((sum, p) => sum + p[2], 0) / seen.length;
      const light = 0.55 + 0.45 * Math.abs(dot(normal, unit([0.3, -0.5, 0.8])));
      this.add(depth, (c) => {
        c.beginPath();
        seen.forEach((p, i) => (i ? c.lineTo(p[0], p[1]) : c.moveTo(p[0], p[1])));
        c.closePath();
        c.setLineDash(ghost ? [3, 3] : []);
        c.lineWidth = ghost ? 0.7 : 0.6;
        c.strokeStyle = ink;
        c.globalAlpha = ghost ? 0.45 : 1;
        if (!ghost) {
          c.fillStyle = tones[tone];
          c.fill();
          c.globalAlpha = 1 - light;
          c.fillStyle = "#000";
          c.fill();
          c.globalAlpha = 0.35;
        }
        c.stroke();
      });
    }
    if (shape.rod) this.line([[0, 0, 0], turn(q, shape.rod)], ghost ? ink : style("--body-b"), ghost ? 1 : 5, ghost ? 0.4 : 1);
  }

  /** The unit sphere, faint: its outline and its equator. */
  sphere(colour) {
    const [x, y] = this.centre;
    this.add(-9, (c) => {
      c.globalAlpha = 0.5;
      c.strokeStyle = colour;
      c.lineWidth = 1;
      c.setLineDash([]);
      c.beginPath();
      c.arc(x, y, this.unit, 0, 2 * Math.PI);
      c.stroke();
    });
    const ring = Array.from({ length: 73 }, (_, i) => [Math.cos(i * Math.PI / 36), Math.sin(i * Math.PI / 36), 0]);
    this.path(ring, colour, 1, 0.5);
  }

  end() {
    this.pieces.sort((a, b) => a.depth - b.depth);
    for (const piece of this.pieces) piece.draw(this.context);
    this.context.globalAlpha = 1;
    this.context.setLineDash([]);
  }
}

/** The ellipsoid of one energy in the space of body rates, the path of the rate on it, and where it is now. */
function polhode(scene, body, motion, t) {
  const inside = (w) => body.axes.map((axis) => dot(axis, w));
  const first = inside(motion.rate(0));
  const twice = first.reduce((sum, w, k) => sum + body.moments[k] * w * w, 0);
  const half = body.moments.map((m) => Math.sqrt(twice / m));
  const most = Math.max(...half);
  const place = (v) => v.map((x) => x / most);
  scene.begin();
  const ink = style("--ink");
  for (let k = 0; k < 3; k++) {
    const ring = Array.from({ length: 61 }, (_, i) => {
      const v = [0, 0, 0];
      v[(k + 1) % 3] = half[(k + 1) % 3] * Math.cos(i * Math.PI / 30);
      v[(k + 2) % 3] = half[(k + 2) % 3] * Math.sin(i * Math.PI / 30);
      return place(v);
    });
    scene.path(ring, ink, 1, 0.35);
    const end = [0, 0, 0];
    end[k] = half[k] / most * 1.15;
    const colour = style(["--axis-a", "--axis-b", "--axis-c"][k]);
    scene.line([[0, 0, 0], end], colour, 1.2, 0.8);
    scene.write(times3(end, 1 + 0.1 / size(end)), String(k + 1), colour);
  }
  const path = [];
  const count = Math.max(motion.count, 900);
  for (let i = 0; i < count; i++) {
    path.push(place(inside(motion.rateAt(motion.start + (motion.end - motion.start) * i / (count - 1), 4))));
  }
  scene.path(path, style("--omega"), 1.6, 0.9);
  const now = scene.see(place(inside(motion.rateAt(t))));
  scene.add(9, (c) => {
    c.globalAlpha = 1;
    c.fillStyle = style("--omega");
    c.beginPath();
    c.arc(now[0], now[1], 4.5, 0, 2 * Math.PI);
    c.fill();
  });
  scene.end();
}
