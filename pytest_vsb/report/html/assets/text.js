// Lean's tokens, for their colours, and what differs between two texts.

const LEAN_PART = "[\\p{L}_][\\p{L}\\p{N}_'!?\\u271D\\u2080-\\u2089\\u2090-\\u209C\\u1D62-\\u1D6A]*";
// A quoted name has an end: without a limit, a line of opening quotes would take very long.
const LEAN_ATOM = `(?:${LEAN_PART}|\u00AB[^\u00AB\u00BB\\n]{0,200}\u00BB)`;
const LEAN_TOKEN = new RegExp([
  "(?<space>\\s+)",
  "(?<comment>--[^\\n]*)",
  "(?<block>/-)",
  "(?<string>(?:[a-z]!)?\"(?:\\\\[\\s\\S]|[^\"\\\\])*\"?)",
  "(?<char>'(?:\\\\[^\\n]|[^\\\\'\\n])')",
  `(?<ident>#?${LEAN_ATOM}(?:\\.${LEAN_ATOM})*)`,
  "(?<number>0[xXbBoO][0-9a-fA-F_]+|[0-9][0-9_]*(?:\\.[0-9]+)?)",
  "(?<symbol>:=|=>|<;>|<\\|>|\\|>|<\\||\u00B7|\u22A2|\\S)",
].join("|"), "uy");
const COMMENT_EDGE = /\/-|-\//g;

function commentEnd(text, start) {
  let depth = 1;
  // The dash of `/--` opens and does not close.
  COMMENT_EDGE.lastIndex = start + (text.startsWith("/--", start) ? 3 : 2);
  for (let found; (found = COMMENT_EDGE.exec(text));) {
    depth += found[0] === "/-" ? 1 : -1;
    if (depth === 0) return COMMENT_EDGE.lastIndex;
  }
  return text.length;
}

// The text in lines, each a list of [class, text].
function lexLean(text, keywords, tactics) {
  const lines = [[]];
  const add = (kind, piece) => piece.split("\n").forEach((part, index) => {
    if (index) lines.push([]);
    if (part) lines[lines.length - 1].push([kind, part]);
  });
  LEAN_TOKEN.lastIndex = 0;
  while (LEAN_TOKEN.lastIndex < text.length) {
    const start = LEAN_TOKEN.lastIndex, found = LEAN_TOKEN.exec(text);
    if (!found) { add("", text.slice(start)); break; }
    const groups = found.groups, token = found[0];
    if (groups.block) {
      const end = commentEnd(text, start);
      add("c", text.slice(start, end));
      LEAN_TOKEN.lastIndex = end;
    } else if (groups.ident) {
      add(token === "sorry" || token === "admit" ? "bad"
        : keywords.has(token) ? "k" : tactics.has(token) ? "t" : "", token);
    } else {
      add(groups.comment ? "c" : groups.string || groups.char ? "s" : groups.number ? "n"
        : groups.symbol && /:=|=>|<;>|\u00B7|\u22A2/.test(token) ? "o" : "", token);
    }
  }
  return lines;
}

// The lines of both, each with " ", "-" or "+" before it: the longest common subsequence stays.
function difference(before, after) {
  const a = before.split("\n"), b = after.split("\n");
  let start = 0, endA = a.length, endB = b.length;
  while (start < endA && start < endB && a[start] === b[start]) start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) { endA--; endB--; }
  const out = a.slice(0, start).map((line) => [" ", line]);
  const n = endA - start, m = endB - start;
  if (n * m > 4e6) {
    for (let i = start; i < endA; i++) out.push(["-", a[i]]);
    for (let j = start; j < endB; j++) out.push(["+", b[j]]);
  } else {
    const best = new Uint32Array((n + 1) * (m + 1)), width = m + 1;
    for (let i = n - 1; i >= 0; i--) {
      for (let j = m - 1; j >= 0; j--) {
        best[i * width + j] = a[start + i] === b[start + j] ? best[(i + 1) * width + j + 1] + 1
          : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
      }
    }
    let i = 0, j = 0;
    while (i < n || j < m) {
      if (i < n && j < m && a[start + i] === b[start + j]) {
        out.push([" ", a[start + i]]);
        i++; j++;
      } else if (j >= m || (i < n && best[(i + 1) * width + j] >= best[i * width + j + 1])) {
        out.push(["-", a[start + i++]]);
      } else out.push(["+", b[start + j++]]);
    }
  }
  return out.concat(a.slice(endA).map((line) => [" ", line]));
}
