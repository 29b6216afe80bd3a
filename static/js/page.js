// Scripts of every page: the side panel, dialogs, copying, and error messages. Without this script
// each of these is a page or a link.
(() => {
  "use strict";

  const main = document.querySelector("main");
  const panel = document.getElementById("beside");
  const dialog = document.getElementById("dialog");
  const toasts = document.getElementById("toasts");
  const offline = document.getElementById("offline");
  const TOAST_TIME = 10_000;
  const BEFORE_OPENING = 200; // milliseconds; faster responses show no loading message

  // --- Side panel: a source, or the record of an answer -------------------------------------

  const SOURCE = panel.getAttribute("aria-label");
  let opener = null;

  async function openBeside(link) {
    const { href, pathname } = link;
    const from = main.contains(link) ? link : main.querySelector(`a[href="${CSS.escape(pathname)}"]`) ?? opener;
    const opening = setTimeout(sayOpening, BEFORE_OPENING);
    await htmx.ajax("GET", href, { target: panel, swap: "innerHTML" }).finally(() => clearTimeout(opening));
    if (panel.querySelector(".panel-opening")) return closeBeside(); // loading failed; a toast says so
    opener?.removeAttribute("aria-expanded");
    opener = from;
    opener?.setAttribute("aria-expanded", "true");
    if (from !== link) opener?.scrollIntoView({ block: "nearest" });
    panel.setAttribute("aria-label", link.dataset.beside ?? SOURCE);
    panel.hidden = false;
    panel.scrollTop = 0;
    panel.focus({ preventScroll: true });
    const mark = panel.querySelector("mark[data-sought]") ?? panel.querySelector("mark");
    mark?.scrollIntoView({ block: "nearest" });
    document.dispatchEvent(new CustomEvent("beside", { detail: pathname }));
  }

  function sayOpening() {
    panel.replaceChildren(Object.assign(document.createElement("p"), { className: "panel-opening", textContent: panel.dataset.opening }));
    panel.hidden = false;
  }

  function closeBeside() {
    panel.hidden = true;
    opener?.removeAttribute("aria-expanded");
    opener?.focus({ preventScroll: true });
    opener = null;
    document.dispatchEvent(new CustomEvent("beside"));
  }

  // --- Copying --------------------------------------------------------------------------------

  async function copy(button) {
    const around = button.parentElement;
    const source = around.querySelector(".copy-text")?.content ?? around.querySelector("pre");
    const text = source.textContent.trim();
    const formatted = around.matches(".answer-actions") && formattedAnswer(around.closest(".answer"));
    if (navigator.clipboard) await write(text, formatted);
    else copyTheOldWay(text); // plain http on a local network has no clipboard
    button.classList.add("copied");
    button.title = button.dataset.copied;
    document.getElementById("status").textContent = button.dataset.copied;
    setTimeout(() => button.classList.remove("copied"), 2000);
  }

  // Return the answer as HTML for the clipboard: citation numbers as text, sources below.
  function formattedAnswer(answer) {
    const copy = document.createElement("div");
    copy.append(...[".written", ".sources"].flatMap((part) => answer.querySelector(part)?.cloneNode(true) ?? []));
    copy.querySelectorAll("[data-copy], template, .note-back").forEach((part) => part.remove());
    copy.querySelectorAll(".citation, .footnote, .source-number").forEach((number) => number.replaceWith(`[${number.textContent}]`));
    const sources = [...copy.querySelectorAll(".sources > li")];
    copy.querySelector(".sources")?.replaceWith(...sources.map(({ innerHTML }) => Object.assign(document.createElement("p"), { innerHTML })));
    copy.querySelectorAll("a, .sort").forEach((link) => link.replaceWith(...link.childNodes));
    for (const part of copy.querySelectorAll("*")) {
      for (const { name } of [...part.attributes]) if (!["start", "display"].includes(name)) part.removeAttribute(name);
    }
    return copy.innerHTML;
  }

  // Write plain text, and HTML if there is any.
  async function write(text, formatted) {
    if (!formatted) return navigator.clipboard.writeText(text);
    const kinds = { "text/plain": text, "text/html": formatted };
    const blobs = Object.entries(kinds).map(([type, words]) => [type, new Blob([words], { type })]);
    return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  }

  function copyTheOldWay(text) {
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }

  // --- Exports generated before the download --------------------------------------------------

  // Show progress in the form until the file arrives, or the reason of a refusal.
  async function makeFile(form, button) {
    const working = form.querySelector("[data-working]");
    const address = `${button.formAction}?${new URLSearchParams(new FormData(form))}`;
    working.textContent = working.dataset.working;
    button.disabled = true;
    try {
      const response = await fetch(address, { headers: { "HX-Request": "true" } });
      const [, name] = /filename="(.+)"/.exec(response.headers.get("Content-Disposition")) ?? [];
      if (name) save(await response.blob(), name);
      else showRefusal(form, await response.text());
    } catch {
      toast(toasts.dataset.unreachable);
    }
    working.textContent = "";
    button.disabled = false;
  }

  function save(file, name) {
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement("a"), { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), TOAST_TIME);
  }

  function showRefusal(form, text) {
    const refused = new DOMParser().parseFromString(text, "text/html").querySelector(".exports");
    if (refused) form.replaceWith(refused);
    else toast(toasts.dataset.failed);
  }

  // --- Toasts ---------------------------------------------------------------------------------------

  function toast(message) {
    const element = document.createElement("div");
    element.className = "toast";
    element.setAttribute("role", "alert");
    element.append(message);
    toasts.replaceChildren(dismissable(element));
    setTimeout(() => element.remove(), TOAST_TIME);
  }

  function dismissable(element) {
    const dismiss = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: toasts.dataset.dismiss,
    });
    dismiss.addEventListener("click", () => element.remove());
    element.append(dismiss);
    return element;
  }

  function showConnection() {
    offline.hidden = navigator.onLine;
  }

  // Show the buttons that need a script.
  function prepare(root) {
    root.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = false; });
  }

  // --- Events ----------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const on = (selector) => event.target.closest(selector);
    const beside = on("a.citation, a[data-beside]");
    if (beside) {
      event.preventDefault();
      if (beside === opener) closeBeside();
      else openBeside(beside);
    } else if (on("[data-close-panel]")) closeBeside();
    else if (on("[data-copy]")) copy(on("[data-copy]"));
    else if (dialog.open && (on("[data-close-dialog]") || event.target === dialog)) {
      event.preventDefault();
      dialog.close();
    } else if (on(".menu :is(a, button)")) on(".menu").hidePopover();
    else if (on("[data-cancel]") && !on(".sheet")) {
      event.preventDefault();
      on("form").remove();
    }
  });

  document.addEventListener("submit", (event) => {
    if (!event.submitter?.matches("[data-made]")) return;
    event.preventDefault();
    makeFile(event.target, event.submitter);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const renaming = event.target.closest("[data-titled] .rename");
    if (renaming) renaming.remove();
    else if (!panel.hidden && !dialog.open) closeBeside();
  });

  // Arrow keys, Home and End move through an open menu.
  document.addEventListener("keydown", (event) => {
    const menu = document.querySelector(".menu:popover-open");
    const key = ["ArrowDown", "ArrowUp", "Home", "End"].indexOf(event.key);
    if (!menu || key < 0) return;
    event.preventDefault();
    const items = [...menu.querySelectorAll("a, button")].filter((item) => item.checkVisibility());
    const at = items.indexOf(document.activeElement);
    const to = [at + 1, at < 0 ? -1 : at - 1, 0, -1][key];
    items.at(to % items.length).focus();
  });

  document.addEventListener("open-beside", (event) => openBeside(event.detail));
  document.addEventListener("toast", (event) => toast(event.detail));
  window.addEventListener("online", showConnection);
  window.addEventListener("offline", showConnection);

  document.body.addEventListener("htmx:beforeSwap", (event) => {
    // Signed out meanwhile: the response is the sign-in page, which needs the whole window.
    if (new URL(event.detail.xhr.responseURL).pathname.startsWith("/account/")) {
      event.detail.shouldSwap = false;
      location.reload();
    }
    if (event.detail.target.matches(".earlier")) keepPlace();
  });
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === dialog) dialog.showModal();
    if (event.detail.elt.matches?.("[data-titled]")) event.detail.elt.querySelector("input[name=title]")?.select();
  });
  document.body.addEventListener("htmx:load", (event) => prepare(event.detail.elt));
  document.body.addEventListener("htmx:responseError", () => toast(toasts.dataset.failed));
  document.body.addEventListener("htmx:sendError", () => toast(toasts.dataset.unreachable));

  // Keep the scroll position when earlier turns are inserted above.
  function keepPlace() {
    const below = main.scrollHeight - main.scrollTop;
    main.addEventListener("htmx:afterSettle", () => { main.scrollTop = main.scrollHeight - below; }, { once: true });
  }

  // Screen readers announce only changes: insert the page's initial messages again.
  for (const message of toasts.querySelectorAll("[data-message]")) {
    requestAnimationFrame(() => toasts.append(dismissable(message)));
  }
  showConnection();
})();
