from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prover_requests import make_request, make_task

from pytest_vsb.errors import UsageError
from pytest_vsb.lean.diagnostics import Diagnostic, Position, Severity
from pytest_vsb.provers.automation import AutomationProver
from pytest_vsb.provers.base import Answer, Candidate, Feedback, Problem
from pytest_vsb.provers.portfolio import Hints, portfolio
from pytest_vsb.provers.registry import create, parse_spec
from pytest_vsb.provers.statement import read_statement
from pytest_vsb.provers.surroundings import read_surroundings
from pytest_vsb.tasks.model import Dependency, Task

PREFIX = """
namespace Demo

inductive Tree (α : Type) where
  | leaf
  | node (l : Tree α) (x : α) (r : Tree α)

infix:50 " ≺ " => Order.before

variable {α : Type} (f : α → α)

/-- Left and right exchanged. -/
def Tree.mirror : Tree α → Tree α
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror

def twice (n : Nat) : Nat := n + n

@[simp] theorem twice_zero : twice 0 = 0 := rfl
theorem twice_add (m n : Nat) : twice (m + n) = twice m + twice n := by
  simp [twice, Nat.add_assoc, Nat.add_left_comm]
theorem same_trans {a b c : Nat} (h : a = b) (k : b = c) : a = c := h.trans k

section
variable (unused : Nat)
end
"""
STATEMENT = "theorem Tree.mirror_mirror (t : Tree α) : t.mirror.mirror = t"
MIRROR = make_task("Demo.Tree.mirror_mirror", STATEMENT)


def prover(**options: str) -> AutomationProver:
    made = create(parse_spec("automation", options))
    assert isinstance(made, AutomationProver)
    return made


def text_of(answer: Answer | None) -> str:
    assert answer is not None
    assert answer.candidate is not None
    assert answer.candidate.auxiliary in ("", "set_option maxHeartbeats 10000")
    return answer.candidate.proof


def all_proofs(task: Task = MIRROR, prefix: str = PREFIX) -> list[str]:
    found = []
    for sample in range(100):
        answer = prover().prove(make_request(task, prefix=prefix, sample=sample))
        if answer is None:
            return found
        found.append(text_of(answer))
    raise AssertionError("the portfolio has no end")


@pytest.mark.parametrize(
    ("text", "variables", "intros", "conclusion"),
    [
        ("theorem a : 1 = 1", [], [], "1 = 1"),
        ("lemma «odd name» {x y : Nat} : x = y", ["x:data", "y:data"], [], "x = y"),
        ("theorem a.{u} (α : Type u) [Ord α] : True", ["α:type", ":instance"], [], "True"),
        ("theorem a (h : x < y) (f : A → B) : P", ["h:hypothesis", "f:function"], [], "P"),
        ("theorem a : ∀ x y : Nat, x = y", ["x:data", "y:data"], ["x", "y"], "x = y"),
        (
            "theorem a : ∀ {v : Bool}, f v = 0 → v = false",
            ["v:data", "hyp1:hypothesis"],
            ["v", "hyp1"],
            "v = false",
        ),
        ("theorem a (x : A) (k : R x) : P", ["x:data", "k:hypothesis"], [], "P"),
        ("theorem a : p ∧ q → r", ["hyp1:hypothesis"], ["hyp1"], "r"),
        ("theorem a : p → q ↔ r", [], [], "p → q ↔ r"),
        ("theorem a : ¬ p x", ["hyp1:hypothesis"], ["hyp1"], "False"),
        ("theorem a : let y := 1; y = 1", [], ["y"], "y = 1"),
        ("theorem a (x : Nat := 3) : x = x", ["x:data"], [], "x = x"),
        ('theorem a (s : String := "{:=") : s = s -- (', ["s:data"], [], "s = s"),
    ],
)
def test_statements_are_taken_apart(
    text: str, variables: list[str], intros: list[str], conclusion: str
) -> None:
    statement = read_statement(text)
    assert [f"{v.name}:{v.role}" for v in statement.variables] == variables
    assert list(statement.intros) == intros
    assert statement.conclusion == conclusion


def test_the_file_before_the_target_is_read() -> None:
    around = read_surroundings(PREFIX)
    assert [known.name for known in around.definitions] == ["Demo.Tree.mirror", "Demo.twice"]
    assert [known.recursive for known in around.definitions] == [True, False]
    assert [known.circular for known in around.lemmas] == [False, False, True]
    assert [known.simp for known in around.lemmas] == [True, False, False]
    assert around.constructors == (("Demo.Tree", ("leaf", "node")),)
    assert [v.name for v in around.variables] == ["α", "f"]
    assert around.borrowed == ("Nat.add_left_comm", "Nat.add_assoc")
    statement = read_statement("theorem a (n : Nat) : n ≺ n")
    assert {"Order", "before"} <= around.words(statement)


def test_the_first_sample_is_standard_automation() -> None:
    first = all_proofs()[0]
    for tactic in ("rfl", "decide", "simp", "simp_all", "omega"):
        assert f"intros; {tactic}" in first
    assert "induction" not in first


def test_the_portfolio_uses_the_statement_and_the_file() -> None:
    proofs = all_proofs()
    assert 8 <= len(proofs) == len(set(proofs))
    text = "\n".join(proofs)
    assert "induction t" in text
    assert "Demo.Tree.mirror" in text
    assert "Demo.Tree.node" in text
    assert "unused" not in text
    assert "sorry" not in text


def test_variables_behind_the_colon_are_introduced_first() -> None:
    task = make_task("T", "theorem T : ∀ (s : State) (t : Tree), f s t = t")
    text = "\n".join(all_proofs(task))
    assert "intro s t; induction t" in text
    assert "intro s; induction s" in text


def test_it_is_deterministic_and_blind_to_oracles() -> None:
    oracle = make_task(
        MIRROR.id,
        STATEMENT,
        dependencies=(Dependency("Secret.lemma_name"),),
        reference_proof=":= by exact secret",
        extra={"hint": "secret"},
    )
    assert all_proofs(oracle) == all_proofs()
    assert not prover().needs_reference
    one = prover()
    mixed = [one.prove(make_request(t, prefix=PREFIX, sample=1)) for t in (oracle, MIRROR, oracle)]
    assert mixed[0] == mixed[1] == mixed[2]
    one.close()


def test_beyond_the_portfolio_there_is_nothing() -> None:
    count = len(all_proofs())
    assert prover().prove(make_request(MIRROR, prefix=PREFIX, sample=count, samples=99)) is None


def feedback(proof: str, *messages: str, goal: str | None = None, **more: object) -> Feedback:
    problems = tuple(
        Problem(Diagnostic(Severity.ERROR, message, Position(1, 0), goal=goal))
        for message in messages
    )
    fields: dict[str, object] = {"round": 0, "outcome": "rejected", **more}
    return Feedback(candidate=Candidate(proof), problems=problems, **fields)  # type: ignore[arg-type]


def repair(sample: int, *history: Feedback, samples: int = 8, **options: str) -> Answer | None:
    request = make_request(
        MIRROR,
        prefix=PREFIX,
        sample=sample,
        samples=samples,
        round=len(history),
        history=tuple(history),
    )
    return prover(**options).prove(request)


def test_a_repair_drops_tactics_that_the_parser_refused() -> None:
    before = all_proofs()[0]
    assert "omega" in before
    after = text_of(repair(0, feedback(before, "unknown tactic")))
    assert after == "\n".join(line for line in before.split("\n") if "omega" not in line)


def test_a_repair_drops_names_that_do_not_exist() -> None:
    before = all_proofs()[1]
    assert "Tree.mirror" in before
    after = text_of(repair(1, feedback(before, "Unknown constant `Demo.Tree.mirror`")))
    assert "Demo.Tree.mirror" not in after


def test_a_repair_uses_names_in_the_goal_that_is_left() -> None:
    before = all_proofs()[1]
    goal = "case node\nl : Tree Nat\nx : Nat\n⊢ l.depth ≤ twice x"
    after = text_of(repair(1, feedback(before, "unsolved goals", goal=goal)))
    assert "Tree.depth" in after
    assert "Tree.depth" not in before


def test_repairs_end() -> None:
    before = all_proofs()[3]
    nothing_new = feedback(before, "linarith failed")
    assert repair(3, nothing_new) is None
    refused = feedback(before, "unknown tactic")
    assert repair(0, refused, refused) is None
    assert repair(3, feedback(before, "unknown tactic", outcome="timeout")) is None


def test_the_work_allowed_to_an_entry() -> None:
    def auxiliary(**options: str) -> str:
        answer = prover(**options).prove(make_request(MIRROR, prefix=PREFIX, sample=1))
        assert answer is not None
        assert answer.candidate is not None
        return answer.candidate.auxiliary

    assert auxiliary(heartbeats="200000") == "set_option maxHeartbeats 200000"
    assert auxiliary(heartbeats="0") == ""
    assert auxiliary() == "set_option maxHeartbeats 10000"
    standard = prover().prove(make_request(MIRROR, prefix=PREFIX, sample=0))
    assert standard is not None
    assert standard.candidate is not None
    assert standard.candidate.auxiliary == ""
    with pytest.raises(UsageError, match="not a whole number"):
        prover(heartbeats="many")


def test_further_tactics() -> None:
    made = prover(tactics=" aesop, grind,aesop")
    assert made.settings() == {"tactics": "aesop,grind", "heartbeats": "10000"}
    first = text_of(made.prove(make_request(MIRROR, prefix=PREFIX)))
    assert "intros; aesop" in first
    after = repair(0, feedback(first, "unknown tactic"), tactics="aesop,grind")
    assert "aesop" not in text_of(after)
    with pytest.raises(UsageError, match="not the name of a tactic"):
        prover(tactics="simp [x]")
    with pytest.raises(UsageError, match="Valid options: heartbeats, tactics"):
        prover(tactic="simp")


PIECES = st.lists(
    st.sampled_from(
        "theorem lemma a x y h : := ( ) { } [ ] ⦃ ⦄ ∀ ∃ → ↔ ¬ ∧ , ; let fun match Nat "
        'Tree.f t.f «b c» « " /- -/ -- . | = ≤ ⊢ variable section end namespace N def \n '
        'notation => "≺" inductive theorem'.split(" ")
    ),
    max_size=30,
).map(" ".join)


@settings(deadline=None)
@given(statement=PIECES | st.text(), prefix=PIECES | st.text(), goal=PIECES | st.text())
def test_any_text_is_taken(statement: str, prefix: str, goal: str) -> None:
    task = make_task("T", statement)
    request = make_request(task, prefix=prefix, sample=1)
    answer = prover().prove(request)
    assert answer is None or text_of(answer).startswith("by\n")
    history = (feedback("by x", "unknown tactic", "Unknown constant `x`", goal=goal),)
    again = prover().prove(make_request(task, prefix=prefix, sample=1, round=1, history=history))
    assert again is None or text_of(again) != "by x"


def test_entries_parse_line_by_line() -> None:
    around = read_surroundings(PREFIX)
    for proof in portfolio(read_statement(STATEMENT), around, Hints()):
        lines = proof.splitlines()
        assert lines[0] == "by"
        assert all(line.startswith("  ") for line in lines[1:])
        assert proof.count("(") == proof.count(")")
        assert proof.count("[") == proof.count("]")
