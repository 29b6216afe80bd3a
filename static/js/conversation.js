// Asking and reading: a question is posted, and its answer read from the same response as a stream of
// events. The answer doesn't hang on this page: whatever is lost here is resumed with the id of the
// last event, here, after a reload or in another tab. Text that streams in is only ever text; the
// finished turn comes from the server as HTML. Without this script the forms do the same by page.
(() => {
  "use strict";

  const main = document.querySelector("main");
  const transcript = document.getElementById("transcript");
  const composer = document.querySelector("[data-composer]");
  const textarea = composer?.querySelector("textarea");
  const status = document.getElementById("status");
  const toasts = document.getElementById("toasts");
  const draft = `draft:${composer?.dataset.draft}`;
  const MOST_TRIES = 6; // for a question that the server hasn't taken
  const LONGEST_PAUSE = 8_000;

  class Refused extends Error {
    constructor({ code, message }) {
      super(message);
      this.code = code;
    }
  }

  // --- A stream of events ----------------------------------------------------------------------

  async function* eventsOf(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const event = parsed(block);
        if (event.event) yield event;
      }
    }
  }

  function parsed(block) {
    const event = {};
    for (const line of block.split("\n")) {
      const [, field, value] = line.match(/^(\w+): ?(.*)$/s) ?? [];
      if (field) event[field] = value;
    }
    return event;
  }

  // --- An answer on the page ----------------------------------------------------------------------

  class Answer {
    constructor(element) {
      this.element = element;
      this.turn = element?.dataset.turn ?? "";
      this.lastEvent = "";
    }

    find(selector) {
      return this.element.querySelector(selector);
    }

    // Show one event; return whether it was the last.
    take({ event, id, data }) {
      this.lastEvent = id;
      const value = JSON.parse(data);
      if (event === "turn") this.begin(value);
      if (!this.element) return false;
      if (event === "rewrite" && value.changed) {
        this.find(".searched-query").textContent = value.standalone_query;
        this.find(".searched").hidden = false;
      } else if (event === "passages") {
        this.say(this.find(".progress").dataset.found);
      } else if (event === "delta") {
        keepingToTheEnd(() => this.find(".streaming").append(value.text));
        this.find(".progress").hidden = true;
      }
      return event === "done" || event === "error";
    }

    begin(turn) {
      this.turn = turn.turn_id;
      if (sessionStorage.getItem(draft) === turn.query) sessionStorage.removeItem(draft);
      if (!this.element) {
        // On the first page: the conversation's own page goes on from here.
        location.assign(`/conversations/${turn.session_id}`);
        return;
      }
      this.element.dataset.turn = this.turn;
      this.find(".streaming").textContent = "";
      this.find(".progress").hidden = false;
      this.find("#stop").action = `${this.url}/stop`;
    }

    get url() {
      return `${transcript.dataset.turns}/${this.turn}`;
    }

    say(words) {
      Object.assign(this.find(".progress"), { textContent: words, hidden: false });
    }

    resume() {
      const headers = { Accept: "text/event-stream" };
      if (this.lastEvent) headers["Last-Event-ID"] = this.lastEvent;
      return fetch(this.url, { headers });
    }

    // Put the turn as the server renders it in the place of this one.
    async finish() {
      const response = await fetch(this.url, { headers: { "HX-Request": "true" } });
      if (!response.ok || response.redirected) throw new TypeError(`status ${response.status}`);
      const template = document.createElement("template");
      template.innerHTML = await response.text();
      const finished = template.content.querySelector(".turn");
      keepingToTheEnd(() => this.element.replaceWith(finished));
      htmx.process(finished);
      htmx.trigger(finished, "htmx:load", { elt: finished });
      status.textContent = transcript.dataset.answered;
    }
  }

  // Read the answer to its end, however often the connection is lost on the way.
  async function follow(answer, send) {
    let ended = false;
    for (let lost = 0; ; lost += 1) {
      try {
        if (!ended) {
          for await (const event of eventsOf(await accepted(await send()))) {
            ended = answer.take(event);
            lost = 0;
          }
          // A whole stream without an end: a server that died had said more than it kept.
          if (!ended) answer.lastEvent = "";
        }
        if (ended) return await answer.finish();
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      if (answer.turn) {
        if (!answer.element) return undefined;
        send = () => answer.resume();
        if (!ended) answer.say(answer.find(".progress").dataset.lost);
      } else if (lost >= MOST_TRIES) {
        throw new Refused({ code: "unreachable", message: toasts.dataset.unreachable });
      }
      await new Promise((resume) => setTimeout(resume, Math.min(300 * 2 ** lost, LONGEST_PAUSE)));
    }
  }

  // Return the response if it is a stream; say why if it was refused.
  async function accepted(response) {
    const type = response.headers.get("Content-Type") ?? "";
    if (response.ok && type.startsWith("text/event-stream")) return response;
    if (response.status >= 500) throw new TypeError(`status ${response.status}`);
    if (type.startsWith("application/json")) {
      const { error } = await response.json();
      throw new Refused(error);
    }
    if (response.status === 404) throw new Refused({ code: "gone", message: toasts.dataset.gone });
    // Signed out, or the form is too old: the page as it is now says so.
    location.reload();
    return new Promise(() => {});
  }

  // --- Asking -----------------------------------------------------------------------------------------

  function post(form, fields) {
    const headers = { Accept: "text/event-stream" };
    return () => fetch(form.action, { method: "POST", headers, body: fields });
  }

  async function ask(form, submitter) {
    const fields = new URLSearchParams(new FormData(form, submitter));
    const question = fields.get("query").trim();
    if (!question || document.querySelector(".turn[data-open], [aria-busy=true][data-ask]")) return;
    fields.set("idempotency_key", newKey());
    form.setAttribute("aria-busy", "true");
    const answer = new Answer(transcript && newTurn(question));
    if (form === composer) write("");
    sessionStorage.setItem(draft, question); // until the server has it
    try {
      await follow(answer, post(form, fields));
      htmx.trigger(document.body, "asked");
    } catch (error) {
      giveBack(answer, form, question, error);
    } finally {
      form.removeAttribute("aria-busy");
    }
  }

  function newTurn(question) {
    transcript.querySelectorAll(".transcript-empty, .follow-ups").forEach((hint) => hint.remove());
    const turn = document.getElementById("new-turn").content.cloneNode(true).querySelector(".turn");
    turn.querySelector(".question").textContent = question;
    transcript.append(turn);
    main.scrollTop = main.scrollHeight;
    status.textContent = transcript.dataset.answering;
    return turn;
  }

  function giveBack(answer, form, question, error) {
    answer.element?.remove();
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
    const answer = new Answer(turn);
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

  // --- The page around ----------------------------------------------------------------------------------

  function write(text) {
    textarea.value = text;
    textarea.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function tell(message) {
    document.dispatchEvent(new CustomEvent("toast", { detail: message }));
  }

  // Scroll on with the text, but only for a reader who is at the end.
  function keepingToTheEnd(change) {
    const atEnd = main.scrollHeight - main.scrollTop - main.clientHeight < 120;
    change();
    if (atEnd) main.scrollTop = main.scrollHeight;
  }

  // --- Events -----------------------------------------------------------------------------------------------

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-ask]")) ask(form, event.submitter);
    else if (form.matches("[data-retry]")) retry(form);
    else if (form.id === "stop") fetch(form.action, { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams(new FormData(form)) });
    else return;
    event.preventDefault();
  });

  if (transcript) {
    if (!location.hash) main.scrollTop = main.scrollHeight;
    for (const turn of transcript.querySelectorAll(".turn[data-open]")) {
      const answer = new Answer(turn);
      follow(answer, () => answer.resume());
    }
  }
})();
