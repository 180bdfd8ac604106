//! The shortest Python program that shows a finding.

use super::text::{numbers, problem, sentence};
use topsim_core::math::Mat3;
use topsim_judge::hunt::{Finding, HuntClaim, Numbers};
use topsim_judge::protocol::ProblemForm;

pub(super) fn text(finding: &Finding) -> Option<String> {
    let p = &finding.problem;
    let json = |n: &Numbers| {
        let written = ProblemForm::Json.write(&n.problem);
        written
            .trim_end()
            .replace('\\', "\\\\")
            .replace('\'', "\\'")
    };
    let head = format!(
        "\"\"\"{}: {}.\n\n{}.\nFound by topsim hunt {}, seed {}. Run: python3 reproduce.py \"the command of your solver\",\nor put \
         your own integrator into solve().\n\"\"\"\nimport csv\nimport json\nimport math\nimport shlex\nimport subprocess\nimport sys\n",
        finding.id,
        sentence(finding),
        problem(p),
        finding.topsim,
        finding.seed
    );
    let shown = match p.compared(finding.claim) {
        Some(beside) => format!(
            "IMAGE = json.loads('{}')\n# Axes of space and of the body in the image, and by what its rates are larger.\n\
             Q, S, F = {}, {}, {:?}\n{SOLVE}\n{}",
            json(&beside.image),
            matrix(&beside.space),
            matrix(&beside.body),
            beside.factor,
            COMPARED.replace("ALLOWED", &format!("{:?}", finding.allowed)),
        ),
        None => of_claim(finding)?,
    };
    Some(format!(
        "{head}\nPROBLEM = json.loads('{}')\n{shown}",
        json(&p.numbers()?)
    ))
}

fn of_claim(finding: &Finding) -> Option<String> {
    let p = &finding.problem;
    let tensor = p.inertia()?;
    let inertia = matrix(tensor.tensor());
    let energy = || {
        ENERGY
            .replace("WEIGHT", &format!("{:?}", p.weight))
            .replace("LEVER", &numbers(p.arm().as_slice()))
    };
    let first = if p.is_heavy() { "2" } else { "0" };
    let momentum = || MOMENTUM.replace("FIRST", first);
    let momentum_size = || match p.is_heavy() {
        true => p.sorted()[2] * p.scale(),
        false => tensor.times(&p.omega()).norm(),
    };
    let energy_size = || {
        let kinetic = 0.5 * p.omega().dot(&tensor.times(&p.omega()));
        kinetic.max((p.weight * p.lever).abs())
    };
    let kept = |function: String, size: f64| {
        let shown = KEPT
            .replace("CLAIM", finding.claim.id())
            .replace("SIZE", &format!("{size:?}"))
            .replace("ALLOWED", &format!("{:?}", finding.allowed));
        Some(format!("J = {inertia}\n{SOLVE}\n{function}\n{shown}"))
    };
    match finding.claim {
        HuntClaim::Momentum => kept(momentum(), momentum_size()),
        HuntClaim::Energy => kept(energy(), energy_size()),
        _ if !p.has_closed_form() => {
            Some(format!("J = {inertia}\n{SOLVE}\n{}\n{CHANGES}", energy()))
        }
        _ => {
            let exact = p.exact()?;
            Some(format!(
                "R_EXACT = {}\nW_EXACT = {}  # at the end, by the closed form\n{SOLVE}\n\n{LADDER}",
                numbers(exact.att.transpose().as_slice()),
                numbers(exact.omega.as_slice()),
            ))
        }
    }
}

fn matrix(m: &Mat3) -> String {
    let rows = (0..3).map(|i| numbers(&[0, 1, 2].map(|j| m[(i, j)])));
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}

/// Has the problem solved with so many steps; the attitude row by row, and the body rate.
const SOLVE: &str = "
if len(sys.argv) != 2:
    sys.exit('usage: python3 reproduce.py \"the command of your solver\"')

def solve(problem, n):
    \"\"\"Attitude, row by row, and body rate at the end, after n steps: of the solver's last row.\"\"\"
    h = problem[\"end\"] / n
    problem = {**problem, \"step\": h, \"steps\": n, \"times\": [k*h for k in range(n + 1)]}
    made = subprocess.run(shlex.split(sys.argv[1]), input=json.dumps(problem, separators=(\",\", \":\")) + \"\\n\", stdout=subprocess.PIPE, text=True)
    rows = [line for line in made.stdout.splitlines() if not line.startswith(\"#\")]
    if len(rows) < 2:
        sys.exit(f\"{n} steps: the solver wrote no rows (exit status {made.returncode})\")
    last = {k.split(\"[\")[0].strip(): float(x) for k, x in list(csv.DictReader(rows))[-1].items()}
    if not ({\"R11\", \"qw\"} & set(last) and {\"W1\", \"omega_x\"} & set(last)):
        sys.exit(f\"columns {', '.join(last)}: solve() reads R11 ... R33 or qw, qx, qy, qz, and W1, W2, W3 or omega_x, omega_y, omega_z\")
    if \"R11\" in last:
        R = [last[f\"R{i}{j}\"] for i in \"123\" for j in \"123\"]
    else:
        w, x, y, z = (last[\"q\" + c] / sum(last[\"q\" + d]**2 for d in \"wxyz\")**0.5 for c in \"wxyz\")
        R = [1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y), 2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x),
             2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)]
    if \"W1\" in last:
        return R, [last[\"W1\"], last[\"W2\"], last[\"W3\"]]
    space = [last[\"omega_\" + c] for c in \"xyz\"]
    return R, [sum(R[3*i + j] * space[i] for i in range(3)) for j in range(3)]
";

const LADDER: &str = "print(\"steps  error of the attitude (rad)  of the rate (relative)\")
for n in (PROBLEM[\"steps\"] * 2**k for k in range(7)):
    R, W = solve(PROBLEM, n)
    chord = sum((a - b)**2 for a, b in zip(R, R_EXACT))**0.5
    attitude = 2*math.asin(min(1, chord / 8**0.5))  # the angle between the two
    rate = sum((a - b)**2 for a, b in zip(W, W_EXACT))**0.5 / sum(b*b for b in W_EXACT)**0.5
    print(f\"{n:5}  {attitude:.3e}                {rate:.3e}\")
";

const COMPARED: &str = "
def mapped(R, W):
    \"\"\"A state of the image as one of the problem.\"\"\"
    R = [sum(Q[k][i]*R[3*k + l]*S[l][j] for k in range(3) for l in range(3)) for i in range(3) for j in range(3)]
    return R, [sum(S[l][j]*W[l] for l in range(3)) / F for j in range(3)]


steps = PROBLEM[\"steps\"]
(R, W), (R2, W2) = solve(PROBLEM, steps), mapped(*solve(IMAGE, steps))
rate = math.dist(W, W2) / math.hypot(*W)
attitude = math.dist(R, R2)
print(f\"the same motion twice: attitudes differ by {attitude:.2e}, rates by {rate:.2e} (allowed {ALLOWED:.0e})\")
sys.exit(not max(attitude, rate) <= ALLOWED)
";

const KEPT: &str = "
first = kept([x for row in PROBLEM[\"initial\"][\"matrix\"] for x in row], PROBLEM[\"initial\"][\"angular_velocity_body\"])
last = kept(*solve(PROBLEM, PROBLEM[\"steps\"]))
worst = math.dist(first, last) / SIZE
print(f\"CLAIM: {first} at the start, {last} at the end, {worst:.2e} off (allowed {ALLOWED:.0e})\")
sys.exit(not worst <= ALLOWED)
";

const CHANGES: &str = "
print(\"steps  what the steps change: attitude (rad)  rate (relative)  energy\")
before = None
for n in (PROBLEM[\"steps\"] * 2**k for k in range(7)):
    R, W = solve(PROBLEM, n)
    changes = \"\"
    if before:
        attitude = 2*math.asin(min(1, math.dist(R, before[0]) / 8**0.5))  # the angle between the two
        changes = f\"{attitude:.3e}  {math.dist(W, before[1]) / math.hypot(*W):.3e}\"
    before = R, W
    print(f\"{n:5}  {changes:40}  {kept(R, W)[0]!r}\")
print(f\"at the start {'':36}  {kept([x for row in PROBLEM['initial']['matrix'] for x in row], PROBLEM['initial']['angular_velocity_body'])[0]!r}\")
";

const MOMENTUM: &str = "
def kept(R, W):
    \"\"\"Angular momentum in space; under gravity, about the vertical.\"\"\"
    L = [sum(J[i][j]*W[j] for j in range(3)) for i in range(3)]
    return [sum(R[3*i + j]*L[j] for j in range(3)) for i in range(FIRST, 3)]
";

const ENERGY: &str = "
def kept(R, W):
    \"\"\"Energy: of the rotation, and of the weight.\"\"\"
    return [sum(0.5*W[i]*J[i][j]*W[j] for i in range(3) for j in range(3)) + WEIGHT*sum(R[6 + j]*LEVER[j] for j in range(3))]
";
