// Returns what is wrong with how the page lies on the screen now, each fault as a sentence.
() => {
  const SLACK = 1.5;
  const MOST_ALIKE = 3;
  const faults = new Map(); // by what is wrong, with what
  const note = (fault, element) => {
    const alike = faults.get(fault) ?? faults.set(fault, new Set()).get(fault);
    alike.add(element ? named(element) : "the document");
  };
  const named = (element) => {
    const classes = typeof element.className === "string" ? element.className.trim().replace(/\s+/g, ".") : "";
    const words = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.localName}${classes && `.${classes}`}> "${words}"`;
  };
  const style = new Map();
  const styled = (element) => {
    if (!style.has(element)) style.set(element, getComputedStyle(element));
    return style.get(element);
  };
  const parents = function* (element) {
    for (let one = element.parentElement; one; one = one.parentElement) yield one;
  };

  // --- Nothing scrolls by itself, or sideways -----------------------------------------------------
  const root = document.documentElement;
  const shell = document.body.classList.contains("shell");
  if (root.scrollWidth > innerWidth + SLACK) note("is wider than the screen");
  if (scrollX) note("is scrolled sideways");
  if (shell && root.scrollHeight > innerHeight + SLACK) note("could scroll, beside its panes");
  if (shell && scrollY) note("is scrolled, beside its panes");
  for (const element of document.querySelectorAll("body, body *")) {
    const { overflowX, overflowY, textOverflow } = styled(element);
    const isStuck = (overflowY === "hidden" && element.scrollTop) || (overflowX === "hidden" && element.scrollLeft);
    if (isStuck) note("is scrolled where nobody can scroll back", element);
    const pane = /auto|scroll/.test(overflowY) && element.matches("main, nav, aside, dialog, ul, section");
    if (pane && element.scrollWidth > element.clientWidth + SLACK) note("scrolls sideways", element);
    if (/auto|scroll|hidden/.test(overflowY) && styled(element).position === "static" && element.querySelector(".visually-hidden")) {
      note("scrolls or clips, and its hidden labels belong to another", element);
    }
    const typed = element.matches("input") && element.placeholder && !element.value;
    if (typed && element.clientWidth && textOverflow !== "ellipsis") {
      const canvas = document.createElement("canvas").getContext("2d");
      const { font, paddingLeft, paddingRight } = styled(element);
      canvas.font = font;
      const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      if (canvas.measureText(element.placeholder).width > room && getComputedStyle(element, "::placeholder").opacity !== "0") {
        note(`cuts off its placeholder "${element.placeholder}"`, element);
      }
    }
  }

  // --- What is seen: lines of text, and what can be pressed --------------------------------------
  const isSeen = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
    for (const one of [element, ...parents(element)]) {
      if (styled(one).clipPath !== "none" || styled(one).opacity === "0") return false;
    }
    return true;
  };
  const layerOf = (element) => {
    for (const one of [element, ...parents(element)]) {
      if (/fixed|sticky/.test(styled(one).position) || one.matches("dialog, :popover-open")) return one;
    }
    return root;
  };
  // The part of the box that isn't scrolled away or clipped.
  const shownOf = (element, box, itself) => {
    let { left, right, top, bottom } = box;
    for (const one of itself ? [element, ...parents(element)] : parents(element)) {
      const { overflowX, overflowY, position } = styled(one);
      const frame = one.getBoundingClientRect();
      if (overflowX !== "visible") [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      if (overflowY !== "visible") [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
      if (position === "fixed") break;
    }
    [left, right] = [Math.max(left, 0), Math.min(right, innerWidth)];
    [top, bottom] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
    return right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : null;
  };

  const things = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style, template, noscript, option, select, textarea, svg") || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      checkCut(element, box);
      // Letters fill the middle of their line's box.
      const middle = { left: box.left, right: box.right, top: box.top + box.height * 0.22, bottom: box.bottom - box.height * 0.22 };
      const shown = shownOf(element, middle, true);
      if (shown) things.push({ element, node, layer: layerOf(element), ...shown });
    }
  }
  for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")) {
    if (!isSeen(element) || (element.matches("[type=file]"))) continue;
    for (const box of element.getClientRects()) {
      const shown = shownOf(element, box, false);
      if (shown) things.push({ element, layer: layerOf(element), ...shown });
    }
  }

  function checkCut(element, box) {
    if (root.scrollHeight && box.bottom < -2000) return;
    for (const one of [element, ...parents(element)]) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp, position } = styled(one);
      const frame = one.getBoundingClientRect();
      if (textOverflow === "ellipsis" || webkitLineClamp !== "none") return;
      const beyondX = /hidden|clip/.test(overflowX) && (box.right > frame.right + SLACK || box.left < frame.left - SLACK);
      const beyondY = /hidden|clip/.test(overflowY) && overflowX !== "auto" && (box.bottom > frame.bottom + SLACK + box.height * 0.25);
      if (beyondX || beyondY) note(`is cut off by ${named(one)}`, element);
      if (/auto|scroll/.test(overflowX) || /auto|scroll/.test(overflowY) || position === "fixed") return;
    }
  }

  const related = (one, two) => one.contains(two) || two.contains(one);
  things.sort((one, two) => one.top - two.top);
  things.forEach((one, index) => {
    for (let next = index + 1; next < things.length && things[next].top < one.bottom - SLACK; next += 1) {
      const two = things[next];
      if (one.layer !== two.layer || one.element === two.element) continue;
      const isText = one.node && two.node;
      if (!isText && related(one.node ?? one.element, two.node ?? two.element)) continue;
      const width = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const height = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (width > 2 && height > 2) note(`lies over ${named(two.element)}`, one.element);
    }
  });

  // --- No number is torn ---------------------------------------------------------------------------
  for (const number of document.querySelectorAll(".prose .citation, .prose .footnote")) {
    const boxes = [...number.getClientRects()].filter((box) => box.width > 1);
    if (boxes.length > 1) note("is a number that breaks", number);
    const before = textBefore(number);
    if (before && boxes.length && (before.bottom < boxes[0].top + 4 || before.top > boxes[0].bottom - 4)) {
      note("is a number torn from its word", number.parentElement);
    }
  }

  // Return the box of the last letter before the number, in its paragraph.
  function textBefore(number) {
    const block = number.closest("p, li, td, th, h3, h4, h5, h6");
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    let last = null;
    while (texts.nextNode() && !(number.compareDocumentPosition(texts.currentNode) & Node.DOCUMENT_POSITION_CONTAINED_BY)) {
      if (texts.currentNode.data.trim()) last = texts.currentNode;
    }
    if (!last) return null;
    const end = last.data.trimEnd().length;
    const range = document.createRange();
    range.setStart(last, end - 1);
    range.setEnd(last, end);
    return [...range.getClientRects()].at(-1);
  }

  return [...faults].map(([fault, elements]) => {
    const shown = [...elements].slice(0, MOST_ALIKE).join(", ");
    return `${shown}${elements.size > MOST_ALIKE ? `, and ${elements.size - MOST_ALIKE} more` : ""}: ${fault}`;
  });
}
