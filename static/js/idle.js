// Idle sign-out: activity is reported to the server, and the page warns a minute before the end. The
// server keeps the time, so other tabs count too. Without this script only page loads and forms count
// as activity.
(() => {
  "use strict";

  const PLACE = "/account/activity";
  const WARN_BEFORE = 60; // seconds
  const ACTS = ["pointerdown", "keydown", "wheel", "touchmove"];

  let end = 0;
  let warnBefore = WARN_BEFORE;
  let reportEvery = 30;
  let reported = Date.now();
  let acted = false;
  let asking = false;
  let understood = false;
  let said;
  let dialog;

  const secondsLeft = () => Math.max(0, Math.ceil((end - Date.now()) / 1000));

  async function ask(method) {
    if (asking) return;
    asking = true;
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
    try {
      const response = await fetch(PLACE, { method, headers: { "X-CSRFToken": token } });
      if (response.redirected) leave();
      else if (response.ok) learn(await response.json(), method);
    } catch {
      // Offline: retried after a second.
    } finally {
      asking = false;
    }
  }

  function learn(answer, method) {
    said = answer;
    end = Date.now() + answer.seconds * 1000;
    if (answer.idle) {
      warnBefore = Math.min(WARN_BEFORE, answer.idle / 2);
      reportEvery = Math.min(30, answer.idle / 10);
    }
    if (method === "POST") {
      reported = Date.now();
      acted = false;
    }
    if (secondsLeft() > warnBefore) close();
  }

  function leave() {
    const next = encodeURIComponent(location.pathname + location.search);
    location.assign(`/account/login/?ended=1&next=${next}`);
  }

  // --- The warning ------------------------------------------------------------------------------

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function warn() {
    if (!dialog) {
      const { title, text, kept, stay } = said.words;
      const hasDraft = document.querySelector("[data-composer]");
      const button = element("button", { className: "button primary", type: "button", textContent: stay });
      dialog = element(
        "dialog",
        { className: "dialog idle", role: "alertdialog" },
        element("h2", { id: "idle-title", textContent: title }),
        element("p", { id: "idle-text", textContent: hasDraft ? `${text} ${kept}` : text }),
        element("p", { className: "idle-left" }),
        element("div", { className: "dialog-actions" }, button),
      );
      dialog.setAttribute("aria-labelledby", "idle-title");
      dialog.setAttribute("aria-describedby", "idle-text");
      dialog.addEventListener("cancel", act);
      button.addEventListener("click", act);
      document.body.append(dialog);
      dialog.showModal();
    }
    dialog.querySelector(".idle-left").textContent = said.words.left.replace("{seconds}", secondsLeft());
  }

  function close() {
    dialog?.remove();
    dialog = undefined;
  }

  // --- Activity, and the timer ----------------------------------------------------------------------

  function act() {
    acted = true;
    if (dialog) {
      close();
      understood = said.is_final;
      ask("POST");
    } else if (Date.now() - reported > reportEvery * 1000) ask("POST");
  }

  async function tick() {
    if (!said || secondsLeft() > warnBefore) {
      if (!said) await ask("GET");
      else if (acted && Date.now() - reported > reportEvery * 1000) await ask("POST");
      return;
    }
    if (!dialog || secondsLeft() % 5 === 0) await ask(acted && !dialog ? "POST" : "GET");
    if (secondsLeft() <= warnBefore && !understood) warn();
  }

  for (const name of ACTS) {
    document.addEventListener(name, (event) => event.isTrusted && !dialog && act(), { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", tick);
  setInterval(tick, 1000);
  tick();
})();
