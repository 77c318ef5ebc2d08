/* Steps through auctions and plays, sorts tables, finds the reader on every page, and remembers the reader's choices.
   Pages are complete without it. All texts come from the page, in its language. */
(() => {
  "use strict";

  const $ = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const memory = {
    get(key) {
      try { return localStorage.getItem("overtrick-" + key) || ""; } catch { return ""; }
    },
    set(key, value) {
      try {
        if (value) localStorage.setItem("overtrick-" + key, value);
        else localStorage.removeItem("overtrick-" + key);
      } catch { /* storage may be switched off */ }
    },
  };
  const query = new URLSearchParams(location.search);
  /* A page from a disk can't read another one. */
  const onWeb = /^https?:$/.test(location.protocol);
  const readPage = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  /* Inside another page: without head and foot; the other page learns the height. */
  if (query.has("embed")) {
    document.documentElement.classList.add("embedded");
    const tell = () => parent.postMessage({ overtrick: location.href, height: document.body.scrollHeight }, "*");
    addEventListener("load", tell);
    if ("ResizeObserver" in window) new ResizeObserver(tell).observe(document.body);
    for (const link of all("a[href]")) link.target = "_blank";
  }

  /* Appearance: suit colours and theme. */
  for (const choice of all(".look select")) {
    for (const option of choice.options) option.selected = option.id === memory.get(choice.name);
    choice.addEventListener("change", () => memory.set(choice.name, choice.selectedOptions[0].id));
  }

  /* Results are final from a time on, also on a page that was made before. */
  for (const stamp of document.querySelectorAll(".stamp[data-final-at]")) {
    if (Date.parse(stamp.dataset.finalAt) <= Date.now()) stamp.textContent = stamp.dataset.final;
  }

  /* Players of a season have pages of their own. */
  const players = window.overtrickPeople || {};
  const index = $('script[src$="people.js"]');
  for (const one of all(".card-head h1 span")) {
    const name = one.textContent.replace(/\s–$/, "");
    if (!Object.hasOwn(players, name)) continue;
    const link = document.createElement("a");
    link.href = new URL(players[name], index.src).href;
    link.textContent = name;
    one.replaceChildren(link, one.textContent.slice(name.length));
  }

  /* Who reports an error is the reader, if the page knows the reader. */
  for (const link of document.querySelectorAll(".report a[data-with-pair]")) {
    link.addEventListener("click", () => {
      const me = memory.get("me");
      if (me) link.href = link.dataset.withPair.replaceAll("%7Bpair%7D", encodeURIComponent(me));
    });
  }

  /* Auction and play, step by step, on the diagram itself. */
  const SEATS = ["west", "north", "east", "south"];

  function spread(figure) {
    /* Wrap each card of the diagram in an element of its own. Return these elements by code: SA, HT. */
    const cards = new Map();
    for (const hand of all(".hand ul", figure)) {
      [...hand.children].forEach((row, suit) => {
        const held = $(".cards", row);
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

  function bidInOrder(table) {
    const cells = table ? [...table.tBodies[0].rows].flatMap((row) => [...row.cells]) : [];
    return cells.filter((cell) => cell.textContent.trim()).map((cell) => ({ cell, row: cell.parentNode, seat: cell.cellIndex, call: true }));
  }

  function playedInOrder(table) {
    /* Return the cards in the order they were played, as far as it is known who led. */
    const played = [];
    for (const row of table ? table.tBodies[0].rows : []) {
      const cells = all("td", row).slice(0, 4);
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

  function player(box, figure, sections) {
    const cards = spread(figure);
    const places = SEATS.map((seat) => $(".compass ." + seat, figure));
    const letters = places.map((place) => place.textContent);
    const said = $("output", box);
    let moves = [];
    let heads = [];
    let sides = [];
    let now = 0;

    function take(section) {
      const auction = $("table.auction", section);
      const play = $("table.play", section);
      moves = [...bidInOrder(auction), ...playedInOrder(play)];
      const row = [...(auction || play).tHead.rows[0].cells].slice(auction ? 0 : 1, auction ? 4 : 5);
      heads = row.map((cell) => cell.firstChild.textContent.trim());
      sides = play ? [...play.tHead.rows[0].cells].slice(5).map((cell) => cell.textContent.trim()) : [];
      show(0);
    }

    function shown(move) {
      const seen = $("[aria-hidden]", move.cell);
      return seen ? [...seen.cloneNode(true).childNodes] : [move.cell.textContent.trim()];
    }

    function show(step) {
      now = Math.max(0, Math.min(moves.length, step));
      const done = moves.slice(0, now);
      const last = done[now - 1];
      for (const card of cards.values()) card.classList.remove("gone");
      for (const one of done) cards.get(one.cell.dataset.card)?.classList.add("gone");
      places.forEach((place, seat) => { place.textContent = letters[seat]; place.classList.remove("card", "best", "call"); });
      for (const move of moves) { move.row.removeAttribute("aria-current"); move.cell.classList.remove("now"); }
      const showing = last && (last.call ? done.slice(-4) : done.filter((one) => one.row === last.row));
      for (const one of showing || []) {
        const place = places[one.seat];
        place.replaceChildren(...shown(one));
        place.classList.add(one.call ? "call" : "card");
        place.classList.toggle("best", Boolean(last.last) && one.cell.classList.contains("wins"));
      }
      last?.row.setAttribute("aria-current", "step");
      if (last?.call) last.cell.classList.add("now");
      const counted = [...done].reverse().find((one) => one.last);
      const won = counted ? [...counted.row.cells].slice(5).map((cell) => cell.textContent) : sides.map(() => "0");
      const spoken = last && ($(".sr-only", last.cell) || last.cell).textContent.trim();
      const words = last ? [heads[last.seat] + ": " + spoken] : [];
      if (last?.cell.dataset.cost) words.push(last.cell.dataset.cost);
      if (!last?.call && sides.length) words.push(sides.map((side, place) => side + " " + won[place]).join(", "));
      said.textContent = words.join(" · ");
      for (const button of all("[data-step]", box)) {
        const back = button.dataset.step === "start" || button.dataset.step === "back";
        button.setAttribute("aria-disabled", String(back ? now === 0 : now === moves.length));
      }
    }

    const steps = {
      start: () => 0,
      back: () => now - 1,
      next: () => now + 1,
      trick() {
        const rest = moves.slice(now);
        const call = rest.findIndex((one) => !one.call);
        if (rest[0]?.call) return call < 0 ? moves.length : now + call;
        const end = rest.findIndex((one) => one.last);
        return end < 0 ? moves.length : now + 1 + end;
      },
      end: () => moves.length,
    };
    function choose(section) {
      for (const one of all("[data-of]", box)) one.setAttribute("aria-pressed", String(one.dataset.of === section.id));
      take(section);
    }
    function open() {
      /* An address with a trick opens the diagram after that trick. */
      const row = document.getElementById(location.hash.slice(1));
      const section = row?.closest("table.play") && sections.find((one) => one.contains(row));
      if (!section) return;
      choose(section);
      show(moves.map((move) => move.row).lastIndexOf(row) + 1);
    }
    box.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.step) show(steps[button.dataset.step]());
      if (button?.dataset.of) choose(document.getElementById(button.dataset.of));
    });
    figure.addEventListener("click", (event) => {
      const area = figure.getBoundingClientRect();
      show(steps[event.clientX < area.left + area.width / 3 ? "back" : "next"]());
    });
    figure.classList.add("live");
    box.classList.add("ready");
    take(sections[0]);
    open();
    addEventListener("hashchange", open);
    return { go: (name) => show(steps[name]()), busy: () => now > 0 };
  }

  /* Tables that sort by any column. A column's cells have the same class as its head. */
  const figure = (text) => {
    const plain = text.replace("\u2212", "-").replace(",", ".").replace(/[=\s%]+$/, "");
    return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
  };

  function value(row, name) {
    const cell = [...row.cells].find((one) => one.classList.contains(name));
    const exact = cell && $("data", cell);
    if (!exact) return cell ? cell.textContent.trim() : "";
    /* A fraction such as 7300/147. */
    const [above, below = 1] = exact.value.split("/");
    return String(above / below);
  }

  /* The rows of a part of a table, without its heading. */
  const lines = (body) => [...body.rows].filter((row) => !row.matches(".part"));

  function compared(one, other, up) {
    if (one.text === "" || other.text === "") return (one.text === "") - (other.text === "");
    const both = one.number !== null && other.number !== null;
    const order = both ? one.number - other.number : one.text.localeCompare(other.text, undefined, { numeric: true });
    return up ? order : -order;
  }

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells].filter((head) => head.textContent.trim() && !head.matches(".again") && !$("a", head));
    for (const head of heads) {
      const button = document.createElement("button");
      const name = [...head.classList].find((one) => one !== "num");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const sorted = head.getAttribute("aria-sort");
        const up = sorted ? sorted === "descending" : !head.classList.contains("num");
        for (const body of table.tBodies) {
          const rows = lines(body).map((row) => {
            const text = value(row, name);
            return { row, text, number: figure(text) };
          });
          rows.sort((one, other) => compared(one, other, up));
          body.append(...rows.map((one) => one.row));
        }
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
      });
    }
  }
  all("table.sortable").forEach(sortable);

  /* Find me: by name or number, remembered on every page. */
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
  const people = (text) => text.split(/\s+[–-]\s+/);

  function named(wanted) {
    /* Return a test for elements that name the reader: by the exact number, or by the beginnings of a player's names. */
    const asked = people(wanted).map((one) => fold(one).split(/\s+/).filter(Boolean)).filter((one) => one.length);
    const number = fold(wanted);
    const meant = (link) => {
      const before = link.previousElementSibling;
      if (fold((before?.matches(".no") ? before : link).textContent) === number) return true;
      if (/^\d+$/.test(number)) return false;
      const here = people(link.textContent).map((one) => fold(one).split(/\s+/));
      const is = (words) => here.some((names) => words.every((word) => names.some((name) => name.startsWith(word))));
      return asked.every(is);
    };
    return (element) => asked.length > 0 && all("a", element).some(meant);
  }

  function turned(table, caption) {
    for (const body of table.tBodies) body.append(...lines(body).reverse());
    const text = table.caption?.dataset.turned;
    if (caption && text) table.caption.textContent = text;
  }

  function mark(wanted) {
    /* Mark the reader's rows. Best scores for E-W come first if the reader sat E-W. */
    const mine = named(wanted);
    const found = [];
    for (const row of all("tbody tr, .others li")) {
      const places = row.matches("li") ? [row] : all(".names, .ns, .ew, .vs", row);
      const place = places.find(mine);
      row.classList.toggle("mine", Boolean(place));
      if (place) row.setAttribute("aria-current", "true");
      else if (row.getAttribute("aria-current") === "true") row.removeAttribute("aria-current");
      if (place) found.push(place);
    }
    const traveller = $(".traveller");
    const own = found[0]?.closest(".traveller tbody");
    if (own && own !== traveller.tBodies[0]) traveller.tBodies[0].before(own);
    if (traveller && found.length && found.every((place) => place.matches(".ew"))) {
      turned(traveller, true);
      const often = $(".frequency");
      if (often) turned(often, false);
    }
    for (const link of all(".mine-next")) {
      const is = fold(link.dataset.of) === fold(wanted) || (wanted && mine({ querySelectorAll: () => [$("bdi", link)] }));
      link.classList.toggle("own", Boolean(is));
    }
    return found;
  }

  function paint(row) {
    /* Colour the boards by the reader's own scores; the score is also written below the number. */
    const scores = row?.dataset.scores ? row.dataset.scores.split(",") : [];
    const percent = Boolean($(".ranking.percent"));
    const most = Math.max(1, ...scores.map((one) => Math.abs(Number(one))));
    all(".board-grid a").forEach((tile, place) => {
      const score = scores[place] || "";
      const share = percent ? (Number(score) - 50) / 50 : Number(score) / most;
      const note = $("small", tile);
      note.textContent = score && (percent || !(Number(score) > 0) ? score.replace("-", "\u2212") : "+" + score);
      tile.dataset.tone = score === "" ? "" : share > 0.6 ? "2" : share > 0.1 ? "1" : share < -0.6 ? "-2" : share < -0.1 ? "-1" : "0";
    });
  }

  const wanted = query.get("pair");
  const found = mark(wanted || memory.get("me"));
  const form = $(".find");
  if (form) {
    const field = $("input", form);
    const answer = $("output", form);
    const you = $(".you");
    const listed = new Set(all(".names a, .others a").flatMap((link) => people(link.textContent)).map((name) => name.replace(/\s+/g, " ").trim()));
    $("datalist", form).append(...[...listed].sort().map((name) => {
      const option = document.createElement("option");
      option.value = name;
      return option;
    }));
    const rowOf = (places) => {
      const rows = [...new Set(places.map((place) => place.closest("tr")).filter((row) => row?.dataset.you))];
      const pages = new Set(rows.map((row) => $("a", row)?.getAttribute("href")));
      return pages.size === 1 ? rows[0] : null;
    };
    const greet = (row) => {
      /* Tell the reader's own place in one line, in the room of the form. */
      form.hidden = Boolean(row);
      you.hidden = !row;
      if (!row) return;
      $("span", you).textContent = row.dataset.you;
      const link = $("a", row).cloneNode(true);
      $("strong", you).replaceChildren(link);
      $(".evening", you).href = link.href;
      row.closest("section.long")?.classList.toggle("open", [...row.parentNode.rows].indexOf(row) >= 30);
    };
    const tell = (places, quiet) => {
      const links = new Map(places.map((place) => $("a", place)).map((link) => [link.href, link]));
      answer.replaceChildren(...[...links.values()].slice(0, 8).map((link) => link.cloneNode(true)));
      if (!places.length && field.value.trim() && !quiet) answer.textContent = form.dataset.nobody;
      paint(rowOf(places));
    };
    const look = () => {
      const places = mark(field.value);
      const row = rowOf(places);
      /* A number names another pair next week, so the names are kept. */
      const named = row && /^\d+$/.test(field.value.trim()) ? $("a", row).textContent.replace(/\s+/g, " ") : field.value.trim();
      memory.set("me", named);
      tell(places);
      return places;
    };
    field.value = wanted || memory.get("me");
    tell(found, true);
    greet(rowOf(found));
    field.addEventListener("input", look);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const row = rowOf(look());
      greet(row);
      (row ? $("a", you) : $("a", answer))?.focus();
    });
    you.addEventListener("click", (event) => {
      const act = event.target.closest("button")?.dataset.act;
      if (!act) return;
      if (act === "forget") {
        field.value = "";
        look();
      }
      greet(null);
      field.focus();
      field.select();
    });
    form.classList.add("ready");
  }

  /* What the search of a season knows, and the boards of an evening: read once, when they are first needed. */
  const known = new Map();
  const load = (path) => {
    const address = new URL(path, location.href.split(/[?#]/)[0]).href;
    if (!known.has(address)) {
      known.set(address, new Promise((done) => {
        const script = document.createElement("script");
        script.src = address;
        script.onload = script.onerror = () => done((window.overtrickData || {})[address]);
        document.head.append(script);
      }));
    }
    return known.get(address);
  };
  const parts = (text) => fold(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const begins = (words, text) => words.every((word) => parts(text).some((part) => part.startsWith(word)));
  const folderOf = (card) => card.split("/")[0];

  /* Return paths and texts: of players, teams and evenings, and for "ada 7" of what Ada had on board 7 of the last evenings. */
  async function search(home, wanted, boardWord) {
    const [people, season] = await Promise.all([load(home + "search.js"), load(home + "season.js")]);
    const words = parts(wanted);
    if (!words.length || !people || !season) return [];
    const evenings = new Map(season.sessions.map((one) => [one.folder, one]));
    const say = (one) => [one.title, one.date_text].filter(Boolean).join(", ");
    const hits = [];
    const numbers = words.filter((word) => /^\d{1,3}$/.test(word));
    const names = words.filter((word) => !numbers.includes(word));
    const meant = names.length ? people.filter(([name, , spelt]) => [name, ...spelt].some((one) => begins(names, one))) : [];
    if (!numbers.length) hits.push(...meant.map(([name, page]) => [page, name]));
    hits.push(...season.sessions.filter((one) => begins(words, say(one))).map((one) => [`${one.folder}/index.html`, say(one)]));
    hits.push(...season.sessions.flatMap((one) => (one.teams || []).filter((team) => begins(words, team)).map((team) => [`${one.folder}/index.html`, `${team}: ${say(one)}`, true])));
    if (numbers.length === 1) {
      const cards = meant.slice(0, 3).flatMap(([name, , , rows]) => rows.slice(0, 5).map(([card]) => [card, name]));
      const looked = names.length ? cards : season.sessions.slice(0, 5).map((one) => [`${one.folder}/`, ""]);
      for (const [card, name] of looked) {
        const folder = folderOf(card);
        const data = await load(`${home}${folder}/session.js`);
        const board = data?.boards.find((one) => String(one.board ?? one.number) === numbers[0]);
        const row = card.split("/")[1];
        if (board) hits.push([`${folder}/${board.page}${row && "#" + row}`, `${name && name + ": "}${boardWord} ${numbers[0]}, ${say(evenings.get(folder) || {})}`]);
      }
    }
    return hits;
  }

  const seek = $(".seek");
  if (seek) {
    const lines = all(".sessions li");
    const text = $("input", seek);
    const day = $("select", seek);
    const home = seek.dataset.home;
    let asked = 0;
    const filter = async () => {
      const words = fold(text.value).split(/\s+/).filter(Boolean);
      for (const line of lines) {
        const told = fold(line.textContent);
        line.hidden = !words.every((word) => told.includes(word)) || Boolean(day?.value && line.dataset.day !== day.value);
      }
      const chosen = Boolean(words.length || day?.value);
      for (const part of all(".month, .year")) {
        part.hidden = !$("li:not([hidden])", part);
        if (part.matches("details")) part.open = chosen ? !part.hidden : part === $("details.month");
      }
      const mine = ++asked;
      // The list of evenings below is cut to those that fit; elsewhere they are hits.
      const fits = await search(home, text.value, seek.dataset.board);
      if (mine !== asked) return;
      const hits = fits.filter(([path, , team]) => team || !lines.length || path.split("/").length > 2).slice(0, 10);
      $(".hits", seek).replaceChildren(...hits.map(([path, told]) => {
        const row = document.createElement("li");
        const link = row.appendChild(document.createElement("a"));
        link.href = home + path;
        link.textContent = told;
        return row;
      }));
      const any = hits.length || lines.some((line) => !line.hidden);
      $("output", seek).textContent = !chosen || any ? "" : seek.dataset.none;
    };
    seek.addEventListener("input", filter);
    seek.addEventListener("submit", (event) => {
      event.preventDefault();
      $(".hits a", seek)?.focus();
    });
    seek.closest("details")?.addEventListener("toggle", (event) => event.target.open && text.focus());
    seek.classList.add("ready");
  }

  /* When the reader met the opponents of an evening before; the reader's own page knows. */
  async function tellMet(met, page, evening) {
    const own = await readPage(page).catch(() => document);
    for (const day of all("td.date[data-earlier]", own)) {
      if (!new URL($("a", day).getAttribute("href"), page).href.startsWith(evening.href)) continue;
      const line = document.createElement("li");
      line.textContent = `${$(".names", day.parentNode).textContent.trim()}: ${day.dataset.earlier}`;
      $("ul", met).append(line);
      met.hidden = false;
    }
  }

  /* The front page of a season begins with the reader's last evening. */
  async function tellLast(last, home) {
    const me = fold(memory.get("me"));
    const listed = me && (await load(home + "search.js"));
    const one = listed && (listed.find(([name]) => fold(name) === me) || listed.find(([name, , spelt]) => [name, ...spelt].some((text) => begins(parts(me), text))));
    if (!one || !one[3].length) return;
    const [name, page, , [[card, place, field, percentage]], series] = one;
    const folder = folderOf(card);
    const [season, data] = await Promise.all([load(home + "season.js"), load(`${home}${folder}/session.js`)]);
    const evening = season?.sessions.find((session) => session.folder === folder);
    const link = $(".evening", last);
    link.href = home + card;
    link.textContent = evening ? [evening.title, evening.date_text].filter(Boolean).join(", ") : folder;
    const stands = $(".place", last);
    stands.textContent = [place && stands.dataset.text.replace("%p", place).replace("%n", field), percentage && `${percentage}\u00a0%`].filter(Boolean).join(" · ");
    $(".all", last).href = home + page;
    const ranks = $(".series", last);
    ranks.hidden = !series.length;
    $("span", ranks).replaceChildren(...series.flatMap(([path, title, rank, count], at) => {
      const to = Object.assign(document.createElement("a"), { href: home + path, textContent: title });
      return [at ? " · " : "", to, " " + stands.dataset.text.replace("%p", rank).replace("%n", count)];
    }));
    if (onWeb) tellMet($(".met", last), new URL(home + page, location.href), new URL(`${home}${folder}/`, location.href));
    const row = data?.standings.find((one) => people(name).every((player) => fold(one.names || "").includes(fold(player))));
    const side = row && (row.ranking.endsWith("NS") ? ["ns"] : row.ranking.endsWith("EW") ? ["ew"] : ["ns", "ew"]);
    const shares = (data?.results || []).flatMap((result) => (side || []).filter((at) => result[at] === row.contestant && result.percentage_ns !== null).map((at) => [at === "ns" ? result.percentage_ns : 100 - result.percentage_ns, result.board]));
    shares.sort(([one], [two]) => two - one);
    if (shares.length > 1) {
      for (const [kind, [share, number]] of [["best", shares[0]], ["worst", shares.at(-1)]]) {
        const board = data.boards.find((each) => (each.board ?? each.number) === number);
        const to = $(`.${kind}`, last);
        to.href = `${home}${folder}/${board?.page || "index.html"}#${card.split("/")[1]}`;
        to.textContent = `${number} (${Math.round(share)}\u00a0%)`;
      }
      $(".boards", last).hidden = false;
    }
    $("button", last).addEventListener("click", () => {
      memory.set("me", "");
      last.hidden = true;
    });
    last.hidden = false;
  }
  const last = $(".last");
  if (last) tellLast(last, "./");

  /* This is me, on a scorecard. */
  const me = $("button.me");
  if (me) {
    const name = me.dataset.name;
    const words = [me.textContent, me.dataset.forget];
    const tell = () => {
      const own = fold(memory.get("me")) === fold(name);
      me.textContent = words[Number(own)];
    };
    me.addEventListener("click", () => {
      memory.set("me", fold(memory.get("me")) === fold(name) ? "" : name);
      tell();
    });
    me.classList.add("ready");
    tell();
  }

  /* Share a page, or copy its address. */
  function shares(button, address) {
    if (!onWeb || !(navigator.share || navigator.clipboard)) return;
    button.classList.add("ready");
    button.addEventListener("click", async () => {
      const url = address();
      try {
        if (navigator.share) await navigator.share({ title: document.title, url });
        else {
          await navigator.clipboard.writeText(url);
          button.textContent = button.dataset.copied;
        }
      } catch { /* the reader closed the list */ }
    });
  }
  for (const button of all("button.share")) shares(button, () => location.href.split($(".comparison") ? "#" : /[?#]/)[0]);

  /* A board of a scorecard as a picture: its texts, drawn again. */
  function drawn(title, hands, said) {
    const canvas = document.createElement("canvas");
    const [wide, high] = [canvas.width, canvas.height] = [1080, 1080];
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(document.body);
    const say = (text, x, y, size, weight = "", ink = style.color) => {
      pen.font = `${weight} ${size}px ${style.fontFamily}`;
      pen.fillStyle = ink;
      pen.fillText(text.replace(/\s+/g, " ").trim(), x, y, wide - x - 40);
    };
    pen.fillStyle = style.backgroundColor;
    pen.fillRect(0, 0, wide, high);
    say(title, 60, 100, 44, "bold");
    const at = { north: [420, 200], west: [60, 430], east: [760, 430], south: [420, 660] };
    for (const [seat, [x, y]] of Object.entries(at)) all(`.hand.${seat} li`, hands).forEach((suit, row) => {
      say(suit.textContent, x, y + row * 44, 36);
      say(suit.textContent.trim().slice(0, 2), x, y + row * 44, 36, "", getComputedStyle(suit.firstElementChild).color);
    });
    say(said, 60, 890, 40, "bold");
    say(document.title, 60, 1030, 26);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  async function sendPicture(name, picture) {
    const file = new File([picture], name, { type: "image/png" });
    try {
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title: document.title });
      else {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(file);
        link.download = file.name;
        link.click();
      }
    } catch { /* the reader closed the list */ }
  }

  /* A scorecard opens its boards in place, one after the other. From a disk the links lead to their pages. */
  function reader(box) {
    const links = all(".scorecard tbody .board a");
    const [head, body] = [$("h2 a", box), $(".read", box)];
    let row = null;
    async function show(link) {
      let page, board;
      try {
        page = await readPage(link.href);
        board = document.importNode($("div.board", page), true);
      } catch {
        location.assign(link.href);
        return;
      }
      const own = link.hash ? $(link.hash, board) : null;
      own?.closest("tr")?.classList.add("mine");
      if (own?.matches(".traveller .ew")) turned($(".traveller", board), true);
      for (const one of all("[id]", board)) one.removeAttribute("id");
      for (const one of all("a[href]", board)) one.href = new URL(one.getAttribute("href"), link.href).href;
      row = link.closest("tr");
      head.textContent = $("h1", page).textContent;
      head.href = link.href;
      body.replaceChildren(board);
      for (const step of all("[data-step]", box)) step.disabled = !links[links.indexOf(link) + Number(step.dataset.step)];
      if (!box.open) box.showModal();
      box.scrollTop = 0;
    }
    const step = (by) => {
      const next = links[links.indexOf($("a", $(".board", row))) + by];
      if (next) show(next);
    };
    for (const link of links) {
      link.addEventListener("click", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        show(link);
      });
    }
    for (const button of all("[data-step]", box)) button.addEventListener("click", () => step(Number(button.dataset.step)));
    $(".close", box).addEventListener("click", () => box.close());
    box.addEventListener("keydown", (event) => {
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") step(event.key === "ArrowLeft" ? -1 : 1);
    });
    box.addEventListener("close", () => $("a", $(".board", row)).focus());
    shares($(".send", box), () => head.href);
    const picture = $(".picture", box);
    picture.classList.add("ready");
    picture.addEventListener("click", async () => {
      const said = ["bid", "by", "made", "lead", "score", "pct"].map((name) => $(`.${name} [aria-hidden]`, row)?.textContent || value(row, name));
      if (said[5]) said[5] += " %";
      await sendPicture("board.png", await drawn(head.textContent, body, said.filter(Boolean).join("  ")));
    });
  }
  if (onWeb) all("dialog.reader").forEach(reader);

  /* Two contestants, board by board: what each scored, and whether the two can be compared. */
  function comparable(section) {
    const { boards, lines } = JSON.parse(section.dataset.results);
    const [one, other] = all("select", section);
    const slugs = all("option", one).slice(1).map((option) => option.value);
    const outcomes = all("span", $(".outcomes", section).content).filter((span) => !span.parentElement);
    const table = $("table", section);
    const made = (name, ...parts) => { const element = document.createElement(name); element.append(...parts); return element; };
    const signed = (score) => (score > 0 ? "+" : "") + String(score).replace("-", "\u2212");
    const said = (name, values) => made("p", $(`[data-say=${name}]`, section).textContent.replace(/\{(\w+)\}/g, (_, word) => values[word]));

    function seen(line, side) {
      /* A result as one of its sides sees it. */
      const score = Array.isArray(line[4]) ? line[4][side] : line[4] === null ? "" : signed(side ? -line[4] || 0 : line[4]);
      return { line, side, score, earned: line[5 + side], value: parseFloat(line[5 + side].replace("\u2212", "-")) };
    }

    function listed(number) {
      const found = new Map();
      for (const line of lines) for (const side of [0, 1]) if (line[1 + side].includes(number)) found.set(line[0], [...(found.get(line[0]) || []), seen(line, side)]);
      return found;
    }

    function cell(results, ahead) {
      const parts = results.map((one) => made(
        "div",
        made("span", made("small", one.side ? section.dataset.ew : section.dataset.ns), " ", outcomes[one.line[3]].cloneNode(true)),
        " ",
        made("span", one.score),
        " ",
        made("b", one.earned.replace(".", section.dataset.point)),
      ));
      const shown = made("td", ...parts);
      shown.classList.toggle("ahead", ahead);
      return shown;
    }

    function show() {
      const [first, second] = [one, other].map((list) => slugs.indexOf(list.value));
      const chosen = first >= 0 && second >= 0 && first !== second;
      const told = $(".verdict", section);
      table.hidden = !chosen;
      told.replaceChildren();
      if (!chosen) return;
      try { history.replaceState(null, "", `?of=${one.value}+${other.value}`); } catch { /* a page from a disk */ }
      [one, other].forEach((list, place) => {
        const link = made("a", list.selectedOptions[0].textContent);
        link.href = `../${list.value}/index.html`;
        table.tHead.rows[0].cells[1 + place].replaceChildren(link);
      });
      const [mine, theirs] = [listed(first), listed(second)];
      const counts = { won: 0, lost: 0, same: 0, turned: 0, fields: 0, met: 0, boards: 0 };
      const rows = [];
      boards.forEach(([label, slug], board) => {
        const [own, their] = [mine.get(board), theirs.get(board)];
        if (!own || !their) return;
        counts.boards += 1;
        const met = own.some((a) => their.some((b) => a.line === b.line && a.side !== b.side));
        if (met) counts.met += 1;
        else if (!own.some((a) => their.some((b) => a.side === b.side))) counts.turned += 1;
        if (!own.some((a) => their.some((b) => a.line[7] === b.line[7]))) counts.fields += 1;
        const [a, b] = [own, their].map((results) => results.find((result) => !Number.isNaN(result.value))?.value);
        const known = a !== undefined && b !== undefined;
        if (known) counts[a > b ? "won" : a < b ? "lost" : "same"] += 1;
        const link = made("a", label);
        link.href = `../${slug}/index.html`;
        const head = made("th", link);
        head.scope = "row";
        const row = made("tr", head, cell(own, known && a > b), cell(their, known && b > a));
        if (met) row.cells[1].append(made("small", section.dataset.with));
        rows.push(row);
      });
      table.tBodies[0].replaceChildren(...rows);
      table.hidden = !counts.boards;
      if (!counts.boards) told.append(said("none", counts));
      else if (counts.won + counts.lost + counts.same) {
        told.append(said("better", counts));
        told.firstChild.prepend(one.selectedOptions[0].textContent + ": ");
      }
      for (const name of ["turned", "fields", "met"]) if (counts[name]) told.append(said(name, { ...counts, count: counts[name] }));
    }

    other.append(...[...one.children].map((child) => child.cloneNode(true)));
    const asked = (query.get("of") || "").split(" ").filter((slug) => slugs.includes(slug));
    const me = named(wanted || memory.get("me"));
    const own = slugs.find((slug) => me({ querySelectorAll: () => [made("i", $(`option[value="${slug}"]`, one).textContent.replace(/^\S*\d+\S* /, ""))] }));
    if (asked.length === 1 && own && own !== asked[0]) asked.unshift(own);
    /* Without a choice, the reader or the winners beside the best of the others in their ranking. */
    const ranked = all("option", own ? $(`option[value="${own}"]`, one).parentElement : $("optgroup", one)).map((option) => option.value);
    one.value = asked[0] || own || ranked[0];
    other.value = asked[1] || (asked.length ? "" : ranked.find((slug) => slug !== one.value)) || "";
    section.addEventListener("change", show);
    $("form", section).classList.add("ready");
    show();
  }
  all(".comparison").forEach(comparable);

  /* Two ticked lines of the recap sheet lead to the comparison, which has the contracts. */
  for (const form of all(".picks:has(.both)")) {
    form.addEventListener("change", () => {
      const ticked = all("tr:has(.pick :checked)", form).map((row) => $("th a", row).getAttribute("href").split("/").at(-2));
      const link = $(".both", form);
      link.hidden = ticked.length !== 2;
      link.href = `../compare/index.html?of=${ticked.join("+")}`;
    });
  }

  /* A cell of the matrix leads to the comparison of its two contestants. */
  for (const table of all("table.to-compare")) {
    const others = all("thead a", table);
    for (const row of table.tBodies[0].rows) {
      const own = $("a", row);
      [...row.cells].slice(2).forEach((cell, place) => {
        if (!cell.textContent) return;
        const [one, other] = [own, others[place]].map((link) => ({ slug: link.getAttribute("href").split("/").at(-2), names: $(".sr-only", link)?.textContent || link.textContent }));
        const link = document.createElement("a");
        link.href = `../compare/index.html?of=${one.slug}+${other.slug}`;
        link.setAttribute("aria-label", `${one.names}, ${other.names}: ${cell.textContent}`);
        link.append(...cell.childNodes);
        cell.append(link);
      });
    }
  }

  /* The player, keys and swipes. */
  const diagram = $("main .deal");
  const box = $(".player");
  const sections = all(".replay").filter((one) => $("table.auction, table.play", one));
  const replay = diagram && box && sections.length ? player(box, diagram, sections) : null;
  if (box && !replay) box.hidden = true;
  const alone = Boolean($(".at-table"));

  function follow(direction) {
    const link = $(`.strip [rel=${direction}], .cards-pager [rel=${direction}]`);
    if (link) location.assign(link.href);
    return Boolean(link);
  }

  const current = $(".strip [aria-current]");
  if (current) {
    const list = current.closest("ol");
    list.scrollLeft = current.offsetLeft - list.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
  }
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "start", End: "end" };
  document.addEventListener("keydown", (event) => {
    const name = keys[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, .wide, dialog")) return;
    const steps = replay && (alone || event.target.closest(".player") || replay.busy());
    if (steps) {
      event.preventDefault();
      replay.go(name);
    } else if (name === "back" || name === "next") follow(name === "back" ? "prev" : "next");
  });
  let begun = null;
  const main = $("main");
  main?.addEventListener("touchstart", (event) => {
    const busy = event.touches.length > 1 || event.target.closest(".wide, .strip, .jump, dialog, input");
    begun = busy ? null : { x: event.touches[0].clientX, y: event.touches[0].clientY, card: event.target.closest(".deal") };
  }, { passive: true });
  main?.addEventListener("touchend", (event) => {
    if (!begun) return;
    const across = event.changedTouches[0].clientX - begun.x;
    const down = event.changedTouches[0].clientY - begun.y;
    if (Math.abs(across) < 60 || Math.abs(down) > Math.abs(across) / 2) return;
    if (replay && (alone || begun.card)) replay.go(across < 0 ? "next" : "back");
    else follow(across < 0 ? "next" : "prev");
  }, { passive: true });
})();
