// The page of a document in the side panel: as an image or text, zoom, paging, and a link to it.
(() => {
  "use strict";

  const TEXT = "page:text";
  const ENLARGED = 1.25; // share of its natural width above which the larger image is shown
  const ON_ITS_OWN = /\/citations\/[^/]+$/;

  // --- The page, or its text ------------------------------------------------------------------

  function prepare(root) {
    const place = root.querySelector?.(".page-place");
    if (place) show(place, localStorage.getItem(TEXT) ? "text" : "page");
  }

  function show(place, view) {
    const body = place.parentElement;
    place.hidden = view === "text";
    body.classList.toggle("is-page", view === "page");
    for (const button of body.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", button.dataset.view === view);
    if (view === "page" && !place.dataset.asked) {
      place.dataset.asked = "1";
      htmx.trigger(place, "draw");
    }
    if (view === "text") body.querySelector(".passage-text mark")?.scrollIntoView({ block: "nearest" });
  }

  // If a page can't be rendered, show the text with the message above it.
  function fail(place, said) {
    if (said) place.replaceChildren(Object.assign(document.createElement("p"), { className: "notice", role: "status", textContent: said }));
    show(place, "text");
    place.hidden = false;
    delete place.dataset.asked;
  }

  function begin(place) {
    const figure = place.querySelector(".page");
    if (!figure) return fail(place);
    const picture = figure.querySelector("img");
    picture.addEventListener("error", () => fail(place, picture.dataset.failed));
    zoom(figure, place.dataset.zoom ?? "fit");
    note(figure.dataset.page);
  }

  // --- Size ---------------------------------------------------------------------------------------

  function zoom(figure, size) {
    const picture = figure.querySelector("img");
    figure.closest(".page-place").dataset.zoom = size;
    figure.classList.toggle("is-fit", size === "fit");
    const scale = Number(size) || 1;
    const { width, height, normal, large } = picture.dataset;
    picture.width = scale * width;
    picture.height = scale * height;
    const shown = size === "fit" ? figure.clientWidth : picture.width;
    if (shown * devicePixelRatio > ENLARGED * width) picture.src = large;
    else picture.src ||= normal;
    center(figure);
    for (const button of figure.querySelectorAll("[data-zoom]")) button.setAttribute("aria-pressed", button.dataset.zoom === size);
  }

  // Scroll the first mark to the middle of the frame, without scrolling the panel.
  function center(figure) {
    const frame = figure.querySelector(".page-frame");
    const mark = figure.querySelector(".page-mark")?.getBoundingClientRect();
    if (!mark) return;
    const seen = frame.getBoundingClientRect();
    frame.scrollBy(mark.left + mark.width / 2 - seen.left - seen.width / 2, mark.top + mark.height / 2 - seen.top - seen.height / 2);
  }

  // --- The address: a link to the page that is open -------------------------------------------------

  function note(page) {
    const address = new URL(location.href);
    if (page) address.searchParams.set("page", page);
    else address.searchParams.delete("page");
    history.replaceState(history.state, "", address);
  }

  document.addEventListener("beside", ({ detail }) => {
    const address = new URL(location.href);
    address.searchParams.delete("page");
    if (detail && ON_ITS_OWN.test(detail)) address.searchParams.set("source", detail.split("/").pop());
    else address.searchParams.delete("source");
    history.replaceState(history.state, "", address);
  });

  function reopen() {
    const asked = new URL(location.href).searchParams;
    const source = asked.get("source");
    if (!/^[0-9a-f-]{36}$/.test(source ?? "")) return;
    const page = asked.get("page");
    const link = document.createElement("a");
    link.href = `/citations/${source}${/^\d{1,9}$/.test(page ?? "") ? `?page=${page}` : ""}`;
    document.dispatchEvent(new CustomEvent("open-beside", { detail: link }));
  }

  // --- Events -------------------------------------------------------------------------------------

  document.addEventListener("click", ({ target }) => {
    const view = target.closest("[data-view]");
    const size = target.closest(".page [data-zoom]");
    if (view) {
      const place = view.closest(".panel-body").querySelector(".page-place");
      if (view.dataset.view === "text") localStorage.setItem(TEXT, "1");
      else localStorage.removeItem(TEXT);
      show(place, view.dataset.view);
    } else if (size) zoom(size.closest(".page"), size.dataset.zoom);
  });
  document.body.addEventListener("htmx:load", (event) => prepare(event.detail.elt));
  document.body.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
    if (target.matches(".page-place")) begin(target);
  });
  reopen();
})();
