// Scripts of the account pages: error messages of passkeys, copying, and the names of chosen files.
// Without this script passkeys aren't offered, and a token is copied by hand.
(() => {
  "use strict";

  const problem = document.getElementById("problem");

  // The buttons need a script, so they are hidden without one.
  for (const button of document.querySelectorAll("#passkey_login")) {
    button.hidden = !window.PublicKeyCredential;
  }

  // allauth's script sends this event if the browser or the person cancels a passkey ceremony.
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    problem.textContent = problem.dataset.passkey;
    problem.hidden = false;
  });

  // The native file input is invisible, and so are the file names in it.
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
