// Asking: the question stands on the page at once, whatever page it was asked on, and its answer is
// read from the same response (answers.js). Without this script the forms do the same by page.
(() => {
  "use strict";

  const { Answer, follow, showNewest } = window.answers;
  const main = document.querySelector("main");
  // Of a page that shows an earlier part, the conversation's end is elsewhere.
  const transcript = document.querySelector("#transcript:not(:has(> .later))");
  const composer = document.querySelector("[data-composer]");
  const textarea = composer?.querySelector("textarea");
  const later = composer?.querySelector(".composer-later");
  const toasts = document.getElementById("toasts");
  const draft = `draft:${composer?.dataset.draft ?? "new"}`;
  let leavesFor; // the conversation that has begun here, until its page is there

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
    if (form === composer) write("");
    sessionStorage.setItem(draft, question); // until the server has it
    try {
      await follow(answer, post(form, fields));
      htmx.trigger(document.body, "asked");
    } catch (error) {
      giveBack(answer, form, question, error);
    }
  }

  // One question is answered at a time: the next one stands in its place, unless it is changed, and
  // is asked as soon as the answer is there.
  function askLater(form, question) {
    if (form !== composer) write(question);
    setLater(true);
  }

  function setLater(waits) {
    composer.toggleAttribute("data-later", waits);
    later.textContent = waits ? later.dataset.words : "";
    if (leavesFor) takeAlong();
  }

  function askWhatWaits() {
    if (!composer?.hasAttribute("data-later")) return;
    setLater(false);
    composer.requestSubmit();
  }

  // The first answer is read on the conversation's own page: what is typed until that is there, whether
  // it was sent, and where one was typing go along.
  function takeAlong() {
    const left = { waits: composer.hasAttribute("data-later"), typing: composer.contains(document.activeElement) };
    sessionStorage.setItem(`draft:${leavesFor}`, textarea.value);
    sessionStorage.setItem(`left:${leavesFor}`, JSON.stringify(left));
  }

  function goOnWithWhatWasLeft() {
    const key = `left:${composer.dataset.draft}`;
    const { waits, typing } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    sessionStorage.removeItem(key);
    if (typing) textarea.focus({ preventScroll: true });
    if (!waits) return;
    setLater(true);
    if (!document.querySelector(".turn[data-open]")) askWhatWaits();
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

  // Where there is no conversation yet, the page makes room for its first question.
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
    sessionStorage.setItem("draft:new", question);
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
    if (sessionStorage.getItem(draft) === detail.query) sessionStorage.removeItem(draft);
    if (transcript || !composer) return;
    leavesFor = detail.session_id;
    composer.dataset.draft = leavesFor;
    takeAlong();
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

  // Gone back to: the first question has its conversation by now.
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
    if (composer) goOnWithWhatWasLeft();
  }
})();
