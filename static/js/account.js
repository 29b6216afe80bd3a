// What the pages of an account do beyond their links and forms: passkeys that say what went wrong,
// copying, and the names of chosen files. Without this script passkeys aren't offered, and a token is copied by hand.
(() => {
  "use strict";

  const problem = document.getElementById("problem");

  // The buttons work by script alone, so they show when there is one.
  for (const button of document.querySelectorAll("#passkey_login")) {
    button.hidden = !window.PublicKeyCredential;
  }

  // allauth's script says so when the browser or the person ends a passkey's ceremony.
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    problem.textContent = problem.dataset.passkey;
    problem.hidden = false;
  });

  // The browser's own control lies out of sight, and its names with it.
  document.addEventListener("change", ({ target }) => {
    const names = target.closest(".file-box")?.querySelector(".file-names");
    if (names) names.textContent = Array.from(target.files, (file) => file.name).join(", ");
  });

  for (const button of document.querySelectorAll("[data-copy-from]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copyFrom);
      field.select();
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else document.execCommand("copy"); // plain http on a local network has no clipboard
      button.textContent = button.dataset.copied;
    });
  }
})();
