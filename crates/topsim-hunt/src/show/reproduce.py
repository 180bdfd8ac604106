if len(sys.argv) != 2:
    sys.exit('usage: python3 reproduce.py "the command of your solver"')

def solve(problem, n):
    """Attitude, row by row, and body rate at the end, after n steps: of the solver's last row."""
    h = problem["end"] / n
    problem = {**problem, "step": h, "steps": n, "times": [k*h for k in range(n + 1)]}
    made = subprocess.run(shlex.split(sys.argv[1]), input=json.dumps(problem, separators=(",", ":")) + "\n", stdout=subprocess.PIPE, text=True)
    rows = [line for line in made.stdout.splitlines() if not line.startswith("#")]
    if len(rows) < 2:
        sys.exit(f"{n} steps: the solver wrote no rows (exit status {made.returncode})")
    last = {k.split("[")[0].strip(): float(x) for k, x in list(csv.DictReader(rows))[-1].items()}
    if not ({"R11", "qw"} & set(last) and {"W1", "omega_x"} & set(last)):
        sys.exit(f"columns {', '.join(last)}: solve() reads R11 ... R33 or qw, qx, qy, qz, and W1, W2, W3 or omega_x, omega_y, omega_z")
    if "R11" in last:
        R = [last[f"R{i}{j}"] for i in "123" for j in "123"]
    else:
        w, x, y, z = (last["q" + c] / sum(last["q" + d]**2 for d in "wxyz")**0.5 for c in "wxyz")
        R = [1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y), 2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x),
             2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)]
    if "W1" in last:
        return R, [last["W1"], last["W2"], last["W3"]]
    space = [last["omega_" + c] for c in "xyz"]
    return R, [sum(R[3*i + j] * space[i] for i in range(3)) for j in range(3)]


def momentum(R, W):
    """Angular momentum in space; under gravity, about the vertical."""
    J = FACTS["inertia"]
    L = [sum(J[i][j]*W[j] for j in range(3)) for i in range(3)]
    return [sum(R[3*i + j]*L[j] for j in range(3)) for i in range(2 if FACTS["heavy"] else 0, 3)]


def energy(R, W):
    """Energy of the rotation and of the weight."""
    J, weight, lever = FACTS["inertia"], FACTS["weight"], FACTS["lever"]
    return [sum(0.5*W[i]*J[i][j]*W[j] for i in range(3) for j in range(3)) + weight*sum(R[6 + j]*lever[j] for j in range(3))]


def show_kept(kept):
    """Compares a conserved quantity at the start and at the end."""
    first = kept([x for row in PROBLEM["initial"]["matrix"] for x in row], PROBLEM["initial"]["angular_velocity_body"])
    last = kept(*solve(PROBLEM, PROBLEM["steps"]))
    worst = math.dist(first, last) / FACTS[kept.__name__]
    print(f"{kept.__name__}: {first} at the start, {last} at the end, {worst:.2e} off (allowed {FACTS['allowed']:.0e})")
    sys.exit(not worst <= FACTS["allowed"])


def show_image():
    """Compares the motion with that of the image of the problem."""
    Q, S, F = FACTS["space"], FACTS["body"], FACTS["factor"]

    def mapped(R, W):
        """Returns a state of the image as one of the problem."""
        R = [sum(Q[k][i]*R[3*k + l]*S[l][j] for k in range(3) for l in range(3)) for i in range(3) for j in range(3)]
        return R, [sum(S[l][j]*W[l] for l in range(3)) / F for j in range(3)]

    steps = PROBLEM["steps"]
    (R, W), (R2, W2) = solve(PROBLEM, steps), mapped(*solve(FACTS["image"], steps))
    rate = math.dist(W, W2) / math.hypot(*W)
    attitude = math.dist(R, R2)
    print(f"the same motion twice: attitudes differ by {attitude:.2e}, rates by {rate:.2e} (allowed {FACTS['allowed']:.0e})")
    sys.exit(not max(attitude, rate) <= FACTS["allowed"])


def show_changes():
    """Shows what half the step changes, without an exact motion."""
    print("steps  what the steps change: attitude (rad)  rate (relative)  energy")
    before = None
    for n in (PROBLEM["steps"] * 2**k for k in range(7)):
        R, W = solve(PROBLEM, n)
        changes = ""
        if before:
            attitude = 2*math.asin(min(1, math.dist(R, before[0]) / 8**0.5))  # the angle between the two
            changes = f"{attitude:.3e}  {math.dist(W, before[1]) / math.hypot(*W):.3e}"
        before = R, W
        print(f"{n:5}  {changes:40}  {energy(R, W)[0]!r}")
    print(f"at the start {'':36}  {energy([x for row in PROBLEM['initial']['matrix'] for x in row], PROBLEM['initial']['angular_velocity_body'])[0]!r}")


def show_errors():
    """Shows the errors at the end against the closed form."""
    R_EXACT, W_EXACT = FACTS["exact"]
    print("steps  error of the attitude (rad)  of the rate (relative)")
    for n in (PROBLEM["steps"] * 2**k for k in range(7)):
        R, W = solve(PROBLEM, n)
        chord = sum((a - b)**2 for a, b in zip(R, R_EXACT))**0.5
        attitude = 2*math.asin(min(1, chord / 8**0.5))  # the angle between the two
        rate = sum((a - b)**2 for a, b in zip(W, W_EXACT))**0.5 / sum(b*b for b in W_EXACT)**0.5
        print(f"{n:5}  {attitude:.3e}                {rate:.3e}")


if FACTS["image"]:
    show_image()
elif FACTS["claim"] in ("momentum", "energy"):
    show_kept({"momentum": momentum, "energy": energy}[FACTS["claim"]])
elif FACTS["exact"]:
    show_errors()
else:
    show_changes()
