// A temporary conversation is deleted when it is closed. A tab holds it open while it shows the
// conversation or one of its sources. Leaving a page closes it; the next such page, or another tab
// that has it open, reopens it. Without this script it is deleted when it expires.
(() => {
  "use strict";

  const KEY = "temporary"; // in sessionStorage: the address of the conversation
  const BESIDE = ["/citations/", "/library/"];
  // Milliseconds. Close and reopen requests can arrive in any order: reopen late, and twice.
  const REOPEN_AFTER = [2_000, 20_000];

  let conversation, channel;
  let timers = [];

  function begin() {
    conversation = held();
    if (!conversation || channel) return;
    channel = new BroadcastChannel(KEY);
    channel.addEventListener("message", ({ data }) => data === conversation && reopenSoon());
    window.addEventListener("pagehide", close);
    window.addEventListener("pageshow", reopenSoon);
  }

  function held() {
    const shown = document.querySelector("[data-temporary]")?.dataset.temporary;
    const earlier = sessionStorage.getItem(KEY);
    const isBeside = [`${earlier}/`, ...BESIDE].some((path) => location.pathname.startsWith(path));
    if (shown) sessionStorage.setItem(KEY, shown);
    else if (!isBeside) sessionStorage.removeItem(KEY);
    return shown ?? (isBeside ? earlier : null);
  }

  function fields() {
    const { name, value } = document.querySelector("[name=csrfmiddlewaretoken]");
    return new URLSearchParams({ [name]: value });
  }

  function close() {
    timers.forEach(clearTimeout);
    navigator.sendBeacon(`${conversation}/close`, fields());
    channel.postMessage(conversation);
  }

  function reopen() {
    // Offline, or deleted meanwhile: the next question shows the error.
    fetch(`${conversation}/reopen`, { method: "POST", body: fields() }).catch(() => {});
  }

  function reopenSoon() {
    timers.forEach(clearTimeout);
    timers = REOPEN_AFTER.map((pause) => setTimeout(reopen, pause));
  }

  document.addEventListener("begun", begin);
  begin();
})();
