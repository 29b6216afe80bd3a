// Icons are ligatures of a font: screen readers would read their names aloud, so they are hidden.
// A control with nothing but an icon gets a label.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";

  const words = { settings: "Dashboard", search: "Search", add: "Add", arrow_back: "Back" };
  for (const icon of document.querySelectorAll(".material-symbols-outlined")) {
    const name = icon.textContent.trim();
    const control = icon.closest("a, button");
    if (control?.textContent.trim() === name && !control.title) {
      control.setAttribute("aria-label", words[name] ?? name.replaceAll("_", " "));
    }
    icon.setAttribute("aria-hidden", "true");
  }
  // Makes the target of the skip link focusable.
  const content = document.getElementById("content");
  content?.setAttribute("tabindex", "-1");
  if (!document.querySelector("main")) content?.setAttribute("role", "main");
});
