// What every page does beyond its links and forms: the source beside the answer, dialogs, copying,
// local times, and words for what went wrong. Without this script each of these is a page or a link.
(() => {
  "use strict";

  const main = document.querySelector("main");
  const panel = document.getElementById("passage");
  const dialog = document.getElementById("dialog");
  const toasts = document.getElementById("toasts");
  const offline = document.getElementById("offline");
  const TOAST_TIME = 10_000;

  // --- The source beside the answer ---------------------------------------------------------

  let opener = null;

  async function openPassage(link) {
    await htmx.ajax("GET", link.href, { target: panel, swap: "innerHTML" });
    opener?.removeAttribute("aria-expanded");
    opener = link;
    opener.setAttribute("aria-expanded", "true");
    panel.hidden = false;
    panel.focus({ preventScroll: true });
    panel.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }

  function closePassage() {
    panel.hidden = true;
    opener?.removeAttribute("aria-expanded");
    opener?.focus({ preventScroll: true });
    opener = null;
  }

  // --- Copying --------------------------------------------------------------------------------

  async function copy(button) {
    const text = button.parentElement.querySelector(".copy-text").content.textContent.trim();
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyTheOldWay(text); // plain http on a local network has no clipboard
    button.classList.add("copied");
    button.title = button.dataset.copied;
    document.getElementById("status").textContent = button.dataset.copied;
    setTimeout(() => button.classList.remove("copied"), 2000);
  }

  function copyTheOldWay(text) {
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }

  // --- Words for what went wrong ----------------------------------------------------------------

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

  // --- Times and buttons that need a script --------------------------------------------------------

  function localise(time) {
    const date = new Date(time.dateTime);
    const soon = Math.abs(date - Date.now()) < 48 * 3_600_000;
    const style = soon ? { weekday: "long", hour: "numeric", minute: "2-digit" } : { dateStyle: "long" };
    const { lang, dataset } = document.documentElement;
    const { timeZone } = dataset; // as the person chose; without a choice, the browser's
    time.textContent = new Intl.DateTimeFormat(lang, { ...style, timeZone }).format(date);
    time.title = date.toLocaleString(lang, { timeZone });
  }

  function prepare(root) {
    root.querySelectorAll("time[data-local]").forEach(localise);
    root.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = false; });
  }

  // --- Events ----------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const on = (selector) => event.target.closest(selector);
    const passage = on("a.citation, a[data-passage]");
    if (passage) {
      event.preventDefault();
      openPassage(passage);
    } else if (on("[data-close-panel]")) closePassage();
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

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const renaming = event.target.closest("[data-titled] .rename");
    if (renaming) renaming.remove();
    else if (!panel.hidden && !dialog.open) closePassage();
  });

  document.addEventListener("toast", (event) => toast(event.detail));
  window.addEventListener("online", showConnection);
  window.addEventListener("offline", showConnection);

  document.body.addEventListener("htmx:beforeSwap", (event) => {
    // Signed out meanwhile: the answer is the sign-in page, which belongs to the whole window.
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

  // Earlier turns come in above: what is being read stays where it is.
  function keepPlace() {
    const below = main.scrollHeight - main.scrollTop;
    main.addEventListener("htmx:afterSettle", () => { main.scrollTop = main.scrollHeight - below; }, { once: true });
  }

  // A message of the page itself was there before anyone listened: said again, it is heard.
  for (const message of toasts.querySelectorAll("[data-message]")) {
    requestAnimationFrame(() => toasts.append(dismissable(message)));
  }
  showConnection();
})();
