"""Faults of how a page lies on a screen: what scrolls, overlaps, is torn or cut off, or has no
focus that one could see.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

LAYOUT = (Path(__file__).parent / "layout.js").read_text()
SIZES = [(1440, 900), (1024, 768), (390, 844)]
MOST_STOPS = 40
# Places where the focus can show: the element itself, an overlay, or a container.
NOTE_FOCUS = """() => {
  const drawn = (element) => {
    const around = [element, element.parentElement, element.parentElement?.parentElement];
    const styles = around.filter(Boolean).map((one) => getComputedStyle(one));
    styles.push(getComputedStyle(element, "::after"));
    return styles.map((style) => [style.outlineStyle, style.outlineColor, style.outlineWidth,
      style.boxShadow, style.borderColor, style.backgroundColor].join()).join("|");
  };
  const before = window.stop;
  const faults = [];
  if (before?.element.isConnected && before.element !== document.activeElement
      && drawn(before.element) === before.drawn) faults.push("shows no focus: " + before.name);
  const element = document.activeElement;
  if (!element || element === document.body) { window.stop = null; return {faults, end: true}; }
  const box = element.getBoundingClientRect();
  const name = element.outerHTML.slice(0, 140);
  const isSeen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  if (!isSeen) faults.push("is focused out of sight: " + name);
  // A field for a date has stops of its own, the last of which the browser draws inside.
  if (before?.element !== element) window.stop = {element, drawn: drawn(element), name};
  return {faults, end: false};
}"""


def layout_faults(page: "Page") -> list[str]:
    """Return what is wrong with how the page lies on its screen now."""
    faults: list[str] = page.evaluate(LAYOUT)
    return faults


def focus_faults(page: "Page") -> list[str]:
    """Go through the page by the Tab key; return what shows no focus, or takes it out of sight."""
    faults = []
    page.evaluate("window.stop = null; document.activeElement?.blur()")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        noted = page.evaluate(NOTE_FOCUS)
        faults += noted["faults"]
        if noted["end"]:
            break
    return faults
