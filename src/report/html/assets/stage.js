// The body in motion: two runs side by side, the exact motion as a ghost, and a clock that figures follow.

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 50, 100, 1000, 10000];

/** A time that runs, and who follows it. */
class Clock {
  constructor(start, end) {
    Object.assign(this, { start, end, t: start, followers: [], playing: false, speed: 1 });
  }
  follow(act) { this.followers.push(act); }
  set(t) {
    this.t = Math.min(Math.max(t, this.start), this.end);
    for (const act of this.followers) act(this.t);
  }
  play(on) {
    this.playing = on;
    if (!on) return;
    if (this.t >= this.end) this.set(this.start);
    // Those who want little motion see single pictures.
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let last = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      if (!calm || now - last > 700) {
        this.set(this.t + this.speed * (now - last) / 1000);
        last = now;
        if (this.t >= this.end) {
          if (!this.again) return this.stop();
          this.set(this.start);
        }
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
  stop() {
    this.playing = false;
    this.set(this.t);
  }
}

class Stage {
  constructor(place, data) {
    this.data = data;
    this.movers = data.runs.map((run) => ({
      name: run.fineness ? `${run.scheme}, ${run.fineness}` : run.scheme,
      motion: run.motion,
      errors: run.errors?.[0],
    })).filter((m) => m.motion && m.motion.count > 1);
    if (data.exact) this.movers.push({ name: "exact motion", motion: data.exact });
    if (!this.movers.length) return;
    // Whether the momentum is another than R J W.
    this.own = this.movers.some((m) => m.motion.l);
    const ends = this.movers.map((m) => m.motion.end);
    this.clock = new Clock(Math.min(...this.movers.map((m) => m.motion.start)), Math.max(...ends));
    this.kind = fitting(data.body);
    this.shape = shapeOf(data.body, this.kind);
    this.ghost = Boolean(data.exact);
    this.view = { yaw: -0.6, pitch: 0.35, zoom: 1 };
    this.place = place;
    this.build();
    this.clock.follow(() => this.draw());
    this.draw();
  }

  build() {
    const last = this.movers.length - (this.data.exact ? 2 : 1);
    // The coarsest and the finest of the first scheme are most different.
    this.screens = [this.screen(0), this.screen(last > 0 ? last : -1)];
    const play = make("button", { type: "button", class: "play", onclick: () => this.toggle() }, "▶ Play");
    const slider = make("input", {
      type: "range", class: "time", min: this.clock.start, max: this.clock.end, step: "any", value: this.clock.t,
      "aria-label": "time", oninput: () => this.clock.set(Number(slider.value)),
    });
    const told = make("output", {});
    this.clock.follow((t) => {
      slider.value = t;
      told.textContent = `t = ${brief(t, 5)} s`;
      play.textContent = this.clock.playing ? "❚❚ Pause" : "▶ Play";
    });
    const restart = make("button", { type: "button", "aria-label": "back to the start", title: "back to the start", onclick: () => this.clock.set(this.clock.start) }, "|◀");
    const again = make("input", { type: "checkbox", onchange: () => { this.clock.again = again.checked; } });
    const speed = this.speed();
    this.clock.speed = SPEEDS[speed];
    const controls = make("div", { class: "controls" }, play, restart, slider, told,
      choice("Speed", SPEEDS.map((s) => `${s}×`), speed, (i) => { this.clock.speed = SPEEDS[i]; }));
    controls.append(make("label", {}, again, " repeat"));
    if (this.data.exact) {
      const box = make("input", { type: "checkbox", checked: true, onchange: () => { this.ghost = box.checked; this.draw(); } });
      controls.append(make("label", {}, box, " exact motion as ghost"));
    }
    if (this.data.body) {
      controls.append(choice("Shape", SHAPES, this.kind, (k) => {
        this.shape = shapeOf(this.data.body, k);
        for (const { motion } of this.movers) motion.stride = 0;
        this.draw();
      }));
    }
    if (this.place.requestFullscreen) {
      controls.append(make("button", { type: "button", onclick: () => this.large() }, "Full screen"));
    }
    const row = make("div", { class: "screens" }, ...this.screens.map((s) => s.holder));
    const free = this.data.body && this.data.body.free && !this.data.body.lever && this.movers[0].motion.hasRate;
    if (free) {
      const canvas = make("canvas", { class: "polhode", tabindex: 0, role: "img", "aria-label": "path of the angular velocity on the energy ellipsoid" });
      canvas.addEventListener("keydown", (e) => this.key(e));
      this.inset = new Scene(canvas);
      row.append(make("div", { class: "screen" }, make("p", { class: "name" }, "Angular velocity on the energy ellipsoid, body frame"), canvas, make("p", { class: "off" })));
      this.turning(canvas);
    }
    this.place.append(make("h3", {}, "The body in motion"), row, controls, make("p", { class: "hint" },
      make("span", { class: "key l" }, "L"), " angular momentum, ", make("span", { class: "key w" }, "ω"),
      " angular velocity, ", make("span", { class: "key p" }, "line"),
      ` path of ${this.followed()} on the sphere`, ...this.principal(),
      ...(this.data.body?.rotor ? ["; ", make("span", { class: "key l" }, "dashes"), " axis of the rotor"] : []),
      "; x, y, z stay in space. Drag to turn. With a click on a body the keys work: arrows turn, + and − zoom, space plays, comma and full stop go a little back and on, Home to the start."));
  }

  /** The axis whose path is drawn, in words. */
  followed() {
    const k = this.data.body ? this.data.body.axes.findIndex((a) => size(cross(a, this.shape.axis)) < 1e-6) : -1;
    return k >= 0 ? `axis ${k + 1} of the body` : "an axis of the body";
  }

  /** What 1, 2 and 3 stand for. */
  principal() {
    const { body } = this.data;
    if (!body) return [];
    const colours = ["a", "b", "c"];
    const named = body.moments.flatMap((m, k) => [k ? ", " : "", make("span", { class: `key ${colours[k]}` }, String(k + 1))]);
    return ["; ", ...named, ` principal axes of inertia, with moments ${body.moments.map((m) => brief(m)).join(", ")} kg m²`];
  }

  /** All of the screen for those who sit far away; once more, or Escape, ends it. */
  large() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.place.requestFullscreen();
  }

  /** One body with its choice of a run; -1 shows none. */
  screen(chosen) {
    const canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": "the body in motion" });
    const screen = { chosen, scene: new Scene(canvas), canvas };
    const names = ["none", ...this.movers.map((m) => m.name)];
    const run = choice("Run", names, chosen + 1, (i) => { screen.chosen = i - 1; this.draw(); });
    screen.select = run.querySelector("select");
    screen.holder = make("div", { class: "screen" }, run, canvas, screen.off = make("p", { class: "off" }));
    this.turning(canvas);
    canvas.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.draw()).observe(canvas);
    return screen;
  }

  /** Another run, shown on the first screen. */
  add(name, motion, errors) {
    this.movers.push({ name, motion, errors });
    motion.carrier = this.data.exact;
    for (const { select } of this.screens) select.append(make("option", { value: this.movers.length }, name));
    const [first] = this.screens;
    first.chosen = this.movers.length - 1;
    first.select.value = this.movers.length;
    this.draw();
  }

  turning(canvas) {
    canvas.addEventListener("pointerdown", (e) => { canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => {
      if (!canvas.hasPointerCapture(e.pointerId)) return;
      this.turn(-0.01 * e.movementX, 0.01 * e.movementY);
    });
    canvas.addEventListener("wheel", (e) => {
      if (!e.ctrlKey) return;
      e.preventDefault();
      this.magnify(e.deltaY < 0 ? 1.1 : 0.9);
    }, { passive: false });
  }

  turn(yaw, pitch) {
    this.view.yaw += yaw;
    this.view.pitch = Math.min(1.55, Math.max(-1.55, this.view.pitch + pitch));
    this.draw();
  }

  magnify(factor) {
    this.view.zoom = Math.min(4, Math.max(0.4, this.view.zoom * factor));
    this.draw();
  }

  key(e) {
    const acts = {
      ArrowLeft: () => this.turn(-0.1, 0), ArrowRight: () => this.turn(0.1, 0),
      ArrowUp: () => this.turn(0, 0.1), ArrowDown: () => this.turn(0, -0.1),
      ",": () => this.jump(-1), ".": () => this.jump(1), Home: () => this.clock.set(this.clock.start),
      "+": () => this.magnify(1.15), "-": () => this.magnify(0.87), " ": () => this.toggle(),
    };
    if (!acts[e.key]) return;
    e.preventDefault();
    acts[e.key]();
  }

  /** A little on or back: a fifth of a second of the animation. */
  jump(way) {
    this.clock.play(false);
    this.clock.set(this.clock.t + 0.2 * way * this.clock.speed);
  }

  toggle() {
    this.clock.play(!this.clock.playing);
    this.clock.set(this.clock.t);
  }

  /** The fastest rate at the start of any run, rad/s. */
  pace() {
    return Math.max(1e-9, ...this.movers.map((m) => size(m.motion.rate(0))));
  }

  /** A speed at which the body turns about once in four seconds. */
  speed() {
    const span = this.clock.end - this.clock.start;
    const wanted = this.movers.some((m) => m.motion.hasRate) ? Math.max(1.6 / this.pace(), span / 600) : span / 20;
    const off = SPEEDS.map((s) => Math.abs(Math.log(s / wanted)));
    return off.indexOf(Math.min(...off));
  }

  draw() {
    for (const screen of this.screens) this.drawScreen(screen);
    if (this.inset) {
      const mover = this.movers[this.screens[0].chosen] ?? this.movers[0];
      Object.assign(this.inset, this.view);
      polhode(this.inset, this.data.body, mover.motion, this.clock.t);
    }
  }

  drawScreen({ chosen, scene, off, holder }) {
    holder.classList.toggle("unused", chosen < 0);
    const t = this.clock.t;
    Object.assign(scene, this.view);
    scene.begin();
    const mover = this.movers[chosen];
    off.textContent = "";
    if (!mover) return;
    const { motion } = mover;
    const { body, exact } = this.data;
    const q = motion.at(t);
    scene.sphere(style("--line"));
    const space = ["x", "y", "z"];
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((e, k) => {
      scene.line([[0, 0, 0], times3(e, 1.12)], style("--line"), 1);
      const [x, y, depth] = scene.see(times3(e, 1.18));
      scene.add(depth, (c) => { c.globalAlpha = 0.7; c.fillStyle = style("--ink"); c.font = "12px sans-serif"; c.fillText(space[k], x - 3, y + 4); });
    });
    scene.path(this.trail(motion, t), style("--path"), 1.6, 0.95);
    if (this.ghost && exact && mover.motion !== exact) {
      scene.path(this.trail(exact, t), style("--ink"), 0.8, 0.5);
      scene.body(this.shape, exact.at(t), true);
      const angle = mover.errors?.[motion.before(t)];
      off.textContent = Number.isFinite(angle) ? `${brief(angle, 3)} rad from the exact motion` : "";
    }
    scene.body(this.shape, q, false);
    const axes = body ? body.axes : [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    axes.forEach((axis, k) => {
      const colour = style(["--axis-a", "--axis-b", "--axis-c"][k]);
      scene.line([[0, 0, 0], turn(q, times3(axis, 0.95))], colour, 1.6);
      scene.write(turn(q, times3(axis, 1.04)), String(k + 1), colour);
    });
    if (body?.rotor) {
      const axle = turn(q, times3(body.rotor, 0.85));
      scene.line([times3(axle, -1), axle], style("--momentum"), 2, 0.8, [7, 4]);
    }
    if (body && motion.hasRate) {
      const w = motion.rateAt(t);
      // A dropped file does not say what a rotor in the body does.
      const momentum = motion.l ? motion.momentumAt(t) : this.own ? null : turn(q, product(body.inertia, w));
      if (momentum) scene.arrow(times3(unit(momentum), 1.17), style("--momentum"), "L", false);
      scene.arrow(times3(turn(q, w), 1.02 / Math.max(this.pace(), size(w))), style("--omega"), "ω", true);
    }
    scene.end();
  }

  /** The time between points of the path: the followed axis moves little in it. */
  stride(motion) {
    if (!motion.stride) {
      let speed = 1e-9;
      for (let i = 0; i < motion.count; i++) speed = Math.max(speed, size(cross(motion.rate(i), this.shape.axis)));
      motion.stride = Math.min(0.08 / speed, (motion.end - motion.start) / 700);
    }
    return motion.stride;
  }

  /** The path of the followed axis until now. */
  trail(motion, t) {
    const step = this.stride(motion);
    const points = [];
    const from = Math.max(motion.start, t - 700 * step);
    const count = Math.min(700, Math.ceil((Math.min(t, motion.end) - from) / step));
    for (let i = 0; i <= count; i++) {
      const at = from + (Math.min(t, motion.end) - from) * (count ? i / count : 0);
      points.push(turn(motion.at(at), this.shape.axis));
    }
    return points;
  }
}
