// The place to ask: it grows, counts, keeps a draft for this tab, and sends with Enter.
(() => {
  "use strict";

  const composer = document.querySelector("[data-composer]");
  if (!composer) return;

  const textarea = composer.querySelector("textarea");
  const send = composer.querySelector(".send");
  const count = composer.querySelector(".composer-count");
  const limit = Number(composer.dataset.limit);
  const draft = `draft:${composer.dataset.draft}`;

  function typed() {
    const used = textarea.value.length;
    sessionStorage.setItem(draft, textarea.value);
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

  textarea.addEventListener("input", typed);
  textarea.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!send.disabled) composer.requestSubmit(send);
  });
  if (!textarea.value) textarea.value = sessionStorage.getItem(draft) ?? "";
  typed();
})();
