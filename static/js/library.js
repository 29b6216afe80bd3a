// Uploads, in the library and the composer: each file is sent by itself, with its own progress and
// result; then one request polls all files that are being read. Without this script a form sends them.
(() => {
  "use strict";

  const library = document.querySelector("[data-drop]");
  const form = document.querySelector("[data-upload]");
  const list = document.getElementById("documents");
  const outcomes = document.getElementById("outcomes");
  const status = document.getElementById("status");
  const AT_ONCE = 2;
  const FOLLOWED_EVERY = 2_000;
  const MOST_FOLLOWED = 100;
  const waiting = [];
  let sending = 0;

  // --- One file ------------------------------------------------------------------------------------

  class Upload {
    constructor(file) {
      this.file = file;
      this.fields = new FormData(form);
      this.fields.delete("file");
      this.fields.set("file", file);
      this.element = document.getElementById("outcome").content.firstElementChild.cloneNode(true);
      this.find(".outcome-name").textContent = file.name;
      outcomes.append(this.element);
    }

    find(selector) {
      return this.element.querySelector(selector);
    }

    say(words) {
      this.find(".outcome-words").textContent = words;
    }

    show(part) {
      this.find("progress").value = Math.round(part * 100);
      this.say(part < 1 ? form.dataset.sending : form.dataset.reading);
    }

    refuse(words) {
      this.element.classList.add("is-refused");
      this.find("p").setAttribute("role", "alert");
      this.find("progress").remove();
      this.say(words);
    }

    // Always resolves: the failure of one file doesn't stop the others.
    send() {
      if (this.file.size > Number(form.dataset.limit)) {
        this.refuse(form.dataset.tooLarge);
        return Promise.resolve();
      }
      this.show(0);
      return new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open("POST", form.action);
        request.setRequestHeader("HX-Request", "true");
        request.upload.addEventListener("progress", ({ loaded, total }) => this.show(total ? loaded / total : 0));
        request.addEventListener("load", () => this.take(request));
        request.addEventListener("error", () => this.refuse(form.dataset.lost));
        request.addEventListener("abort", () => this.refuse(form.dataset.lost));
        request.addEventListener("loadend", resolve);
        request.send(this.fields);
      });
    }

    take(request) {
      const type = request.getResponseHeader("Content-Type") ?? "";
      if (type.startsWith("application/json")) {
        this.refuse(JSON.parse(request.responseText).error.message);
      } else if (request.status >= 300) {
        this.refuse(form.dataset.failed);
      } else if (new URL(request.responseURL).pathname !== new URL(form.action).pathname) {
        location.reload(); // signed out meanwhile
      } else if (request.status === 201) {
        this.element.remove();
        put(request.responseText);
      } else {
        this.sayKnown(request.responseText);
      }
    }

    // The file is a duplicate, maybe under another name: show the notice with a link to it.
    sayKnown(html) {
      const said = parsed(html);
      this.element.replaceWith(said);
      status.textContent = said.textContent;
    }
  }

  // Return the file's element; the response may also hold the conversation's new limit.
  function parsed(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    const [own, limit] = template.content.children;
    if (limit) {
      document.getElementById(limit.id)?.replaceWith(limit);
      htmx.process(limit);
    }
    return own;
  }

  // Insert the document's row at the top, replacing an older row of the same document.
  function put(html) {
    const row = parsed(html);
    document.getElementById(row.id)?.remove();
    list.querySelector(".empty")?.remove();
    list.prepend(row);
    htmx.trigger(row, "htmx:load", { elt: row });
    tell(row);
  }

  function tell(row) {
    status.textContent = `${row.querySelector(".document-link").textContent}: ${row.querySelector(".document-words").textContent} ${limited()}`;
  }

  function limited() {
    return document.querySelector("#limit-chip.is-limited .limit-words")?.textContent ?? "";
  }

  // --- Many files -----------------------------------------------------------------------------------

  function add(files) {
    outcomes.querySelectorAll(".outcome:not(:has(progress))").forEach((old) => old.remove());
    waiting.push(...Array.from(files, (file) => new Upload(file)));
    while (sending < AT_ONCE && waiting.length) next();
  }

  async function next() {
    const upload = waiting.shift();
    if (!upload) return;
    sending += 1;
    await upload.send();
    sending -= 1;
    next();
  }

  // --- Documents that are being read ------------------------------------------------------------------

  // Poll the status of up to MOST_FOLLOWED documents in one request.
  async function followThem() {
    // The last rows are the oldest uploads, which are read first.
    const followed = [...list.querySelectorAll('.document[data-status="waiting"]')].slice(-MOST_FOLLOWED);
    if (!followed.length || document.hidden) return;
    const ids = followed.map((row) => ["documents", row.id.replace("document-", "")]);
    const response = await fetch(`${list.dataset.rows}?${new URLSearchParams(ids)}`, { headers: { "HX-Request": "true" } });
    if (response.redirected) location.reload(); // signed out meanwhile
    if (!response.ok || response.redirected) return;
    const template = document.createElement("template");
    template.innerHTML = await response.text();
    for (const row of followed) renew(row, template.content.getElementById(row.id));
  }

  function renew(row, now) {
    if (!row.isConnected) return; // the list was filtered meanwhile
    if (!now) {
      row.remove(); // deleted in another tab
      return;
    }
    const focused = row.contains(document.activeElement);
    row.replaceWith(now);
    if (focused) now.querySelector("a").focus();
    htmx.trigger(now, "htmx:load", { elt: now });
    if (now.dataset.status !== "waiting") tell(now);
  }

  async function keepFollowing() {
    try {
      await followThem();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // the server can't be reached
    } finally {
      setTimeout(keepFollowing, FOLLOWED_EVERY);
    }
  }

  // --- Events ------------------------------------------------------------------------------------------

  if (form) {
    const chooser = form.elements.namedItem("file"); // it may be elsewhere on the page
    form.classList.add("has-script");
    form.addEventListener("submit", (event) => event.preventDefault());
    chooser.addEventListener("change", () => {
      add(chooser.files);
      chooser.value = "";
    });

    const brings = (event) => event.dataTransfer?.types.includes("Files");
    window.addEventListener("dragover", (event) => {
      if (!brings(event)) return;
      event.preventDefault();
      library.classList.add("is-dropping");
    });
    window.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) library.classList.remove("is-dropping");
    });
    window.addEventListener("drop", (event) => {
      if (!brings(event)) return;
      event.preventDefault();
      library.classList.remove("is-dropping");
      add(event.dataTransfer.files);
    });
    window.addEventListener("beforeunload", (event) => {
      if (sending || waiting.length) event.preventDefault();
    });
  }

  if (list) setTimeout(keepFollowing, FOLLOWED_EVERY);

  // A link without a fragment can open a document at a passage, too.
  if (!location.hash) document.querySelector(".passage[aria-current]")?.scrollIntoView({ block: "center" });
})();
