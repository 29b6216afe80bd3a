// Tables in answers: sortable by their column titles; on a phone, one card per row.
// Without this script rows keep the answer's order.
(() => {
  "use strict";

  const FIGURE = /-?\d[\d.,]*/;

  function prepare(root) {
    for (const table of root.querySelectorAll(".written .frame table")) {
      const titles = [...table.querySelectorAll("thead th")];
      if (!titles.some((title) => title.textContent.trim()) || table.dataset.prepared) continue;
      table.dataset.prepared = "yes";
      for (const row of table.tBodies[0]?.rows ?? []) {
        [...row.cells].forEach((cell, at) => { cell.dataset.label = titles[at]?.textContent ?? ""; });
      }
      titles.forEach((title, at) => sortable(table, title, at));
    }
  }

  function sortable(table, title, at) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...title.childNodes);
    title.append(button);
    button.addEventListener("click", () => sort(table, title, at));
  }

  function sort(table, title, at) {
    const isDown = title.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
    title.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: keyOf(row.cells[at]) }));
    rows.sort((one, two) => compare(one.key, two.key) * (isDown ? -1 : 1));
    body.append(...rows.map(({ row }) => row));
  }

  // Return the text of a cell without its citation numbers.
  function keyOf(cell) {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll("a").forEach((link) => link.remove());
    return copy.textContent.trim();
  }

  function compare(one, two) {
    const figures = [one, two].map((text) => parseFloat(text.match(FIGURE)?.[0].replaceAll(",", "")));
    if (figures.every((figure) => !Number.isNaN(figure)) && figures[0] !== figures[1]) return figures[0] - figures[1];
    return one.localeCompare(two, undefined, { numeric: true });
  }

  document.body.addEventListener("htmx:load", (event) => prepare(event.detail.elt));
  prepare(document);
})();
