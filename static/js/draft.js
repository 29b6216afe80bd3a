// Preview of a streaming answer: basic Markdown, built from elements and text nodes only. The server
// renders the final answer.
(() => {
  "use strict";

  const INLINE = /\*\*(.+?)(?:\*\*|$)|`([^`]+)(?:`|$)| ?\[(\d{1,3})\]| ?\[\^(\d{1,3})\]/gs;
  const PLACE = /^[^\n]{0,300}( › |· ?pp?\. ?\d)[^\n]{0,300}$/;
  const DEEPEST = 4; // levels of nested quotations
  const ITEM = /^\s*(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/;

  function element(name, ...children) {
    const made = document.createElement(name);
    made.append(...children);
    return made;
  }

  function classed(name, className, ...children) {
    return Object.assign(element(name, ...children), { className });
  }

  function inline(text) {
    const pieces = [];
    let at = 0;
    for (const found of text.matchAll(INLINE)) {
      const [whole, bold, code, number, note] = found;
      pieces.push(text.slice(at, found.index));
      if (bold) pieces.push(element("strong", ...inline(bold)));
      else if (code) pieces.push(element("code", code));
      else if (number) pieces.push(classed("span", "citation", number));
      else pieces.push(element("sup", note));
      at = found.index + whole.length;
    }
    return [...pieces, text.slice(at)];
  }

  // Kinds of blocks: the pattern of a line's beginning, and the function that builds the element.
  const KINDS = [
    [/^\s*>/, (lines, depth) => element("blockquote", ...blocks(lines.map((line) => line.replace(/^\s*> ?/, "")), depth + 1))],
    [/^\s*\|/, (lines) => framed(element("table", ...lines.filter((line) => /[^|:\s-]/.test(line)).map(row)))],
    [ITEM, list],
    [/^#{1,6}\s/, (lines) => element("div", ...lines.map((line) => element("h3", ...inline(line.replace(/^#+\s+/, "")))))],
    [/^\[\^\d{1,3}\]:/, () => ""], // the notes are listed below the finished answer
    [/^/, (lines) => element("p", ...inline(lines.join("\n")))],
  ];

  function framed(content) {
    return classed("div", "frame", classed("div", "frame-scrolls", content));
  }

  function row(line) {
    const cells = line.trim().replace(/^\||\|$/g, "").split("|");
    return element("tr", ...cells.map((cell) => element("td", ...inline(cell.trim()))));
  }

  function list(lines) {
    const items = lines.map((line) => element("li", ...inline(line.match(ITEM)[2])));
    const first = lines[0].match(ITEM)[1];
    return Object.assign(element(first ? "ol" : "ul", ...items), first ? { start: Number(first) } : {});
  }

  function blocks(lines, depth) {
    if (depth > DEEPEST) return [element("p", lines.join("\n"))];
    const made = [];
    while (lines.length) {
      const [first] = lines;
      if (/^\s*```/.test(first)) {
        const end = lines.findIndex((line, index) => index && /^\s*```/.test(line));
        const code = lines.slice(1, end < 0 ? undefined : end).join("\n");
        made.push(framed(element("pre", element("code", code))));
        lines = end < 0 ? [] : lines.slice(end + 1);
      } else if (!first.trim()) {
        lines = lines.slice(1);
      } else {
        const kind = (line) => (line.trim() && !/^\s*```/.test(line) ? KINDS.findIndex(([begins]) => begins.test(line)) : -1);
        const own = kind(first);
        const end = lines.findIndex((line) => kind(line) !== own);
        const block = KINDS[own][1](lines.slice(0, end < 0 ? undefined : end), depth);
        if (made.at(-1)?.tagName === "BLOCKQUOTE" && PLACE.test(block.textContent)) block.className = "place";
        made.push(block);
        lines = end < 0 ? [] : lines.slice(end);
      }
    }
    return made;
  }

  window.draft = { draw: (text) => blocks(text.split("\n"), 0) };
})();
