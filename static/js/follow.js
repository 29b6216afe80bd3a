// Follows what is done in the background: a package that is made, an erasure. The part of the page
// that says how far it is names its address, and is renewed until it names none any more.
// Without this script the page loads itself anew, or has a link for it.
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
      // The server can't be reached now; the next time it may.
    }
    setTimeout(follow, EVERY);
  }

  // What says the same stays, so that nothing is read aloud twice.
  function renew(part, html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    const now = template.content.getElementById(part.id);
    if (!now) location.reload(); // it has ended, and the page says something else
    else if (said(now) !== said(part)) part.replaceWith(now);
  }

  // A form has another key each time.
  function said(part) {
    return part.innerHTML.replaceAll(/name="csrfmiddlewaretoken" value="\w+"/g, "");
  }

  // A download leaves the page as it is, but ends what the page offers.
  document.addEventListener("submit", ({ target }) => {
    if (!target.dataset.thenFollow) return;
    const isFollowed = document.querySelector("[data-follow]");
    target.closest("[id]").dataset.follow = target.dataset.thenFollow;
    if (!isFollowed) setTimeout(follow, EVERY);
  });

  setTimeout(follow, EVERY);
})();
