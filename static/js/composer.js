// The composer: grows with its text, counts characters, keeps a draft for this tab, sends with Enter.
(() => {
  "use strict";

  const composer = document.querySelector("[data-composer]");
  if (!composer) return;

  const textarea = composer.querySelector("textarea");
  const send = composer.querySelector(".send");
  const count = composer.querySelector(".composer-count");
  const limit = Number(composer.dataset.limit);
  // Drafts are separate for each person who uses this browser.
  // The first question of a conversation changes the address, and so the draft's key.
  const draft = () => `draft:${composer.dataset.person}:${composer.dataset.draft}`;

  function typed() {
    const used = textarea.value.length;
    sessionStorage.setItem(draft(), textarea.value);
    count.textContent = count.dataset.count.replace("{used}", used).replace("{limit}", limit);
    count.hidden = used < limit * 0.9;
    count.classList.toggle("over", used > limit);
    send.disabled = !textarea.value.trim() || used > limit;
    grow();
  }

  function grow() {
    if (CSS.supports("field-sizing", "content")) return;
    textarea.style.height = "auto";
    textarea.style.height = `${textarea.scrollHeight}px`;
  }

  // Copy a turn's question into the field for rewording; undo works as after typing.
  function takeUp(turn) {
    textarea.focus();
    textarea.select();
    document.execCommand("insertText", false, turn.querySelector(".question").textContent);
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-take-up]")) takeUp(event.target.closest(".turn"));
  });
  textarea.addEventListener("input", typed);
  textarea.addEventListener("keydown", (event) => {
    const last = [...document.querySelectorAll(".turn")].at(-1);
    if (event.key === "ArrowUp" && !textarea.value && last) {
      event.preventDefault();
      takeUp(last);
    }
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!send.disabled) composer.requestSubmit(send);
  });
  if (!textarea.value) textarea.value = sessionStorage.getItem(draft()) ?? "";
  typed();

  // With a hardware keyboard, focus the field, so that letters are not taken for shortcuts. On touch
  // screens the keyboard would cover the answer; a URL with a fragment scrolls to its target.
  const READS_ON = "(min-width: 60rem) and (hover: hover) and (pointer: fine)";
  const isFree = document.activeElement === document.body && !location.hash && !document.querySelector("dialog[open]");
  if (isFree && matchMedia(READS_ON).matches) textarea.focus({ preventScroll: true });
})();
