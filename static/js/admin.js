// Icons are letters of a font, whose names would be read aloud with what they stand beside. Where one
// stands alone, it has a word of its own instead.
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
  // Focus follows the link past the navigation.
  const content = document.getElementById("content");
  content?.setAttribute("tabindex", "-1");
  if (!document.querySelector("main")) content?.setAttribute("role", "main");
});
