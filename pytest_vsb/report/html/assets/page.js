(() => {
  // Nothing here makes elements of text: whatever a model wrote goes into the page by textContent
  // and setAttribute of fixed names only.
  const WORDS = JSON.parse(document.getElementById("words").textContent);
  const KEYWORDS = new Set(WORDS.keywords), TACTICS = new Set(WORDS.tactics);
  const report = document.getElementById("report"), article = document.getElementById("task");
  const table = document.getElementById("task-table"), body = table.tBodies[0];
  const rows = [...body.rows];
  const title = document.title;
  const GOOD = "accepted";

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === false || value === null || value === undefined) continue;
      if (name === "onclick") element.addEventListener("click", value);
      else if (name === "class") element.className = value;
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(3).filter((child) => child !== null && child !== undefined));
    return element;
  }
  const words = (text) => text.replaceAll("_", " ");
  const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  // ---- Code ------------------------------------------------------------------------------------

  const lex = (text) => lexLean(text, KEYWORDS, TACTICS);

  // The pieces of a line, cut where marked ranges begin and end; columns count code points.
  function pieces(tokens, ranges) {
    if (!ranges.length) return tokens.map(([kind, text]) => span(kind, text));
    const out = [];
    let column = 0;
    for (const [kind, text] of tokens) {
      const points = [...text];
      let from = 0;
      const marked = (index) => ranges.find((r) => r.from <= column + index && column + index < r.to);
      while (from < points.length) {
        const range = marked(from);
        let to = from + 1;
        while (to < points.length && marked(to) === range) to++;
        const piece = span(kind, points.slice(from, to).join(""));
        out.push(range ? make("span", { class: `mark ${range.kind}` }, piece) : piece);
        from = to;
      }
      column += points.length;
    }
    return out;
  }
  const span = (kind, text) => (kind ? make("span", { class: kind }, text) : text);

  function code(text, label, diagnostics = []) {
    const lines = lex(text);
    const block = make("div", { class: "code", role: "group", "aria-label": label });
    lines.forEach((tokens, index) => {
      const number = index + 1;
      const here = diagnostics.filter((d) => Math.min(d.at[0], lines.length) === number);
      const ranges = here.filter((d) => d.to && d.severity !== "information").map((d) => ({
        from: d.at[1],
        to: d.to[0] === d.at[0] ? Math.max(d.to[1], d.at[1] + 1) : Infinity,
        kind: d.severity,
      }));
      block.append(make("div", { class: here.some((d) => d.severity === "error") ? "l at" : "l",
        "data-n": number }, make("code", {}, pieces(tokens, ranges))));
      here.forEach((d) => block.append(diagnosticBlock(d, false)));
    });
    return block;
  }

  function diagnosticBlock(diagnostic, placed) {
    const lines = diagnostic.text.split("\n");
    const where = placed && diagnostic.region ? ` in the ${diagnostic.region}` : "";
    const content = [make("p", { class: "what" },
      make("strong", {}, diagnostic.severity), where,
      make("span", { class: "place" }, ` at ${diagnostic.line}:${diagnostic.column} of the file`),
      diagnostic.kind ? make("span", { class: "place" }, `, ${diagnostic.kind}`) : null)];
    const say = (part) => {
      const text = part.join("\n").replace(/^\n+|\s+$/g, "");
      if (text) content.push(make("pre", {}, text));
    };
    if (diagnostic.goals) {
      const [from, to] = diagnostic.goals;
      say(lines.slice(0, from));
      content.push(make("pre", { class: "goal", role: "group", "aria-label": "goals" },
        lex(lines.slice(from, to).join("\n")).map((tokens, index) => [index ? "\n" : "",
          tokens.map(([kind, text]) => span(kind, text))])));
      say(lines.slice(to));
    } else say(lines);
    return make("div", { class: `diagnostic ${diagnostic.severity}` }, content);
  }

  // ---- What changed ------------------------------------------------------------------------------

  function differenceBlock(before, after, label) {
    const block = make("div", { class: "code diff", role: "group", "aria-label": label });
    const names = { "+": "added: ", "-": "removed: " };
    for (const [sign, line] of difference(before, after)) {
      block.append(make("div", { class: sign === "+" ? "l added" : sign === "-" ? "l removed" : "l",
        "data-n": sign },
        sign === " " ? null : make("span", { class: "unseen" }, names[sign]),
        make("code", {}, (lex(line)[0] || []).map(([kind, text]) => span(kind, text)))));
    }
    return block;
  }

  // ---- One task ----------------------------------------------------------------------------------

  const unpacked = new Map();

  async function unpack(number) {
    if (!unpacked.has(number)) {
      const text = atob(document.getElementById(`packed-${number}`).textContent);
      const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      let plain;
      if (typeof DecompressionStream === "function") {
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
        plain = await new Response(stream).arrayBuffer();
      } else plain = inflateZlib(bytes);
      unpacked.set(number, JSON.parse(new TextDecoder().decode(plain)));
    }
    return unpacked.get(number);
  }

  const listing = (facts, kind) => make("dl", { class: kind },
    facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));

  function samplesOf(run) {
    const samples = new Map();
    for (const attempt of run.attempts) {
      if (!samples.has(attempt.sample)) samples.set(attempt.sample, []);
      samples.get(attempt.sample).push(attempt);
    }
    return samples;
  }

  function seconds(value) {
    return value < 100 ? `${value.toFixed(2)} s` : `${Math.round(value)} s`;
  }

  function attemptBlock(task, attempt, before) {
    const text = (number) => (number === undefined ? "" : task.texts[number]);
    const diagnostics = (attempt.diagnostics || []).map((d) => ({ ...d, text: text(d.message) }));
    const inside = (region) => diagnostics.filter((d) => d.at && d.region === region);
    const proof = text(attempt.proof), auxiliary = text(attempt.auxiliary);
    const elsewhere = diagnostics.filter((d) => !d.at
      || !(d.region === "proof" && proof || d.region === "auxiliary" && auxiliary));
    const name = `Sample ${attempt.sample + 1}, ${attempt.round ? `repair ${attempt.round}` : "first answer"}`;
    const shown = make("div");
    const plain = () => [
      auxiliary ? [make("p", { class: "part" }, "Auxiliary declarations"),
        code(auxiliary, "auxiliary declarations", inside("auxiliary"))] : null,
      proof ? [make("p", { class: "part" }, "Proof"), code(proof, "proof", inside("proof"))] : null,
    ];
    const put = (content) => shown.replaceChildren(...content.flat(3).filter(Boolean));
    put(plain());
    let choice = null;
    if (before && before.proof !== undefined && proof) {
      const whole = (a) => [text(a.auxiliary), text(a.proof)].filter(Boolean).join("\n\n");
      const change = () => [make("p", { class: "part" },
        `Changes since ${before.round ? `repair ${before.round}` : "the first answer"}`),
        differenceBlock(whole(before), whole(attempt), "changes")];
      const buttons = [["Proof", plain], ["Changes", change]].map(([label, content], index) =>
        make("button", { type: "button", "aria-pressed": index ? "false" : "true", onclick(event) {
          buttons.forEach((b) => b.setAttribute("aria-pressed", b === event.currentTarget));
          put(content());
        } }, label));
      choice = make("div", { class: "choice", role: "group", "aria-label": `${name}: view` }, buttons);
    }
    const numbers = [];
    if (attempt.lean) numbers.push(`Lean ${seconds(attempt.lean)}`);
    if (attempt.memory) numbers.push(`${attempt.memory} MB`);
    return make("section", { class: "attempt" },
      make("div", { class: "heading" }, make("h3", {}, name),
        make("span", { class: `badge ${attempt.verdict === GOOD ? "solved" : attempt.verdict === "unavailable" ? "unjudged" : "failed"}` },
          words(attempt.verdict)),
        make("span", { class: "place" }, numbers.join(", ")), choice),
      attempt.cut ? make("p", { class: "note" }, "It was cut off before it was judged to the end.") : null,
      attempt.reason === undefined ? null : make("pre", { class: "reason" }, text(attempt.reason)),
      proof ? null : make("p", { class: "hint" }, "There is no proof in the answer."),
      shown,
      elsewhere.length && (proof || auxiliary)
        ? make("p", { class: "part" }, "Elsewhere in the file, or where is not known") : null,
      elsewhere.map((d) => diagnosticBlock(d, true)),
      attempt.more ? make("p", { class: "hint" }, `${plural(attempt.more, "more message")} not shown.`) : null,
      make("details", { class: "facts" }, make("summary", {}, "Usage and checks"),
        listing(attempt.facts, "facts")));
  }

  function runBlock(task, run, wanted, nodeid) {
    const samples = samplesOf(run);
    const heading = WORDS.runs.length > 1
      ? make("h2", {}, make("span", { class: `swatch s${run.run % 8}` }), WORDS.runs[run.run])
      : make("h2", {}, "Attempts");
    const counted = `${run.c} of ${plural(run.n, "sample")} proved it`
      + (run.first !== null && run.first !== run.c ? `, ${run.first} without repair` : "");
    const block = make("section", { class: "one-run" }, heading, make("p", {}, counted,
      run.status === "done" ? "" : `; ${words(run.status)}`), run.reason ? make("pre", { class: "reason" }, run.reason) : null);
    if (!samples.size) {
      if (run.error) block.append(make("pre", { class: "reason" }, run.error));
      block.append(make("p", { class: "hint" }, "No attempts are kept here."));
      return block;
    }
    const place = make("div");
    const order = [...samples.keys()].sort((a, b) => a - b);
    const buttons = new Map();
    const show = (sample) => {
      buttons.forEach((button, key) => button.setAttribute("aria-pressed", key === sample));
      const attempts = samples.get(sample);
      place.replaceChildren(...attempts.map((attempt, index) =>
        attemptBlock(task, attempt, attempts[index - 1])));
    };
    for (const sample of order) {
      const attempts = samples.get(sample), last = attempts[attempts.length - 1];
      buttons.set(sample, make("button", { type: "button", "aria-pressed": "false",
        "aria-label": `Sample ${sample + 1}: ${attempts.map((a) => words(a.verdict)).join(", then ")}`,
        class: last.verdict === GOOD ? "sample solved" : last.verdict === "unavailable" ? "sample unjudged" : "sample",
        onclick() {
          show(sample);
          history.replaceState(null, "", `#task=${encodeURIComponent(nodeid)}&run=${run.run}&sample=${sample + 1}`);
        } }, String(sample + 1), make("span", { class: "rounds", "aria-hidden": "true" },
        attempts.map((a) => make("i", { class: a.verdict === GOOD ? "solved" : "" })))));
    }
    block.append(make("div", { class: "samples", role: "group",
      "aria-label": "Samples" }, [...buttons.values()]), place);
    if (run.left) {
      block.append(make("p", { class: "hint" },
        `${plural(run.left, "more attempt")} at this task: in the run directory, not on this page.`));
    }
    const asked = wanted !== null && samples.has(wanted) ? wanted : null;
    const good = order.find((sample) => samples.get(sample).some((a) => a.verdict === GOOD));
    show(asked ?? good ?? order[0]);
    return block;
  }

  function neighbour(row, step) {
    const all = [...body.rows].filter((other) => !other.hidden || other === row);
    return all[all.indexOf(row) + step] || null;
  }
  const link = (row, text, rel) => (row
    ? make("a", { href: row.querySelector("a").getAttribute("href"), rel }, text)
    : make("span", { class: "off", "aria-hidden": "true" }, text));

  let ticket = 0;

  async function openTask(asked) {
    const mine = ++ticket;
    const row = rows.find((other) => other.dataset.nodeid === asked.task);
    report.hidden = true;
    article.hidden = false;
    const way = make("nav", { class: "way", "aria-label": "Tasks" },
      make("a", { href: "#tasks", class: "back" }, "All tasks"),
      row ? link(neighbour(row, -1), "Previous", "prev") : null,
      row ? link(neighbour(row, 1), "Next", "next") : null);
    const heading = make("h1", { id: "task-title", tabindex: "-1" }, row ? "" : "No such task");
    article.setAttribute("aria-labelledby", "task-title");
    article.replaceChildren(way, heading);
    if (!row) {
      article.append(make("p", {}, "The link names a task that is not in this report:"),
        make("pre", { class: "reason" }, asked.task));
    } else {
      let task;
      try {
        task = await unpack(Number(row.dataset.number));
      } catch (error) {
        task = null;
        article.append(make("p", { class: "note" }, `The attempts cannot be unpacked: ${error.message}`));
      }
      if (mine !== ticket) return;
      heading.textContent = task ? task.name : row.dataset.nodeid;
      if (task) {
        article.append(make("p", { class: "nodeid" }, task.nodeid), listing(task.facts, "chips"));
        if (task.statement) {
          article.append(make("h2", {}, "Statement"), code(task.statement, "statement"));
        }
        task.runs.forEach((run) => article.append(runBlock(task, run,
          asked.run === null || asked.run === run.run ? asked.sample : null, row.dataset.nodeid)));
      }
    }
    document.title = `${heading.textContent} - ${title}`;
    window.scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }

  // ---- Where we are ------------------------------------------------------------------------------

  let left = null;

  function parse(hash) {
    const found = {};
    for (const part of hash.replace(/^#/, "").split("&")) {
      const at = part.indexOf("=");
      if (at < 0) continue;
      try {
        found[part.slice(0, at)] = decodeURIComponent(part.slice(at + 1));
      } catch { /* not one of our links */ }
    }
    const number = (text) => (/^\d+$/.test(text || "") ? Number(text) : null);
    const sample = number(found.sample);
    return { task: found.task, run: number(found.run), sample: sample ? sample - 1 : null };
  }

  function route() {
    const asked = parse(location.hash);
    if (asked.task !== undefined) {
      if (!report.hidden) left = { top: window.scrollY, focus: document.activeElement };
      openTask(asked);
      return;
    }
    ticket++;
    const came = report.hidden;
    report.hidden = false;
    article.hidden = true;
    article.replaceChildren();
    document.title = title;
    if (!came) return;
    const target = document.getElementById(location.hash.slice(1));
    if (left && (!target || target.id === "tasks")) {
      window.scrollTo(0, left.top);
      if (left.focus && body.contains(left.focus)) left.focus.focus({ preventScroll: true });
    } else if (target) target.scrollIntoView();
  }

  window.addEventListener("hashchange", route);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !article.hidden && !event.defaultPrevented) location.hash = "#tasks";
  });

  // ---- The table of tasks ------------------------------------------------------------------------

  const form = document.getElementById("filter"), shown = document.getElementById("shown");
  const texts = rows.map((row) => row.textContent.toLowerCase() + " " + row.dataset.nodeid.toLowerCase());

  function filter() {
    const values = Object.fromEntries(new FormData(form));
    const wanted = values.text.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, index) => {
      const kinds = row.dataset.result.split(" ");
      const fits = wanted.every((word) => texts[index].includes(word))
        && (!values.result || (values.result === "differs" ? kinds.length > 1
          : values.result === "solved" ? ["solved", "first", "repaired"].some((kind) => kinds.includes(kind))
            : kinds.includes(values.result)))
        && ["repository", "category", "error"].every((key) => !values[key] || row.dataset[key] === values[key]);
      row.hidden = !fits;
      count += fits;
    });
    shown.textContent = count === rows.length ? plural(count, "task") : `${count} of ${plural(rows.length, "task")}`;
    document.getElementById("nothing").hidden = count > 0;
  }
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  filter();

  const collator = new Intl.Collator("en", { numeric: true });
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    const numeric = cell.dataset.sort === "number";
    const button = make("button", { type: "button", onclick() {
      const down = cell.getAttribute("aria-sort") ? cell.getAttribute("aria-sort") === "ascending" : numeric;
      [...table.tHead.rows[0].cells].forEach((other) => other.removeAttribute("aria-sort"));
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.value;
      const order = (a, b) => (numeric ? key(a) - key(b) : collator.compare(key(a), key(b)));
      body.append(...[...rows].sort((a, b) => (down ? order(b, a) : order(a, b))));
    } });
    button.append(...cell.childNodes);
    cell.append(button);
  });
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (!row || event.target.closest("a") || String(getSelection())) return;
    location.hash = row.querySelector("a").getAttribute("href");
  });

  // ---- Light and dark ----------------------------------------------------------------------------

  const theme = document.getElementById("theme"), THEMES = ["automatic", "light", "dark"];
  const stored = () => { try { return localStorage.getItem("vsb-theme"); } catch { return null; } };
  function paint(name) {
    theme.textContent = `Theme: ${name}`;
    if (name === "automatic") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", name);
    try { localStorage.setItem("vsb-theme", name); } catch { /* a file may have no storage */ }
  }
  let current = THEMES.includes(stored()) ? stored() : "automatic";
  paint(current);
  theme.hidden = false;
  theme.addEventListener("click", () => {
    current = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length];
    paint(current);
  });

  route();
  document.documentElement.setAttribute("data-ready", "");
})();
