// Polls background jobs: an export, an erasure. The part of the page that shows the progress holds
// its URL in `data-follow`, and is renewed until it holds none.
// Without this script the page reloads itself, or has a link for it.
(() => {
  "use strict";

  const EVERY = 1000;

  async function follow() {
    const part = document.querySelector("[data-follow]");
    if (!part) return;
    if (document.hidden) return setTimeout(follow, EVERY);
    try {
      const response = await fetch(part.dataset.follow, { headers: { "HX-Request": "true" } });
      if (response.ok) renew(part, await response.text());
    } catch {
      // The server can't be reached; try again next time.
    }
    setTimeout(follow, EVERY);
  }

  // Unchanged content stays, so that screen readers don't read it twice.
  function renew(part, html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    const now = template.content.getElementById(part.id);
    if (!now) location.reload(); // the job has ended: show the new page
    else if (said(now) !== said(part)) part.replaceWith(now);
  }

  // The CSRF token differs in each response.
  function said(part) {
    return part.innerHTML.replaceAll(/name="csrfmiddlewaretoken" value="\w+"/g, "");
  }

  // A download does not reload the page, but can be used once: renew its part.
  document.addEventListener("submit", ({ target }) => {
    if (!target.dataset.thenFollow) return;
    const isFollowed = document.querySelector("[data-follow]");
    target.closest("[id]").dataset.follow = target.dataset.thenFollow;
    if (!isFollowed) setTimeout(follow, EVERY);
  });

  setTimeout(follow, EVERY);
})();
