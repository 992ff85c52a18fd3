"""A retriever that knows no proof: the declarations whose words are nearest to a statement's.

It ranks by BM25 (Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond*,
2009, in the variant of Lucene with bm25s's defaults k1 = 1.5, b = 0.75) over the names and texts of
a repository's declarations, cut into words by :mod:`pytest_vsb.context.words`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pytest_vsb.context.words import name_words, text_words
from pytest_vsb.repository.index import Entry, Index, Ref

if TYPE_CHECKING:
    import numpy

_NAME_WEIGHT = 2
"""How often the words of a declaration's name count beside those of its text."""


class Retriever:
    """Ranks the declarations of one repository. Thread-safe.

    Args:
        index: the repository.
    """

    def __init__(self, index: Index) -> None:
        import bm25s

        self._index = index
        self._model: Any = bm25s.BM25()
        self._refs: list[Ref] = []
        self._first: dict[str, int] = {}
        self._built = False
        self._lock = threading.Lock()

    def rank(
        self,
        statement: str,
        modules: Iterable[str],
        count: int,
        *,
        module: str = "",
        before: int = 0,
    ) -> tuple[Ref, ...]:
        """The ``count`` declarations nearest to a statement, nearest first.

        Args:
            statement: of the target; what it says of itself is all that is asked by.
            modules: those whose declarations may be ranked.
            count: how many at most; fewer where fewer have a word in common.
            module: the target's, of which the declarations that end at or before the code point
                ``before`` are ranked, too.
            before: see ``module``.
        """
        import numpy

        with self._lock:
            self._build()
        if not self._refs:
            return ()
        mask = numpy.zeros(len(self._refs), dtype=bool)
        for name in modules:
            first = self._first.get(name)
            if first is not None:
                mask[first : first + len(self._index.entries(name))] = True
        if module in self._first:
            for position, entry in enumerate(self._index.entries(module)):
                mask[self._first[module] + position] = entry.end <= before
        query = list(dict.fromkeys(text_words(statement)))
        scores = self._scores(query)
        scores[~mask] = 0
        best = numpy.argsort(-scores, kind="stable")[:count]
        return tuple(self._refs[place] for place in best if scores[place] > 0)

    def _scores(self, query: list[str]) -> numpy.ndarray[Any, Any]:
        found: numpy.ndarray[Any, Any] = self._model.get_scores(query).copy()
        return found

    def _build(self) -> None:
        if self._built:
            return
        documents: list[list[str]] = []
        for module in self._index.modules.order():
            self._first[module] = len(self._refs)
            for position, entry in enumerate(self._index.entries(module)):
                self._refs.append(Ref(module, position))
                documents.append(list(_document(entry)))
        if any(documents):
            self._model.index(documents, show_progress=False)
        else:
            self._refs.clear()
        self._built = True


def _document(entry: Entry) -> Iterable[str]:
    for _ in range(_NAME_WEIGHT):
        yield from name_words(entry.name)
    yield from text_words(entry.text)
