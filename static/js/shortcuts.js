// Single-key shortcuts. They can be switched off, because speech input types letters.
(() => {
  "use strict";

  const dialog = document.getElementById("dialog");
  const list = document.getElementById("shortcuts");
  const OFF = "shortcuts:off";

  const isOn = () => !localStorage.getItem(OFF);

  function show() {
    dialog.replaceChildren(list.content.cloneNode(true));
    dialog.querySelector("[data-shortcuts-on]").checked = isOn();
    dialog.showModal();
  }

  function focus(selector) {
    const field = document.querySelector(selector);
    field?.focus();
    return Boolean(field);
  }

  function search() {
    const sidebar = document.getElementById("sidebar");
    if (getComputedStyle(sidebar).display === "none") sidebar.showPopover();
    return focus(".search input");
  }

  function follow(selector) {
    const link = document.querySelector(selector);
    link?.click();
    return Boolean(link);
  }

  // Go to the question after or before the one that is read now.
  function step(way) {
    const turns = [...document.querySelectorAll(".turn")];
    const top = (turn) => turn.getBoundingClientRect().top - 72; // relative to the scroll position
    const next = way > 0 ? turns.find((turn) => top(turn) > 8) : turns.findLast((turn) => top(turn) < -8);
    if (!next) return false;
    next.setAttribute("tabindex", "-1");
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
    return true;
  }

  const KEYS = {
    "/": () => focus("#query"),
    n: () => follow(".new-conversation"),
    s: search,
    l: () => follow("[data-library]"),
    j: () => step(1),
    k: () => step(-1),
    ",": () => follow(":is(main, #beside:not([hidden])) [data-step='-1']"),
    ".": () => follow(":is(main, #beside:not([hidden])) [data-step='1']"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    const act = event.key === "?" ? show : isOn() && KEYS[event.key];
    if (act && act() !== false) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-shortcuts]")) show();
    else if (event.target.closest("[data-print]")) print();
  });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-shortcuts-on]")) return;
    if (event.target.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  });

  document.querySelectorAll("[data-shortcuts], [data-print]").forEach((button) => { button.hidden = false; });
})();
