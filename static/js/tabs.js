// One conversation in several tabs: a question asked in one is shown in the others. Questions from
// other devices are shown after the next answer.
(() => {
  "use strict";

  const { Answer, follow } = window.answers;
  let transcript, place;
  const tabs = new BroadcastChannel("turns");
  const turns = () => [...transcript.querySelectorAll(".turn[id]")];
  const position = (turn) => Number(turn.id.replace("turn-", ""));

  async function catchUp() {
    const response = await fetch(location.pathname, { headers: { "HX-Request": "true" } });
    if (!response.ok || response.redirected) return;
    const template = document.createElement("template");
    template.innerHTML = await response.text();
    for (const turn of template.content.querySelectorAll(".turn")) {
      if (!document.getElementById(turn.id) && !isBeingAsked(turn)) insert(turn);
    }
  }

  // A question of this tab has no position until it is answered.
  const isBeingAsked = (turn) => Boolean(transcript.querySelector(`.turn[data-turn="${turn.dataset.turn}"]`));

  function insert(turn) {
    const next = turns().find((shown) => position(shown) > position(turn));
    transcript.querySelectorAll(".transcript-empty, .follow-ups").forEach((hint) => hint.remove());
    if (!next) transcript.querySelectorAll(".is-asked").forEach((asked) => asked.classList.remove("is-asked"));
    if (next) next.before(turn);
    else transcript.append(turn);
    htmx.process(turn);
    htmx.trigger(turn, "htmx:load", { elt: turn });
    if ("open" in turn.dataset) {
      const answer = new Answer(turn, place);
      follow(answer, () => answer.resume());
    }
  }

  function hasGap() {
    const [before, newest] = turns().slice(-2).map(position);
    return newest > before + 1;
  }

  function begin() {
    transcript = document.querySelector("#transcript:not(:has(> .later))");
    place = transcript?.dataset.turns;
  }

  tabs.addEventListener("message", ({ data }) => {
    if (place && data === place && !transcript.querySelector(".turn[data-open]")) catchUp();
  });
  document.addEventListener("taken", () => place && tabs.postMessage(place));
  document.addEventListener("answered", () => {
    if (!place) return;
    tabs.postMessage(place);
    if (hasGap()) catchUp();
  });
  document.addEventListener("begun", begin);
  begin();
})();
