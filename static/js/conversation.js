// Asking: the question is shown at once, and its answer is read from the same response (answers.js).
// Without this script the forms load a page instead.
(() => {
  "use strict";

  const { Answer, follow, showNewest } = window.answers;
  const main = document.querySelector("main");
  // A page with an earlier part of the conversation does not show its end.
  let transcript = document.querySelector("#transcript:not(:has(> .later))");
  const composer = document.querySelector("[data-composer]");
  const textarea = composer?.querySelector("textarea");
  const later = composer?.querySelector(".composer-later");
  const toasts = document.getElementById("toasts");
  const draftNamed = (name) => `draft:${composer?.dataset.person}:${name}`;
  const draft = () => draftNamed(composer?.dataset.draft ?? "new");
  let shown = location.pathname; // the address of what the page shows

  // --- Asking -----------------------------------------------------------------------------------------

  function post(form, fields) {
    const headers = { Accept: "text/event-stream" };
    return () => fetch(form.action, { method: "POST", headers, body: fields });
  }

  async function ask(form, submitter) {
    const fields = new URLSearchParams(new FormData(form, submitter));
    const question = fields.get("query").trim();
    if (!question) return;
    if (document.querySelector(".turn[data-open]")) {
      askLater(form, question);
      return;
    }
    fields.set("idempotency_key", newKey());
    const answer = new Answer(newTurn(question), transcript?.dataset.turns);
    if (form === composer) {
      write("");
      if (composer.elements.structure) composer.elements.structure.value = "";
    }
    sessionStorage.setItem(draft(), question); // until the server has it
    try {
      await follow(answer, post(form, fields));
      htmx.trigger(document.body, "asked");
    } catch (error) {
      giveBack(answer, form, question, error);
    }
  }

  // One question is answered at a time. The next one waits in the field, and is sent after the answer
  // unless it is edited.
  function askLater(form, question) {
    if (form !== composer) write(question);
    setLater(true);
  }

  function setLater(waits) {
    composer.toggleAttribute("data-later", waits);
    later.textContent = waits ? later.dataset.words : "";
  }

  function askWhatWaits() {
    if (!composer?.hasAttribute("data-later")) return;
    setLater(false);
    composer.requestSubmit();
  }

  // With its first question the page becomes the conversation's page without a page load, which would
  // lose the letters typed meanwhile.
  function become(conversation) {
    shown = `/conversations/${conversation}`;
    history.pushState(null, "", shown);
    transcript = Object.assign(document.querySelector(".transcript.is-first"), { id: "transcript", className: "transcript" });
    composer.action = transcript.dataset.turns = `${shown}/turns`;
    composer.dataset.draft = conversation;
    sessionStorage.setItem(draft(), textarea.value);
    composer.querySelector(".composer-options")?.remove();
    const dock = composer.parentElement;
    [...dock.children].filter((part) => part !== composer && !part.matches(".attached")).forEach((part) => part.remove());
    dock.className = "composer-dock";
    showNewest();
    renewAround(dock).catch(() => location.reload());
  }

  async function renewAround(dock) {
    const response = await fetch(shown);
    if (!response.ok || response.redirected) throw new TypeError(`status ${response.status}`);
    const its = new DOMParser().parseFromString(await response.text(), "text/html");
    const topbar = its.querySelector(".topbar");
    document.title = its.title;
    textarea.placeholder = its.querySelector("[data-composer] textarea").placeholder;
    Object.assign(transcript.dataset, its.querySelector("#transcript").dataset);
    document.querySelector(".topbar").replaceWith(topbar);
    dock.prepend(...its.querySelectorAll(".composer-dock > .notice"));
    document.getElementById("attach").append(its.querySelector("#attach [name=session]"));
    htmx.process(topbar);
    htmx.trigger(topbar, "htmx:load", { elt: topbar });
    htmx.trigger(document.body, "asked");
    document.dispatchEvent(new CustomEvent("begun"));
  }

  function newTurn(question) {
    const place = transcript ?? firstTranscript();
    place.querySelectorAll(".transcript-empty, .follow-ups").forEach((hint) => hint.remove());
    place.querySelectorAll(".is-asked").forEach((turn) => turn.classList.remove("is-asked"));
    const turn = document.getElementById("new-turn").content.cloneNode(true).querySelector(".turn");
    turn.querySelector(".question").textContent = question;
    place.append(turn);
    showNewest();
    return turn;
  }

  // Add a transcript for the first question of a new conversation.
  function firstTranscript() {
    const place = Object.assign(document.createElement("div"), { className: "transcript is-first" });
    main.querySelector(".topbar").after(place);
    return place;
  }

  function giveBack(answer, form, question, error) {
    answer.element.closest(".is-first")?.remove();
    answer.element.remove();
    if (form === composer && !textarea.value) write(question);
    if (error.code === "session_full") location.reload();
    else if (error.code === "gone") keepForNew(question, error.message);
    else tell(error.message);
    if (error.code === "document_gone") htmx.trigger(form.querySelector(".chooser-list [type=search]"), "renew");
  }

  // The conversation has expired or was deleted: its question can begin another one.
  function keepForNew(question, message) {
    sessionStorage.setItem(draftNamed("new"), question);
    document.querySelector(".composer-dock").replaceChildren(
      Object.assign(document.createElement("a"), { className: "button", href: "/", textContent: toasts.dataset.anew }),
    );
    tell(message);
  }

  async function retry(form) {
    const turn = form.closest(".turn");
    const fields = new URLSearchParams(new FormData(form));
    const answering = document.getElementById("new-turn").content.querySelector(".answer");
    turn.querySelector(".answer").replaceWith(answering.cloneNode(true));
    turn.dataset.open = "";
    const answer = new Answer(turn, transcript.dataset.turns);
    try {
      await follow(answer, post(form, fields));
    } catch (error) {
      tell(error.message);
      await answer.finish();
    }
  }

  // crypto.randomUUID is missing on plain http outside localhost.
  function newKey() {
    return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
  }

  function write(text) {
    textarea.value = text;
    textarea.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function tell(message) {
    document.dispatchEvent(new CustomEvent("toast", { detail: message }));
  }

  // --- Events -----------------------------------------------------------------------------------------------

  document.addEventListener("taken", ({ detail }) => {
    if (sessionStorage.getItem(draft()) === detail.query) sessionStorage.removeItem(draft());
    if (composer?.dataset.draft === "new") become(detail.session_id);
  });
  // Back to the start page, or forward again.
  window.addEventListener("popstate", () => {
    if (location.pathname !== shown) location.reload();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-ask]")) ask(form, event.submitter);
    else if (form.matches("[data-retry]")) retry(form);
    else if (form.id === "stop") fetch(form.action, { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams(new FormData(form)) });
    else return;
    event.preventDefault();
  });

  document.addEventListener("answered", askWhatWaits);
  textarea?.addEventListener("input", () => setLater(false));

  // Restored by the Back button: the first question has its conversation by now.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted && document.querySelector(".is-first")) location.reload();
  });

  if (transcript) {
    for (const turn of transcript.querySelectorAll(".turn[data-open]")) {
      turn.classList.add("is-asked");
      const answer = new Answer(turn, transcript.dataset.turns);
      follow(answer, () => answer.resume());
    }
    if (!location.hash) showNewest();
  }
})();
