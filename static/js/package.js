// Follows a package while it is made. Without this script the page loads itself anew.
(() => {
  "use strict";

  const EVERY = 1000;

  async function follow() {
    const card = document.getElementById("package");
    if (!card?.dataset.follow) return;
    try {
      const response = await fetch(card.dataset.follow, { headers: { "HX-Request": "true" } });
      if (response.ok) card.outerHTML = await response.text();
    } catch {
      // The server can't be reached now; the next time it may.
    }
    setTimeout(follow, EVERY);
  }

  setTimeout(follow, EVERY);
})();
