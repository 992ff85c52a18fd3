"""A task, and answers to it in all the forms that models give them."""

from __future__ import annotations

from pytest_vsb.context import format_answer
from pytest_vsb.tasks.model import Task

PREFIX = """\
/-! Things. -/

namespace Box

/-- Doubles. -/
def twice (n : Nat) : Nat := n + n

theorem twice_zero : twice 0 = 0 := by rfl

"""
STATEMENT = "theorem target (n m : Nat) (h : n = m) : twice n = twice m ∧ twice 0 = 0"
PROOF = "by\n  subst h\n  exact ⟨rfl, rfl⟩"
LEMMA = "theorem foo (a b : Nat) (h : a = b) : twice a = twice b := congrArg twice h"
BY_LEMMA = "by\n  exact ⟨foo n m h, rfl⟩"
FILE = f"{PREFIX}{STATEMENT} := {PROOF}\n\nend Box\n"
TASK = Task(id="t", module="Box", path="Box.lean", name="Box.target", statement=STATEMENT)


def fenced(code: str, language: str = "lean") -> str:
    return f"```{language}\n{code}\n```"


# Name: (answer, what is forgiven). Every one of them holds a proof that Lean accepts.
GOOD: dict[str, tuple[str, tuple[str, ...]]] = {
    "exact": (format_answer(PROOF, "", "By substitution."), ()),
    "exact with a lemma": (format_answer(BY_LEMMA, LEMMA, "By a lemma."), ()),
    "a term": (format_answer("⟨congrArg twice h, rfl⟩"), ()),
    "a term over lines": (format_answer("And.intro\n  (congrArg twice h)\n  rfl"), ()),
    "equations": (format_answer("⟨h ▸ rfl, rfl⟩"), ()),
    "windows line ends": (format_answer(PROOF).replace("\n", "\r\n"), ()),
    "blank lines": (f"\n{format_answer(PROOF).replace('<proof>', '<proof>' + chr(10))}\n\n", ()),
    "no by": (format_answer("subst h\nexact ⟨rfl, rfl⟩"), ("missing-by",)),
    "no by, indented": (
        format_answer("  subst h\n  exact ⟨rfl, rfl⟩"),
        ("indentation", "missing-by"),
    ),
    "no by, first line cut out": (
        format_answer("subst h\n    exact ⟨rfl, rfl⟩"),
        ("indentation", "missing-by"),
    ),
    "no by, bullets": (
        format_answer("constructor\n· exact congrArg twice h\n· rfl"),
        ("missing-by",),
    ),
    "no by, a word of terms first": (
        format_answer("have e := congrArg twice h\nexact ⟨e, rfl⟩"),
        ("missing-by",),
    ),
    "first tactic beside by": (
        format_answer("by subst h\n  exact ⟨rfl, rfl⟩"),
        ("indentation",),
    ),
    "bullets below a tactic beside by": (
        format_answer("by constructor\n  · subst h; rfl\n  · rfl"),
        ("indentation",),
    ),
    "indented as a whole": (
        format_answer("    by\n      subst h\n      exact ⟨rfl, rfl⟩"),
        ("indentation",),
    ),
    "by at the margin": (format_answer("by\nsubst h\nexact ⟨rfl, rfl⟩"), ()),
    "tabs": (format_answer("by\n\tsubst h\n\texact ⟨rfl, rfl⟩"), ("odd-spaces",)),
    "separator": (format_answer(f":= {PROOF}"), ("leading-separator",)),
    "separator, indented": (
        format_answer(":=\n  by\n    subst h\n    exact ⟨rfl, rfl⟩"),
        ("leading-separator",),
    ),
    "fence in a section": (
        f"<reasoning>r</reasoning><auxiliary>None.</auxiliary><proof>\n{fenced(PROOF)}\n</proof>",
        ("placeholder-auxiliary", "fenced-code"),
    ),
    "fences in both sections": (
        format_answer(fenced(BY_LEMMA, "lean4"), f"A lemma:\n{fenced(LEMMA)}"),
        ("fenced-code", "text-around-code"),
    ),
    "only a closing fence": (format_answer(f"{PROOF}\n```"), ("fenced-code", "unclosed-fence")),
    "restated": (
        f"<proof>\n{STATEMENT} := {PROOF}\n</proof>",
        ("missing-section", "restated-theorem"),
    ),
    "restated with other blanks, comments and its full name": (
        "<proof>theorem Box.target (n m : Nat) -- as given\n (h : n = m) :\n  twice n = twice m "
        "∧ /- and -/ twice 0 = 0 :=\n  ⟨congrArg twice h, rfl⟩</proof>",
        ("missing-section", "restated-theorem"),
    ),
    "restated in the auxiliary section": (
        f"<auxiliary>\n{LEMMA}\n\n{STATEMENT} := {BY_LEMMA}\n</auxiliary>\n<proof>\n</proof>",
        ("missing-section", "proof-in-auxiliary", "restated-theorem"),
    ),
    "lemmas in the proof section": (
        format_answer(f"{LEMMA}\n\n@[simp] {STATEMENT} := {BY_LEMMA}"),
        ("lemmas-in-proof", "restated-theorem"),
    ),
    "lemmas after the proof": (
        format_answer(f"{BY_LEMMA}\n\n{LEMMA}"),
        ("commands-after-proof",),
    ),
    "the end of the file after the proof": (
        format_answer(f"{PROOF}\n\nend Box\n#print axioms target"),
        ("commands-after-proof", "stray-end", "commands-dropped"),
    ),
    "imports and open": (
        fenced(
            f"import Mathlib\nopen Nat\nnamespace Box\n\n{LEMMA}\n\n{STATEMENT} := {BY_LEMMA}\n\n"
            "end Box",
            "lean4",
        ),
        (
            "no-tags",
            "fenced-code",
            "imports-dropped",
            "scoped-commands",
            "context-namespace",
            "restated-theorem",
        ),
    ),
    "the whole file": (
        f"Plan.\n{fenced(f'{PREFIX}{LEMMA}{chr(10) * 2}{STATEMENT} := {BY_LEMMA}', 'lean4')}",
        ("no-tags", "fenced-code", "context-namespace", "restated-context", "restated-theorem"),
    ),
    "the whole file as it was shown": (
        fenced(
            PREFIX.replace("by rfl", "…") + f"{LEMMA}\n\n{STATEMENT} := {BY_LEMMA}\n\nend Box",
        ),
        ("no-tags", "fenced-code", "context-namespace", "restated-context", "restated-theorem"),
    ),
    "a namespace of its own": (
        fenced(f"namespace Mine\nopen Nat\n{LEMMA}\n\n{STATEMENT} := {BY_LEMMA}"),
        ("no-tags", "fenced-code", "restated-theorem", "unclosed-scope"),
    ),
    "a namespace around the lemma": (
        format_answer("⟨Mine.foo n m h, rfl⟩", f"namespace Mine\n{LEMMA}\nend Mine"),
        (),
    ),
    "the file's namespace around the lemma": (
        format_answer(BY_LEMMA, f"namespace Box\n\n{LEMMA}\n\nend Box"),
        ("context-namespace",),
    ),
    "a namespace in the file's around the lemma": (
        format_answer("⟨In.foo n m h, rfl⟩", f"namespace Box.In\n\n{LEMMA}\n\nend Box.In"),
        ("context-namespace",),
    ),
    "what lasts past the lemma": (
        format_answer(
            BY_LEMMA, f"open Nat\nvariable (q : Nat)\nset_option maxRecDepth 1000\n{LEMMA}"
        ),
        ("scoped-commands",),
    ),
    "a draft of something else": (
        f"First\n{fenced('theorem junk : False := by decide')}\nthen\n{fenced(LEMMA)}\nso\n"
        f"{fenced(BY_LEMMA)}",
        ("no-tags", "fenced-code"),
    ),
    "the problem before the solution": (
        f"{fenced(f'{STATEMENT} := by{chr(10)}  sorry')}\n{fenced(LEMMA)}\n"
        f"{fenced(f'{STATEMENT} := {BY_LEMMA}')}",
        ("no-tags", "fenced-code", "restated-theorem"),
    ),
    "a draft before the solution": (
        f"{fenced(f'{STATEMENT} := by decide')}\nNo:\n{fenced(f'{STATEMENT} := {PROOF}')}",
        ("no-tags", "fenced-code", "restated-theorem"),
    ),
    "headings": (
        f"### Auxiliary\n{fenced(LEMMA)}\n### Proof\n{fenced(BY_LEMMA, '')}\n",
        ("no-tags", "fenced-code"),
    ),
    "a list item with a fence": (
        "1. So\n   ```lean\n   by\n     subst h\n     exact ⟨rfl, rfl⟩\n   ```\n",
        ("no-tags", "fenced-code"),
    ),
    "no markup": (
        f"Here it is.\n\n{LEMMA}\n\n{STATEMENT} := {BY_LEMMA}",
        ("no-tags", "restated-theorem"),
    ),
    "no markup, a proof alone": (PROOF, ("no-tags",)),
    "lemma for theorem": (
        fenced(f"{STATEMENT} := {PROOF}".replace("theorem", "lemma")),
        ("no-tags", "fenced-code", "restated-theorem"),
    ),
    "another name": (
        fenced(f"{LEMMA}\n\n{STATEMENT} := {BY_LEMMA}".replace("target", "main_theorem")),
        ("no-tags", "fenced-code", "renamed-theorem"),
    ),
    "another name in the section": (
        format_answer(f"{STATEMENT} := {PROOF}".replace("target", "target'")),
        ("renamed-theorem",),
    ),
    "a lemma that says the same": (
        format_answer("target' n m h", f"{STATEMENT} := {PROOF}".replace("target", "target'")),
        (),
    ),
    "tabs in a lemma": (
        format_answer(BY_LEMMA, LEMMA.replace(":= ", ":=\n\t")),
        ("odd-spaces",),
    ),
    "a fence with a file name": (
        f"```lean title=Box.lean\n{PROOF}\n```\n```text\nerror\n```",
        ("no-tags", "fenced-code"),
    ),
    "a sentence before the proof": (
        format_answer(f"The proof is:\n{PROOF}"),
        ("text-around-code",),
    ),
    "a sentence for the lemmas": (
        format_answer(PROOF, "We do not need lemmas here, since rfl does it."),
        ("text-around-code",),
    ),
    "a sentence before the lemma": (
        format_answer(BY_LEMMA, f"**A lemma.** It helps:\n\n{LEMMA}"),
        ("text-around-code",),
    ),
    "everything in one fence": (fenced(format_answer(PROOF), "xml"), ("text-outside",)),
    "an example": (
        fenced(f"{STATEMENT} := {PROOF}".replace("theorem target", "example")),
        ("no-tags", "fenced-code", "restated-theorem"),
    ),
    "cut off after the proof": (
        f"<reasoning>\nr\n</reasoning>\n<auxiliary>\n{LEMMA}\n</auxiliary>\n<proof>\n{BY_LEMMA}",
        ("unclosed-section",),
    ),
    "an open fence": (f"```lean\n{PROOF}", ("no-tags", "fenced-code", "unclosed-fence")),
    "thinking": (
        f"<think>maybe <proof>by simp</proof> no\n</think>{format_answer(PROOF)}",
        ("thinking-tags",),
    ),
    "thinking without its opening tag": (
        f"maybe <proof>by simp</proof> no\n</think>\n\n{format_answer(PROOF)}",
        ("thinking-tags",),
    ),
    "a tag in passing": (
        f"<reasoning>\nSee <proof>.\n</reasoning>\n<auxiliary>\n</auxiliary>\nSo <proof> is\n"
        f"<proof>\n{PROOF}\n</proof>",
        ("text-outside",),
    ),
    "a tag in passing at the end": (
        f"{format_answer(PROOF)}\nThe <proof> is short.",
        ("text-outside",),
    ),
    "second thoughts": (
        f"{format_answer('by decide')}\nNo.\n<proof>\n{PROOF}\n</proof>",
        ("repeated-section", "text-outside"),
    ),
    "other spellings": (
        f"<Reasoning>r</Reasoning><auxiliary_lemmas></auxiliary_lemmas><PROOF>{PROOF}</PROOF>",
        ("tag-spelling",),
    ),
    "another order": (
        f"<proof>\n{PROOF}\n</proof>\n<auxiliary>\n</auxiliary>\n<reasoning>r</reasoning>",
        ("section-order",),
    ),
    "text around": (f"Sure!\n{format_answer(PROOF)}\nDone.", ("text-outside",)),
    "a set_option in front": (
        format_answer(f"set_option maxRecDepth 1000 in\n{STATEMENT} := {PROOF}"),
        ("restated-theorem",),
    ),
    "a lemma revised": (
        format_answer(f"{LEMMA}\n\n{STATEMENT} := {BY_LEMMA}", LEMMA.replace("congrArg", "wrong")),
        ("lemmas-in-proof", "restated-theorem", "repeated-declaration"),
    ),
}

# Name: (answer, a part of what is said of it). None of them holds a proof.
BAD: dict[str, tuple[str, str]] = {
    "nothing": ("", "empty"),
    "blanks": (" \n\t\n", "empty"),
    "prose": ("I could not prove this. Sorry.", "no <proof> section and no Lean code"),
    "prose in a fence": (fenced("int main() {}", "c"), "no <proof> section and no Lean code"),
    "an empty section": (format_answer(""), "<proof> section is empty"),
    "no proof section": ("<reasoning>r</reasoning>\n<auxiliary>\n</auxiliary>", "is missing"),
    "only a lemma": (fenced(LEMMA), "states or proves Box.target"),
    "only a lemma in the section": (format_answer(LEMMA), "holds no proof"),
    "the statement alone": (format_answer(STATEMENT), "holds no proof"),
    "another statement": (
        format_answer(f"theorem target (n m : Nat) : twice 0 = 0 := {PROOF}"),
        "states the target differently: theorem target (n m : Nat) : twice 0 = 0",
    ),
    "another statement in a fence": (
        fenced("theorem target : True := trivial"),
        "states the target differently",
    ),
    "the target among the lemmas": (
        format_answer(PROOF, "theorem target : True := trivial"),
        "states the target differently",
    ),
    "the target among the lemmas by its full name": (
        format_answer(PROOF, "theorem _root_.Box.target : True := trivial"),
        "states the target differently",
    ),
    "the target after the proof": (
        format_answer(f"{PROOF}\n\ntheorem target : True := trivial"),
        "states the target differently",
    ),
    "thinking without an end": ("<think>hmm", "ends with its reasoning"),
}
