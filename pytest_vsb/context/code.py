"""Commands of an answer, sorted into auxiliary declarations and the target's proof.

Models write files: imports, the namespace they were shown, lemmas, the theorem, ``end``. A
candidate is what goes before the target in its file and what goes in the place of its proof, so
that which surrounds both in the answer is taken off, or kept around the lemmas so that they mean
the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_vsb.context.body import trim
from pytest_vsb.context.known import LASTING, Context, forms_of
from pytest_vsb.context.looks import is_prose
from pytest_vsb.context.target import Target, tokens_of
from pytest_vsb.source import Command, Declaration, Source, lexer, scan
from pytest_vsb.source.elide import PROVING

_TRIVIA = frozenset({"space", "line", "block"})
_FILE_HEAD = frozenset({"import", "prelude", "module"})
#: Those of them that can be put before a single term.
_FOR_TERMS = frozenset({"open", "set_option"})


@dataclass
class _Scope:
    kind: str
    parts: tuple[str, ...]
    kept: tuple[str, ...] | None  # what is left of its name; None where it is taken off
    lasting: int  # how many lasting commands were in force at its beginning
    start: int  # how many pieces there were


@dataclass
class _Piece:
    text: str
    name: str = ""
    declares: bool = False


class CodeReader:
    """Takes the commands of an answer, block by block, and sorts them.

    Attributes:
        proof: the target's body as last restated with one, from its separator on.
        different: a restatement of the target that says something else, if there was one.
        leniencies: what was forgiven.
    """

    def __init__(self, target: Target, context: Context) -> None:
        self.target = target
        self.context = context
        self.proof: str | None = None
        self.restated = False
        self.different = ""
        self.leniencies: list[str] = []
        self._proof_prefixes: tuple[str, ...] = ()
        self._renamed: tuple[int, str, tuple[str, ...]] | None = None
        self._pieces: list[_Piece] = []
        self._scopes: list[_Scope] = []
        self._lasting: list[str] = []
        self._wrap = False
        self._names: dict[str, int] = {}

    def feed(self, text: str) -> None:
        """Read a block of commands."""
        before = len(self._pieces)
        source = scan(text)
        for command in source.commands:
            self._command(source, command, before)
        while self._scopes:
            if self._scopes[-1].kept is not None:
                self._note("unclosed-scope")
            self._close("")

    @property
    def renamed(self) -> bool:
        """Whether a declaration of another name states and proves what the target does."""
        return self._renamed is not None

    def take_renamed(self) -> bool:
        """Take the proof of such a declaration for the target's, if there is none of its own."""
        if self._renamed is None or self.proof is not None:
            return False
        index, self.proof, self._proof_prefixes = self._renamed
        self._pieces[index].text = ""
        self._pieces[index].declares = False
        self._note("renamed-theorem")
        return True

    @property
    def auxiliary(self) -> str:
        """The auxiliary declarations."""
        if not any(piece.declares for piece in self._pieces):
            return ""
        text = ""
        for piece in self._pieces:
            if text.strip() and not text.endswith("\n"):
                text += "\n\n"
            text += piece.text
        text = trim(text)
        return f"section\n\n{text}\n\nend" if self._wrap else text

    @property
    def proof_prefixes(self) -> tuple[str, ...]:
        """The ``open`` and ``set_option`` commands that the answer puts around the proof."""
        return self._proof_prefixes if self.proof is not None else tuple(self._lasting)

    def _note(self, leniency: str) -> None:
        self.leniencies.append(leniency)

    def _keep(self, text: str, name: str = "", declares: bool = False) -> None:
        self._pieces.append(_Piece(text, name, declares))

    @property
    def _inside(self) -> bool:
        return any(scope.kept is not None for scope in self._scopes)

    @property
    def _path(self) -> tuple[str, ...]:
        return tuple(p for s in self._scopes if s.kind == "namespace" for p in s.parts)

    def _command(self, source: Source, command: Command, first: int) -> None:
        text = command.span.of(source.text)
        keyword = command.keyword
        if keyword in ("namespace", "section"):
            self._open_scope(text, keyword)
        elif keyword == "end" and command.kind == "end":
            self._end(text)
        elif command.kind in _FILE_HEAD:
            self._note("imports-dropped")
        elif command.kind == "hash":
            self._note("commands-dropped")
        elif keyword in LASTING and command.declaration is None:
            self._lasting_command(text, keyword)
        elif command.declaration is not None:
            self._declaration(source, command, command.declaration, text, first)
        elif command.members:
            self._mutual(source, command, text, first)
        else:
            self._other(text, command)

    # Scopes.

    def _open_scope(self, text: str, keyword: str) -> None:
        parts = _name_after(text, keyword)
        kept: tuple[str, ...] | None = parts
        if keyword == "namespace" and not self._inside:
            own, full = self.context.namespace, (*self._path, *parts)
            if own and (full == own[: len(full)] or (not self._path and _is_end(own, parts))):
                kept = None
            elif own and full[: len(own)] == own:
                kept = full[len(own) :]
        self._scopes.append(_Scope(keyword, parts, kept, len(self._lasting), len(self._pieces)))
        if kept == parts:
            self._keep(text)
            return
        self._note("context-namespace")
        if kept is not None:
            self._keep(f"namespace {'.'.join(kept)}\n\n")

    def _end(self, text: str) -> None:
        count = max(1, len(_name_after(text, "end")))
        if not self._scopes:
            self._note("stray-end")
            return
        while count > 0 and self._scopes:
            scope = self._scopes[-1]
            count -= max(1, len(scope.parts))
            whole = scope.kept == scope.parts == _name_after(text, "end")
            self._close(text if whole else "")

    def _close(self, text: str) -> None:
        """Ends the innermost scope, with its own text where that fits."""
        scope = self._scopes.pop()
        del self._lasting[scope.lasting :]
        if scope.kept is None:
            return
        inside = self._pieces[scope.start :]
        if not any(piece.declares for piece in inside):
            for piece in inside:
                piece.text = ""
            return
        self._keep(text or f"end {'.'.join(scope.kept)}".rstrip() + "\n\n")

    def _lasting_command(self, text: str, keyword: str) -> None:
        found = tokens_of(text)
        if not self._inside and found in self.context.in_force:
            self._note("restated-context")
            return
        if keyword in _FOR_TERMS:
            self._lasting.append(" ".join(_without_trivia(text).split()))
        if not self._inside:
            # In front of the target it would change how the target itself is read.
            if not self._wrap:
                self._note("scoped-commands")
            self._wrap = True
        self._keep(text)

    def _other(self, text: str, command: Command) -> None:
        """A command that declares nothing by a name. What is no command at all is kept, so that
        the judge says what it is."""
        if command.kind == "unknown" and is_prose(text):
            self._note("text-around-code")
            return
        plain = command.kind in ("trivia", "moduledoc")
        if not plain and tokens_of(text) in self.context.others:
            self._note("restated-context")
            return
        self._keep(text, declares=not plain)

    # Declarations.

    def _declaration(
        self, source: Source, command: Command, declaration: Declaration, text: str, first: int
    ) -> None:
        if self._is_target(source, declaration):
            self._restated(source, declaration, command.prefixes)
            return
        name = ".".join((*self._path, declaration.name)) if declaration.name else ""
        if self.context.declares(name, forms_of(source, declaration)):
            self._note("restated-context")
            return
        earlier = self._names.get(name, first) if name else first
        if earlier < first:
            # A later block has it anew: the model revised it.
            self._note("repeated-declaration")
            self._pieces[earlier].text = ""
        if name:
            self._names[name] = len(self._pieces)
        body = declaration.body
        if body and declaration.kind in PROVING and self.target.states(source.text, declaration):
            around = self._around(command.prefixes)
            self._renamed = (len(self._pieces), body.of(source.text), around)
        self._keep(text, name, declares=True)

    def _mutual(self, source: Source, command: Command, text: str, first: int) -> None:
        members = command.members
        targets = [m for m in members if self._is_target(source, m)]
        if targets:
            if len(members) > len(targets):
                self._note("mutual-members-dropped")
            for member in targets:
                self._restated(source, member, command.prefixes)
            return
        names = [".".join((*self._path, m.name)) for m in members if m.name]
        if names and all(
            self.context.declares(name, forms_of(source, member))
            for name, member in zip(names, members, strict=False)
        ):
            self._note("restated-context")
            return
        self._keep(text, declares=True)

    def _is_target(self, source: Source, declaration: Declaration) -> bool:
        name = ".".join((*self._path, declaration.name)) if declaration.name else ""
        target = self.target
        if name and target.is_named(name):
            return True
        if name and name.rsplit(".", 1)[-1] != target.full_name.rsplit(".", 1)[-1]:
            return False
        return declaration.kind in PROVING and target.states(source.text, declaration)

    def _restated(
        self, source: Source, declaration: Declaration, prefixes: tuple[str, ...]
    ) -> None:
        self._note("restated-theorem")
        self.restated = True
        if not self.target.states(source.text, declaration):
            self.different = self.different or declaration.statement.of(source.text)
            return
        body = declaration.body
        if body is None:
            return
        proof = body.of(source.text)
        if self.proof is not None and is_stub(proof):
            return
        self.proof = proof
        self._proof_prefixes = self._around(prefixes)

    def _around(self, prefixes: tuple[str, ...]) -> tuple[str, ...]:
        """What is open around a declaration: of the answer's own, and before it with ``in``."""
        spaces = [
            f"open {'.'.join(self._kept_path(n))}"
            for n, scope in enumerate(self._scopes)
            if scope.kind == "namespace" and scope.kept
        ]
        own = [" ".join(prefix.split()) for prefix in prefixes if _before_term(prefix)]
        return (*self._lasting, *spaces, *own)

    def _kept_path(self, last: int) -> tuple[str, ...]:
        return tuple(
            p for s in self._scopes[: last + 1] if s.kept and s.kind == "namespace" for p in s.kept
        )


def _before_term(prefix: str) -> bool:
    return prefix.split(None, 1)[:1] in (["open"], ["set_option"])


def is_stub(proof: str) -> bool:
    """Whether a body is ``sorry`` and nothing else, as in a problem that is repeated."""
    return tokens_of(proof) in ((":=", "sorry"), (":=", "by", "sorry"))


def _is_end(parts: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return bool(end) and parts[-len(end) :] == end


def _name_after(text: str, keyword: str) -> tuple[str, ...]:
    seen = False
    for group, start, end, _ in lexer.lex(text):
        if group in _TRIVIA:
            continue
        piece = text[start:end]
        if not seen:
            seen = piece == keyword
        elif group == "ident":
            return tuple(piece.split("."))
        else:
            break
    return ()


def _without_trivia(text: str) -> str:
    """The text without comments, blanks as they are."""
    return "".join(
        " " if group in ("line", "block") else text[start:end]
        for group, start, end, _ in lexer.lex(text)
    )
