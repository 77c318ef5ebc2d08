/* Results on any page: <bridge-latest>, <bridge-ranking> and <bridge-board>, from the data beside the pages.
   A script element with the address of this file loads it, and it needs nothing else. */
(() => {
  "use strict";

  const home = new URL(".", document.currentScript.src);
  const SUITS = [["\u2660", "spades"], ["\u2665", "hearts"], ["\u2666", "diamonds"], ["\u2663", "clubs"]];
  const SEATS = ["N", "E", "S", "W"];
  const STYLE = `
    :host { display: block; --ink: light-dark(#1c1917, #f5f5f5); --quiet: light-dark(#5c5650, #aaa49d); --rule: light-dark(#e4e1da, #3a3836);
      --red: light-dark(#b91c1c, #f87171); --accent: light-dark(#14532d, #86d9a4); font: 1rem/1.45 system-ui, sans-serif; color: var(--ink); font-variant-numeric: tabular-nums; }
    a { color: var(--accent); } h3 { margin: 0 0 .3rem; font-size: 1.125rem; } p { margin: .3rem 0; } small, th { color: var(--quiet); font-weight: 400; }
    table { border-collapse: collapse; width: 100%; font-size: .9375rem; } caption { text-align: left; font-weight: 600; padding: .5rem 0 .2rem; }
    th, td { padding: .25rem .4rem; text-align: left; border-bottom: 1px solid var(--rule); } .num { text-align: right; }
    .hearts, .diamonds { color: var(--red); } ul { list-style: none; margin: 0; padding: 0; } li { margin: .4rem 0; }
    .deal { display: grid; grid-template: "terms north ." auto "west centre east" auto ". south ." auto / 1fr auto 1fr; gap: .4rem .8rem; max-width: 26rem; margin: .5rem 0; white-space: nowrap; }
    .deal > div { line-height: 1.3; } .N { grid-area: north; } .E { grid-area: east; } .S { grid-area: south; } .W { grid-area: west; justify-self: end; } .terms { grid-area: terms; white-space: normal; color: var(--quiet); font-size: .875rem; }
    .centre { grid-area: centre; display: grid; grid-template: ". n ." 1fr "w . e" 1fr ". s ." 1fr / 1fr 1fr 1fr; place-items: center; width: 5.5rem; height: 5.5rem; background: #14532d; color: #fff; border-radius: .4rem; font-size: .875rem; }
    .gone { opacity: .3; } button { font: inherit; min-width: 2.75rem; min-height: 2.5rem; margin-right: .3rem; color: inherit; background: none; border: 1px solid var(--quiet); border-radius: .4rem; cursor: pointer; }`;

  const loaded = new Map();
  function load(folder, name) {
    /* Read the data of a folder. A site without CORS lets other pages run its scripts only, so the data is one too. */
    const key = new URL(name, folder).href;
    if (!loaded.has(key)) {
      const asScript = () => new Promise((done, fail) => {
        const script = document.createElement("script");
        script.src = key + ".js";
        script.onload = () => done(window.overtrickData?.[script.src]);
        script.onerror = () => fail(new Error(key));
        document.head.append(script);
      });
      const asked = home.origin === location.origin && /^http/.test(location.protocol) ? fetch(key + ".json").then((answer) => (answer.ok ? answer.json() : Promise.reject())) : Promise.reject();
      loaded.set(key, asked.catch(asScript));
    }
    return loaded.get(key);
  }

  function make(tag, about = {}, ...parts) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(about)) if (value) element.setAttribute(name, value);
    element.append(...parts.filter((part) => part !== null && part !== undefined));
    return element;
  }

  function signs(text) {
    /* Colour the suits within a text. */
    return String(text).split(/([\u2660\u2665\u2666\u2663])/).map((part) => {
      const suit = SUITS.find(([sign]) => sign === part);
      return suit ? make("span", { class: suit[1] }, part + "\ufe0e") : part;
    });
  }

  const named = (text) => text.split(" - ").join(" \u2013 ");
  const figure = (value, places = 0) => Number(value).toFixed(places).replace("-", "\u2212");
  const contract = (text) => (text || "").replace(/^(\d)S/, "$1\u2660").replace(/^(\d)H/, "$1\u2665").replace(/^(\d)D/, "$1\u2666").replace(/^(\d)C/, "$1\u2663");

  function hands(deal) {
    /* Return the hands of a deal in PBN, by seat: each a list of four texts. */
    const [first, rest] = deal.split(":");
    const start = SEATS.indexOf(first);
    return Object.fromEntries(rest.split(" ").map((hand, place) => [SEATS[(start + place) % 4], hand === "-" ? null : hand.split(".")]));
  }

  function diagram(of, terms, words, gone = new Set(), centre = {}) {
    const ranks = (held, suit) => [...held].flatMap((rank, place) => {
      const card = make("span", { class: gone.has("SHDC"[suit] + rank) && "gone" }, rank === "T" ? "10" : rank);
      return place ? [" ", card] : [card];
    });
    const box = make("div", { class: "deal" }, make("div", { class: "terms" }, ...terms.filter(Boolean).flatMap((term, n) => (n ? [make("br"), term] : [term]))));
    for (const seat of SEATS) {
      const hand = of[seat];
      box.append(make("div", { class: seat }, ...(hand ? hand.map((held, suit) => make("div", {}, make("span", { class: SUITS[suit][1] }, SUITS[suit][0] + "\ufe0e"), " ", ...(held ? ranks(held, suit) : ["\u2014"]))) : ["?"])));
    }
    const middle = make("div", { class: "centre" });
    for (const seat of SEATS) {
      const place = make("span", {}, ...signs(centre[seat] || words?.[seat] || seat));
      place.style.gridArea = seat.toLowerCase();
      middle.append(place);
    }
    box.append(middle);
    return box;
  }

  class Shown extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return;
      this.attachShadow({ mode: "open" });
      this.shadowRoot.append(make("style", {}, STYLE));
      Promise.resolve().then(() => this.draw()).then((parts) => this.shadowRoot.append(...parts), () => {
        this.shadowRoot.append(make("p", {}, make("a", { href: this.folder.href }, this.folder.href)));
      });
    }

    get site() { return new URL(this.getAttribute("src") || "", home); }

    get folder() {
      const name = this.getAttribute("session");
      return name ? new URL(encodeURI(name) + "/", this.site) : this.site;
    }
  }

  class Latest extends Shown {
    async draw() {
      const season = await load(this.site, "season").catch(() => this.alone());
      const list = season.sessions.slice(0, Number(this.getAttribute("count")) || 1).map((one) => make("li", {},
        make("a", { href: new URL((one.folder ? one.folder + "/" : "") + "index.html", this.site).href }, one.title), one.date_text ? make("small", {}, " " + one.date_text) : null,
        ...one.winners.map((first) => make("div", {}, first.names + (first.percentage ? " " + first.percentage + " %" : "")))));
      return [make("ul", {}, ...list)];
    }

    async alone() {
      /* A site of one session has no list of sessions. */
      const { session, standings } = await load(this.site, "session");
      const winners = standings.filter((row) => row.rank === 1).map((row) => ({ names: named(row.names || row.contestant), percentage: row.percentage === null ? null : figure(row.percentage, 2) }));
      return { sessions: [{ title: session.title, folder: "", date_text: session.date, winners }] };
    }
  }

  class Ranking extends Shown {
    async draw() {
      const { session, standings, embed } = await load(this.folder, "session");
      const most = Number(this.getAttribute("rows")) || Infinity;
      const fields = new Map();
      for (const row of standings) fields.set(row.ranking, [...(fields.get(row.ranking) || []), row]);
      const tables = [...fields].map(([name, rows]) => make("table", {},
        fields.size > 1 ? make("caption", {}, embed.words[name] || name) : null,
        make("tbody", {}, ...rows.slice(0, most).map((row) => make("tr", {},
          make("td", { class: "num" }, row.rank + (row.rank_last > row.rank ? "=" : "")),
          make("td", {}, named(row.names || row.contestant)),
          make("td", { class: "num" }, row.percentage === null ? figure(row.total, row.total % 1 ? 2 : 0) : figure(row.percentage, 2) + " %"))))));
      return [make("h3", {}, make("a", { href: new URL("index.html", this.folder).href }, session.title || embed.words.results)), ...tables];
    }
  }

  class Board extends Shown {
    async draw() {
      if (this.hasAttribute("lin")) return [this.view(this.getAttribute("lin"))];
      if (this.hasAttribute("deal")) return [diagram(hands(this.getAttribute("deal")), [])];
      const { boards, results, embed } = await load(this.folder, "session");
      const number = this.getAttribute("board");
      const board = boards.find((one) => String(one.number) === number);
      const names = (row, side) => embed.names[[row.section || "", side, row[side]].join("|")] || row[side] || "";
      const words = embed.words;
      const played = results.filter((row) => (board.evening ? row.evening === board.evening && row.board === board.board : String(row.board) === number)).sort((one, other) => (other.score_ns ?? -1e9) - (one.score_ns ?? -1e9));
      const made = (row) => (row.tricks === null || !/^\d/.test(row.contract || "") ? "" : ["=", "+" + (row.tricks - 6 - row.contract[0])][Number(row.tricks - 6 - row.contract[0] > 0)]);
      const result = (row) => { const over = row.tricks - 6 - Number((row.contract || "0")[0]); return over < 0 && row.tricks !== null ? figure(over) : made(row); };
      return [
        make("h3", {}, make("a", { href: new URL(board.page, this.folder).href }, board.title)),
        board.deal ? diagram(hands(board.deal), [board.dealer && words.dealer + " " + board.dealer, board.vulnerable && words.vulnerable + " " + board.vulnerable], words) : null,
        board.par ? make("p", {}, words.par + " ", ...signs(board.par)) : null,
        this.hasAttribute("bare") || !played.length ? null : make("table", {}, make("tbody", {}, ...played.map((row) => make("tr", {},
          make("td", {}, names(row, "ns")), make("td", {}, names(row, "ew")),
          make("td", {}, ...signs(contract(row.contract)), row.declarer ? " " + (words[row.declarer] || row.declarer) : "", " " + result(row)),
          make("td", { class: "num" }, row.score_ns === null ? "" : figure(row.score_ns)),
          make("td", { class: "num" }, row.percentage_ns === null ? "" : figure(row.percentage_ns, 1)))))),
      ].filter(Boolean);
    }

    view(lin) {
      /* A hand in LIN, the language of bridge viewers, to step through. */
      const pieces = lin.split("|");
      const all = pieces.map((name, place) => [name.toLowerCase().trim(), pieces[place + 1] || ""]).filter((_, place) => place % 2 === 0);
      const of = (name) => all.filter(([key]) => key === name).map(([, value]) => value.trim());
      const [deal = ""] = of("md");
      const dealer = ["S", "W", "N", "E"][Number(deal[0]) - 1] || "N";
      const dealt = {};
      deal.slice(1).split(",").forEach((text, place) => {
        const held = ["S", "H", "D", "C"].map((suit) => (text.toUpperCase().match(new RegExp(suit + "([2-9TJQKA]*)")) || ["", ""])[1]);
        dealt[["S", "W", "N", "E"][place]] = held.map((ranks) => [...ranks].sort((a, b) => "AKQJT98765432".indexOf(a) - "AKQJT98765432".indexOf(b)).join(""));
      });
      const known = Object.values(dealt).filter((hand) => hand.join("").length === 13);
      const last = SEATS.find((seat) => !dealt[seat]?.join(""));
      if (known.length === 3 && last) dealt[last] = [0, 1, 2, 3].map((suit) => [..."AKQJT98765432"].filter((rank) => !known.some((hand) => hand[suit].includes(rank))).join(""));
      const calls = of("mb").map((call) => call.replace("!", "").toUpperCase());
      const cards = of("pc").map((card) => card.toUpperCase().replace("10", "T"));
      const steps = [];
      let trump = "";
      let declarer = "";
      const first = {};
      calls.forEach((call, place) => {
        const seat = SEATS[(SEATS.indexOf(dealer) + place) % 4];
        steps.push({ seat, text: { P: "\u2013", D: "X", R: "XX" }[call] || contract(call) });
        if (/^\d/.test(call)) {
          const side = SEATS.indexOf(seat) % 2;
          first[side + call[1]] ||= seat;
          trump = call[1];
          declarer = first[side + call[1]];
        }
      });
      const holds = (card) => SEATS.find((seat) => dealt[seat]?.["SHDC".indexOf(card[0])]?.includes(card[1]));
      cards.forEach((card, place) => steps.push({ seat: holds(card) || SEATS[(SEATS.indexOf(declarer || "W") + 1 + place) % 4], card, trick: Math.floor(place / 4), text: SUITS["SHDC".indexOf(card[0])]?.[0] + card[1].replace("T", "10") }));
      const box = make("div", {});
      let now = 0;
      const show = (to) => {
        now = Math.max(0, Math.min(steps.length, to));
        const done = steps.slice(0, now);
        const at = done[now - 1];
        const seen = !at ? [] : at.card ? done.filter((one) => one.card && one.trick === at.trick) : done.slice(-4);
        const centre = Object.fromEntries(seen.map((one) => [one.seat, one.text]));
        const old = box.querySelector(".deal");
        const fresh = diagram(dealt, [of("ah")[0] || "", trump && now >= calls.length ? contract(calls.filter((call) => /^\d/.test(call)).pop()) + " " + declarer : ""], null, new Set(done.map((one) => one.card)), centre);
        if (old) old.replaceWith(fresh); else box.prepend(fresh);
      };
      const button = (label, sign, to) => {
        const one = make("button", { type: "button", "aria-label": label }, sign + "\ufe0e");
        one.addEventListener("click", () => show(to()));
        return one;
      };
      if (steps.length) box.append(make("p", {}, button("Start", "|\u25c0", () => 0), button("Back", "\u25c0", () => now - 1), button("Next", "\u25b6", () => now + 1), button("End", "\u25b6|", () => steps.length)));
      show(0);
      return box;
    }
  }

  for (const [name, kind] of [["bridge-latest", Latest], ["bridge-ranking", Ranking], ["bridge-board", Board]]) {
    if (!customElements.get(name)) customElements.define(name, kind);
  }
})();
