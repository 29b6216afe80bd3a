// A temporary conversation goes when it is closed. This tab holds it open as long as it shows the
// conversation or something that it cites; leaving says that it is closed, and whatever the tab shows
// next, or another tab that has it open, takes that back. Without this script it goes after its time.
(() => {
  "use strict";

  const KEY = "temporary"; // in sessionStorage: the address of the conversation
  const BESIDE = ["/citations/", "/library/"];
  // A closing and what takes it back can arrive in any order: it is said late, and once more.
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
    // Offline, or gone meanwhile: the next question says so.
    fetch(`${conversation}/reopen`, { method: "POST", body: fields() }).catch(() => {});
  }

  function reopenSoon() {
    timers.forEach(clearTimeout);
    timers = REOPEN_AFTER.map((pause) => setTimeout(reopen, pause));
  }

  document.addEventListener("begun", begin);
  begin();
})();
