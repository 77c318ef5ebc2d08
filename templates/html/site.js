/* Steps through plays, sorts tables, finds the reader on every page, and remembers the reader's choices.
   Pages are complete without it. All texts come from the page, in its language. */
(() => {
  "use strict";

  const memory = {
    get(key) {
      try { return localStorage.getItem("overtrick-" + key) || ""; } catch { return ""; }
    },
    set(key, value) {
      try { localStorage.setItem("overtrick-" + key, value); } catch { /* storage may be switched off */ }
    },
  };

  /* Appearance: suit colours and theme. */
  for (const choice of document.querySelectorAll(".look input")) {
    if (memory.get(choice.name) === choice.value) choice.checked = true;
    choice.addEventListener("change", () => memory.set(choice.name, choice.value));
  }

  /* Results are final from a time on, also on a page that was made before. */
  for (const stamp of document.querySelectorAll(".stamp[data-final-at]")) {
    if (Date.parse(stamp.dataset.finalAt) <= Date.now()) stamp.textContent = stamp.dataset.final;
  }

  /* Who reports an error is the reader, if the page knows the reader. */
  for (const link of document.querySelectorAll(".report a[data-with-pair]")) {
    link.addEventListener("click", () => {
      const me = memory.get("me");
      if (me) link.href = link.dataset.withPair.replaceAll("%7Bpair%7D", encodeURIComponent(me));
    });
  }

  /* Plays, card by card. */
  const SEATS = ["west", "north", "east", "south"];

  function spread(figure) {
    /* Wrap each card of the diagram in an element of its own. Return these elements by code: SA, HT. */
    const cards = new Map();
    for (const hand of figure.querySelectorAll(".hand ul")) {
      [...hand.children].forEach((row, suit) => {
        const held = row.querySelector(".cards");
        const ranks = held.textContent.split(" ");
        held.replaceChildren(...ranks.flatMap((rank, place) => {
          const card = document.createElement("span");
          card.textContent = rank;
          cards.set("SHDC"[suit] + (held.dataset.ranks || "")[place], card);
          return place ? [" ", card] : [card];
        }));
      });
    }
    return cards;
  }

  function inOrder(rows) {
    /* Return the cards in the order they were played, as far as it is known who led. */
    const played = [];
    for (const row of rows) {
      const cells = [...row.querySelectorAll("td")].slice(0, 4);
      const leader = cells.findIndex((cell) => cell.classList.contains("leads"));
      if (leader < 0) break;
      for (let turn = 0; turn < 4; turn += 1) {
        const seat = (leader + turn) % 4;
        if (!cells[seat].dataset.card) return played;
        played.push({ row, cell: cells[seat], seat, last: turn === 3 });
      }
    }
    return played;
  }

  function player(section, diagram) {
    const box = section.querySelector(".player");
    const table = section.querySelector("table.play");
    const played = inOrder(table.tBodies[0].rows);
    if (!diagram || !played.length) return;
    const figure = diagram.cloneNode(true);
    const cards = spread(figure);
    const places = SEATS.map((seat) => figure.querySelector(".compass ." + seat));
    const letters = places.map((place) => place.textContent);
    const names = [...table.tHead.rows[0].cells].slice(1, 5).map((cell) => cell.firstChild.textContent.trim());
    const sides = [...table.tHead.rows[0].cells].slice(5).map((cell) => cell.textContent.trim());
    const said = box.querySelector("output");
    let now = 0;

    function show(step) {
      now = Math.max(0, Math.min(played.length, step));
      const done = played.slice(0, now);
      for (const card of cards.values()) card.classList.remove("gone");
      for (const one of done) cards.get(one.cell.dataset.card)?.classList.add("gone");
      const last = done[now - 1];
      places.forEach((place, seat) => { place.textContent = letters[seat]; place.classList.remove("card", "best"); });
      for (const row of table.tBodies[0].rows) row.removeAttribute("aria-current");
      for (const one of done.filter((one) => one.row === last.row)) {
        const place = places[one.seat];
        place.replaceChildren(...one.cell.querySelector("[aria-hidden]").cloneNode(true).childNodes);
        place.classList.add("card");
        place.classList.toggle("best", last.last && one.cell.classList.contains("wins"));
      }
      last?.row.setAttribute("aria-current", "step");
      const counted = [...done].reverse().find((one) => one.last);
      const won = counted ? [...counted.row.cells].slice(5).map((cell) => cell.textContent) : ["0", "0"];
      const card = last ? names[last.seat] + ": " + last.cell.querySelector(".sr-only").textContent + " · " : "";
      said.textContent = card + sides.map((side, place) => side + " " + won[place]).join(", ");
      box.querySelectorAll("button").forEach((button) => {
        const back = button.dataset.step === "start" || button.dataset.step === "back";
        button.setAttribute("aria-disabled", String(back ? now === 0 : now === played.length));
      });
    }

    const steps = {
      start: () => 0,
      back: () => now - 1,
      next: () => now + 1,
      trick: () => now + 1 + Math.max(0, played.slice(now).findIndex((one) => one.last)),
      end: () => played.length,
    };
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "start", End: "end" };
    box.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) show(steps[button.dataset.step]());
    });
    box.addEventListener("keydown", (event) => {
      const step = keys[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      show(steps[step]());
    });
    box.querySelector(".stage").append(figure);
    box.hidden = false;
    show(0);
  }

  /* Tables that sort by any column. A column's cells have the same class as its head. */
  const figure = (text) => {
    const plain = text.replace("\u2212", "-").replace(",", ".").replace(/[=\s%]+$/, "");
    return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
  };

  function value(row, name) {
    const cell = [...row.cells].find((one) => one.classList.contains(name));
    return cell ? cell.textContent.trim() : "";
  }

  function compared(one, other, up) {
    if (one.text === "" || other.text === "") return (one.text === "") - (other.text === "");
    const both = one.number !== null && other.number !== null;
    const order = both ? one.number - other.number : one.text.localeCompare(other.text, undefined, { numeric: true });
    return up ? order : -order;
  }

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells].filter((head) => head.textContent.trim() && !head.matches(".again"));
    for (const head of heads) {
      const button = document.createElement("button");
      const name = [...head.classList].find((one) => one !== "num");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const sorted = head.getAttribute("aria-sort");
        const up = sorted ? sorted === "descending" : !head.classList.contains("num");
        const rows = [...table.tBodies[0].rows].map((row) => {
          const text = value(row, name);
          return { row, text, number: figure(text) };
        });
        rows.sort((one, other) => compared(one, other, up));
        table.tBodies[0].append(...rows.map((one) => one.row));
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
      });
    }
  }
  document.querySelectorAll("table.sortable").forEach(sortable);

  /* Find me: by name or number, remembered on every page. */
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

  function named(wanted) {
    /* Return a test for elements that name the reader: by the exact number, or by the beginnings of a player's names. */
    const asked = wanted.split(/\s+[–-]\s+/).map((one) => fold(one).split(/\s+/).filter(Boolean)).filter((one) => one.length);
    const number = fold(wanted);
    const meant = (link) => {
      const before = link.previousElementSibling;
      if (fold((before?.matches(".no") ? before : link).textContent) === number) return true;
      if (/^\d+$/.test(number)) return false;
      const people = link.textContent.split(" – ").map((one) => fold(one).split(/\s+/));
      const is = (words) => people.some((names) => words.every((word) => names.some((name) => name.startsWith(word))));
      return asked.every(is);
    };
    return (element) => asked.length > 0 && [...element.querySelectorAll("a")].some(meant);
  }

  function turned(table, caption) {
    table.tBodies[0].append(...[...table.tBodies[0].rows].reverse());
    const text = table.caption?.dataset.turned;
    if (caption && text) table.caption.textContent = text;
  }

  function mark(wanted) {
    /* Mark the reader's rows. Best scores for E-W come first if the reader sat E-W. */
    const mine = named(wanted);
    const found = [];
    for (const row of document.querySelectorAll("tbody tr, .others li")) {
      const places = row.matches("li") ? [row] : [...row.querySelectorAll(".names, .ns, .ew, .vs")];
      const place = places.find(mine);
      row.classList.toggle("mine", Boolean(place));
      if (place) row.setAttribute("aria-current", "true");
      else if (row.getAttribute("aria-current") === "true") row.removeAttribute("aria-current");
      if (place) found.push(place);
    }
    const traveller = document.querySelector(".traveller");
    if (traveller && found.length && found.every((place) => place.matches(".ew"))) {
      turned(traveller, true);
      const often = document.querySelector(".frequency");
      if (often) turned(often, false);
    }
    return found;
  }

  const asked = new URLSearchParams(location.search).get("pair");
  const found = mark(asked || memory.get("me"));
  const form = document.querySelector(".find");
  if (form) {
    const field = form.querySelector("input");
    const answer = form.querySelector("output");
    const people = new Set();
    for (const link of document.querySelectorAll(".names a, .others a")) {
      for (const name of link.textContent.split(" – ")) people.add(name.trim());
    }
    form.querySelector("datalist").append(...[...people].sort().map((name) => {
      const option = document.createElement("option");
      option.value = name;
      return option;
    }));
    const tell = (places) => {
      const links = new Map(places.map((place) => place.querySelector("a")).map((link) => [link.href, link]));
      answer.replaceChildren(...[...links.values()].slice(0, 8).map((link) => link.cloneNode(true)));
      if (!places.length && field.value.trim()) answer.textContent = form.dataset.nobody;
    };
    const look = () => {
      memory.set("me", field.value.trim());
      tell(mark(field.value));
    };
    field.value = asked || memory.get("me");
    tell(found);
    field.addEventListener("input", look);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      look();
      answer.querySelector("a")?.focus();
    });
    form.hidden = false;
  }

  /* The evenings of a season, by text and by day of the week. */
  const seek = document.querySelector(".seek");
  if (seek) {
    const lines = [...document.querySelectorAll(".sessions li")];
    const text = seek.querySelector("input");
    const day = seek.querySelector("select");
    const filter = () => {
      const words = fold(text.value).split(/\s+/).filter(Boolean);
      for (const line of lines) {
        const told = fold(line.textContent);
        line.hidden = !words.every((word) => told.includes(word)) || Boolean(day?.value && line.dataset.day !== day.value);
      }
      for (const part of document.querySelectorAll(".month, .year")) part.hidden = !part.querySelector("li:not([hidden])");
      seek.querySelector("output").textContent = lines.every((line) => line.hidden) ? seek.dataset.none : "";
    };
    seek.addEventListener("input", filter);
    seek.addEventListener("submit", (event) => event.preventDefault());
    seek.hidden = false;
  }

  const diagram = document.querySelector("main .deal");
  for (const section of document.querySelectorAll(".replay")) {
    if (section.querySelector("table.play")) player(section, diagram);
  }
})();
