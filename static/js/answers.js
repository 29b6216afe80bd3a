// Streaming of an answer: events are read from a response and shown on the page. After a lost
// connection, the stream is resumed with the id of the last event.
// Streamed text is never parsed as HTML (draft.js); the finished turn is rendered by the server.
(() => {
  "use strict";

  const main = document.querySelector("main");
  const status = document.getElementById("status");
  const toasts = document.getElementById("toasts");
  const MOST_TRIES = 6; // for a question that the server hasn't accepted
  const LONGEST_PAUSE = 8_000;
  // Error codes that outside a stream are answered with a page, without a JSON error.
  const UNTOLD = ["not_authenticated", "permission_denied", "not_found", "bad_request"];

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
    // `place` is the URL of the conversation's turns; undefined until the conversation has one.
    constructor(element, place) {
      this.element = element;
      this.place = place;
      this.turn = element.dataset.turn ?? "";
      this.lastEvent = "";
      this.text = "";
      this.leaves = false;
    }

    find(selector) {
      return this.element.querySelector(selector);
    }

    // Show one event; return whether it was the last.
    take({ event, id, data }) {
      this.lastEvent = id;
      const value = JSON.parse(data);
      if (event === "turn") this.begin(value);
      else if (event === "waiting") this.say(`waiting-${value.before === 1 ? "one" : "other"}`, value.before);
      else if (event === "step") this.showStep(value);
      else if (event === "rewrite" && value.reason !== "of_the_answer" && isOther(value.standalone_query, this.find(".question").textContent)) {
        this.find(".searched-query").textContent = value.standalone_query;
        this.find(".searched").hidden = false;
      } else if (event === "passages") {
        if (value.passages.length) this.say("reading");
      } else if (event === "delta") {
        this.text += value.text;
        keepingToTheEnd(() => this.find(".streaming").replaceChildren(...window.draft.draw(this.text)));
        this.say("writing");
      }
      return event === "done" || event === "error";
    }

    // Show the state and duration of a step in the list of steps.
    showStep({ step, state, milliseconds }) {
      const line = this.find(`[data-step="${step}"]`);
      line.className = `is-${state}`;
      line.lastElementChild.textContent = state === "skipped" ? "–" : `${Math.round(milliseconds)} ms`;
      line.hidden = false;
    }

    begin(turn) {
      this.turn = turn.turn_id;
      this.element.dispatchEvent(new CustomEvent("taken", { bubbles: true, detail: turn }));
      // conversation.js may have set the URL by now.
      this.place ??= this.element.closest("[data-turns]")?.dataset.turns;
      if (!this.place) {
        // The conversation's own page resumes the stream.
        this.leaves = true;
        location.assign(`/conversations/${turn.session_id}`);
        return;
      }
      this.element.dataset.turn = this.turn;
      this.text = "";
      this.find(".streaming").replaceChildren();
      this.element.querySelectorAll("[data-step]").forEach((line) => { line.hidden = true; });
      this.find("#stop").action = `${this.url}/stop`;
      if (turn.resumed) this.say("resumed");
      else if (turn.documents) this.say(`searching-${turn.documents === 1 ? "one" : "other"}`, turn.documents);
    }

    get url() {
      return `${this.place}/${this.turn}`;
    }

    // Show the current step, with the text of the line's data attribute.
    say(doing, count) {
      const step = this.find(".step");
      const words = step.getAttribute(`data-${doing}`).replace("{count}", count);
      if (step.textContent !== words) step.textContent = words;
    }

    resume() {
      const headers = { Accept: "text/event-stream" };
      if (this.lastEvent) headers["Last-Event-ID"] = this.lastEvent;
      return fetch(this.url, { headers });
    }

    // Replace this turn with the one that the server renders.
    async finish() {
      const response = await fetch(this.url, { headers: { "HX-Request": "true" } });
      if (response.status === 404) throw new Refused({ code: "gone", message: toasts.dataset.gone });
      if (!response.ok || response.redirected) throw new TypeError(`status ${response.status}`);
      const template = document.createElement("template");
      template.innerHTML = await response.text();
      const finished = template.content.querySelector(".turn");
      finished.classList.toggle("is-asked", this.element.classList.contains("is-asked"));
      for (const part of [".searched", ".pipeline-steps"]) {
        finished.querySelector(part)?.toggleAttribute("open", Boolean(this.find(part)?.open));
      }
      keepingToTheEnd(() => this.element.replaceWith(finished));
      renewInShort(template.content.querySelector("#in-short"));
      htmx.process(finished);
      htmx.trigger(finished, "htmx:load", { elt: finished });
      status.textContent = status.dataset.answered;
      document.dispatchEvent(new CustomEvent("answered"));
    }
  }

  // Replace the notice about summarised older turns.
  function renewInShort(renewed) {
    const shown = document.querySelector("#in-short");
    if (!shown || !renewed) return;
    renewed.querySelector("details")?.toggleAttribute("open", Boolean(shown.querySelector("details[open]")));
    shown.replaceWith(renewed);
  }

  // Whether two questions differ by more than case and punctuation.
  function isOther(one, two) {
    const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu)?.join(" ");
    return words(one) !== words(two);
  }

  // Read the answer to its end, reconnecting after each lost connection.
  async function follow(answer, send) {
    let ended = false;
    for (let lost = 0; ; lost += 1) {
      try {
        if (!ended) {
          for await (const event of eventsOf(await accepted(await send()))) {
            if (event.event === "error") await heard(JSON.parse(event.data));
            ended = answer.take(event);
            if (event.event !== "waiting") lost = 0; // the question isn't accepted yet
            if (answer.leaves) return undefined;
          }
          // The stream closed without an end event: the server may have lost events. Read them all again.
          if (!ended) answer.lastEvent = "";
        }
        if (ended) return await answer.finish();
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      if (answer.turn) {
        send = () => answer.resume();
        if (!ended) answer.say("lost");
      } else if (lost >= MOST_TRIES) {
        throw new Refused({ code: "unreachable", message: toasts.dataset.unreachable });
      }
      await new Promise((resume) => setTimeout(resume, Math.min(300 * 2 ** lost, LONGEST_PAUSE)));
    }
  }

  // Return the response if it is a stream; throw the error if it was refused.
  async function accepted(response) {
    const type = response.headers.get("Content-Type") ?? "";
    if (response.ok && type.startsWith("text/event-stream")) return response;
    const { error } = type.startsWith("application/json") ? await response.json() : {};
    return refuse(response.status, error);
  }

  // If the stream began before admission, its error event holds the HTTP status of a refusal. An error
  // without a status belongs to a stored turn.
  function heard(error) {
    if (!error.status) return undefined;
    return refuse(error.status, UNTOLD.includes(error.code) ? undefined : error);
  }

  function refuse(status, error) {
    if (error && (status < 500 || error.code === "overloaded")) throw new Refused(error);
    if (status >= 500) throw new TypeError(`status ${status}`);
    if (status === 404) throw new Refused({ code: "gone", message: toasts.dataset.gone });
    // Signed out, or an outdated form: the reloaded page shows which.
    location.reload();
    return new Promise(() => {});
  }

  const below = () => main.scrollHeight - main.scrollTop - main.clientHeight;
  const newest = () => [...document.querySelectorAll(".turn")].at(-1);
  const isPast = (turn) => turn.getBoundingClientRect().top < parseFloat(getComputedStyle(main).scrollPaddingTop) - 8;

  // Keep a reader at the end of the text there: until the question reaches the top, and beyond only if
  // the reader has scrolled past it.
  function keepingToTheEnd(change) {
    const atEnd = below() < 120;
    const readsOn = isPast(newest());
    change();
    if (atEnd && readsOn) main.scrollTop = main.scrollHeight;
    else if (atEnd) showNewest();
  }

  // Scroll to the end, but no further than to the newest question: answers begin below it.
  function showNewest() {
    main.scrollTop = main.scrollHeight;
    const turn = newest();
    if (turn && isPast(turn)) turn.scrollIntoView({ block: "start" });
  }

  window.answers = { Answer, follow, showNewest };
})();
