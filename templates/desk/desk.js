// What must feel instant. Every page works without it: each form can be sent, and each link followed.
"use strict";

const id = sessionStorage.getItem("window") || crypto.randomUUID();
sessionStorage.setItem("window", id);
let writes = true;

// One window writes

function send(path, fields) {
  return fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" } });
}

function show(allowed) {
  writes = allowed;
  const bar = document.querySelector(".reading");
  if (!bar) return;
  bar.hidden = allowed;
  for (const button of document.querySelectorAll('main form[method="post"] button')) button.disabled = !allowed;
}

async function beat(path = "/window") {
  try {
    const answer = await send(path, { id });
    if (answer.ok) show((await answer.json()).writes);
  } catch {
    // The desk has ended; the page says so when something is sent.
  }
}

function keepAlive() {
  if (!document.querySelector(".reading")) return;
  beat();
  setInterval(beat, 5000);
  document.querySelector(".take").addEventListener("click", () => beat("/window/take"));
  addEventListener("pagehide", () => navigator.sendBeacon("/window/leave", new URLSearchParams({ id })));
  addEventListener("pageshow", (event) => event.persisted && beat());
}

document.addEventListener("formdata", (event) => {
  // A field called method would hide the form's own.
  if (event.target.getAttribute("method") === "post") event.formData.set("window", id);
});

function say(text, wrong) {
  const told = document.querySelector(".told[role=status]");
  told.textContent = text;
  told.hidden = !text;
  told.classList.toggle("wrong", Boolean(wrong));
}

// The journal: what was entered is kept in the browser until the desk has answered

const desk = document.body.dataset.desk;
const journal = {
  // Answers by number of entry, for the page that made it; after a reload nobody asks for them.
  asked: new Map(),
  busy: false,

  async open() {
    if (!this.store) {
      this.store = new Promise((done, failed) => {
        const asked = indexedDB.open("overtrick", 1);
        asked.onupgradeneeded = () => asked.result.createObjectStore("journal", { autoIncrement: true, keyPath: "number" });
        asked.onsuccess = () => done(asked.result);
        asked.onerror = () => failed(asked.error);
      });
    }
    return this.store;
  },

  async run(mode, work) {
    const change = (await this.open()).transaction("journal", mode, { durability: "strict" });
    return new Promise((done, failed) => {
      const asked = work(change.objectStore("journal"));
      change.oncomplete = () => done(asked.result);
      change.onerror = () => failed(change.error);
    });
  },

  // Without a store, as in some private windows, entries are kept as long as the page is open.
  memory: new Map(),

  async list() {
    const stored = await this.run("readonly", (store) => store.getAll()).catch(() => []);
    return [...stored, ...this.memory.values()].filter((entry) => entry.desk === desk);
  },

  // Keep an entry, and call `then` with what the desk answered.
  async keep(path, fields, text, then) {
    const entry = { desk, path, fields, text };
    const number = await this.run("readwrite", (store) => store.add(entry)).catch(() => crypto.randomUUID());
    if (typeof number === "string") this.memory.set(number, { ...entry, number });
    this.asked.set(number, then);
    this.send();
  },

  async send() {
    if (this.busy) {
      this.more = true;
      return;
    }
    this.busy = true;
    clearTimeout(this.again);
    do {
      this.more = false;
      for (const entry of await this.list()) {
        if (entry.refused) continue;
        if (!(await this.deliver(entry))) {
          this.again = setTimeout(() => this.send(), 1500);
          this.busy = false;
          return this.tell(true);
        }
      }
    } while (this.more);
    this.busy = false;
    this.tell(false);
  },

  // Send one entry; false if the desk is away, or may not take it yet.
  async deliver(entry) {
    let answer, data;
    try {
      answer = await send(entry.path, { ...entry.fields, window: id });
      if (answer.status === 401 || answer.status === 423 || answer.status >= 500) return false;
      data = await answer.json();
    } catch {
      return false;
    }
    const then = this.asked.get(entry.number);
    this.asked.delete(entry.number);
    const refused = data.error || Object.values(data.wrong || {}).join(" ");
    if (refused && !then) await this.put({ ...entry, refused });
    else await this.drop(entry);
    if (then) then(data, refused);
    return true;
  },

  put(entry) {
    if (this.memory.has(entry.number)) return this.memory.set(entry.number, entry);
    return this.run("readwrite", (store) => store.put(entry));
  },

  drop(entry) {
    if (this.memory.delete(entry.number)) return undefined;
    return this.run("readwrite", (store) => store.delete(entry.number));
  },

  async tell(away) {
    const entries = await this.list();
    const bar = document.querySelector(".waiting");
    const list = document.querySelector("ul.refused");
    if (!bar) return;
    const waits = entries.filter((entry) => !entry.refused).length;
    this.waits = waits;
    bar.hidden = !waits || !away;
    bar.textContent = waits === 1 ? bar.dataset.one : bar.dataset.text.replace("%n", waits);
    const refused = entries.filter((entry) => entry.refused);
    list.hidden = !refused.length;
    list.replaceChildren(
      ...refused.map((entry) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = list.dataset.again;
        button.addEventListener("click", async () => {
          await this.drop(entry);
          this.tell(false);
        });
        item.append(`${entry.text}: ${entry.refused} `, button);
        return item;
      }),
    );
  },

  begin() {
    if (!document.querySelector(".waiting")) return;
    this.send();
    addEventListener("beforeunload", (event) => {
      if (this.waits) event.preventDefault();
    });
  },
};

// A result as a scorer types it, judged without the desk by the words that it sent

function read(text) {
  const plain = text.trim().replace(/\s+/g, " ").toUpperCase().normalize("NFKD");
  return plain.replace(/[\p{M}\ufe0e\ufe0f]/gu, "").replace(/[−–—]/g, "-").replace(/×/g, "X");
}

function makeJudge(words) {
  const result = new RegExp(`^(?:${words.result})$`);
  const other = new RegExp(`^(?:${words.other})$`);
  const card = new RegExp(`^(?:${words.card})$`);
  // Returns what an entry lacks; an empty text if it is a result.
  return (text) => {
    const plain = read(text);
    if (!plain || other.test(plain)) return "";
    const bare = plain.replace(/[()]/g, " ").trim();
    // A sign without its number lacks the tricks, as no sign does.
    const found = result.exec(bare) || result.exec(bare.replace(/[+-]$/, ""));
    const said = found && found.groups;
    const lead = said && (said.lead || said.last_lead);
    if (!said || !said.level || (lead && !card.test(lead.trim()))) return words.nothing;
    const shown = text.trim();
    if (!(said.seat || said.last_seat || said.first_seat)) return words.declarer.replace("%s", shown);
    const tricks = said.tricks || said.first_tricks;
    if (!tricks) return words.tricks.replace("%s", shown);
    const level = Number(said.level);
    const number = Number(tricks.replace(/ /g, ""));
    if (/^[0-9]+$/.test(tricks) && number <= 6) return words.sign.replace("%s", shown);
    const made = /^[0-9]+$/.test(tricks) ? number : level + 6 + (number || 0);
    return made >= 0 && made <= 13 ? "" : words.nothing;
  };
}

function refuse(input, note, message) {
  input.setAttribute("aria-invalid", "true");
  if (note) note.textContent = message;
  else say(message, true);
  input.focus();
  input.select();
}

// Files dropped anywhere on the page

function dropFiles() {
  const form = document.querySelector(".drop");
  if (!form) return;
  const chosen = form.querySelector("input[type=file]");
  const whole = document.getElementById("whole");
  whole.closest(".script").hidden = false;
  whole.addEventListener("change", () => (chosen.webkitdirectory = whole.checked));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  addEventListener("dragleave", () => form.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (!event.dataTransfer.files.length || !writes) return;
    chosen.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

// The grid: arrows move, typing opens a cell, Enter saves it

function room() {
  const all = document.querySelector(".room");
  if (!all) return;
  for (const part of document.querySelectorAll(".script")) part.hidden = false;
  let asked = 0;

  const judge = makeJudge(JSON.parse(all.dataset.judge));
  const fields = (cell, result) => {
    const given = Object.fromEntries(new URLSearchParams(cell.dataset.key));
    const why = all.querySelector("input[name=why]")?.value;
    return { ...given, result, was: cell.dataset.short, do: "save", ...(why && { why }) };
  };

  async function preview(cell, result) {
    const mine = ++asked;
    const began = performance.now();
    let data;
    try {
      data = await (await send(all.dataset.effect, { ...fields(cell, result), window: id })).json();
    } catch {
      // The desk is away; what is typed is kept all the same.
      return;
    }
    if (mine !== asked) return;
    const effect = document.getElementById("effect");
    if (data.error) effect.textContent = data.error;
    else effect.innerHTML = data.effect;
    time(began, data.took);
  }

  function time(began, took) {
    const place = document.getElementById("took");
    place.dataset.page = (performance.now() - began).toFixed(1);
    place.dataset.server = took;
    place.textContent = `${Math.round(performance.now() - began)} ms (${Math.round(took)} ms)`;
  }

  function open(cell, first) {
    if (!writes || cell.querySelector("input")) return;
    const shown = [...cell.childNodes];
    const input = document.createElement("input");
    input.className = "result";
    input.value = first ?? cell.dataset.short;
    input.setAttribute("aria-label", cell.title);
    input.autocomplete = "off";
    input.spellcheck = false;
    cell.replaceChildren(input);
    input.focus();
    if (first === undefined) input.select();
    let over = false;
    let wait = 0;
    const close = () => {
      if (over) return;
      over = true;
      asked++;
      clearTimeout(wait);
      cell.replaceChildren(...shown);
      document.getElementById("effect").textContent = "";
    };
    input.addEventListener("input", () => {
      clearTimeout(wait);
      wait = setTimeout(() => input.value.trim() && preview(cell, input.value), 90);
    });
    input.addEventListener("click", (event) => event.preventDefault());
    // Enter, Tab, arrows and leaving the cell save alike; Escape alone gives up.
    const keep = (next) => {
      if (over) return;
      const text = input.value.trim();
      if (!text || text === cell.dataset.short) {
        close();
        next?.focus();
        return;
      }
      const lacks = judge(text);
      if (lacks) return refuse(input, null, lacks);
      close();
      say("");
      save(cell, text);
      next?.focus();
    };
    input.addEventListener("blur", () => keep());
    input.addEventListener("paste", (event) => {
      const text = event.clipboardData.getData("text").trim();
      if (!text.includes("\n")) return;
      event.preventDefault();
      close();
      column(cell, text.split(/\r?\n/));
    });
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") {
        close();
        cell.focus();
      } else if (event.key === "Enter" || event.key === "ArrowDown") {
        event.preventDefault();
        keep(below(cell) || cell);
      } else if (event.key === "ArrowUp") {
        event.preventDefault();
        keep(near(cell, 0, -1) || cell);
      } else if (event.key === "Tab") {
        event.preventDefault();
        keep(near(cell, event.shiftKey ? -1 : 1, 0) || cell);
      }
    });
  }

  // What was typed stays in the cell until the desk has answered.
  function save(cell, result) {
    const began = performance.now();
    const key = cell.dataset.key;
    asked++;
    cell.classList.add("sent");
    cell.querySelector("span").textContent = result;
    journal.keep(all.dataset.cell, fields(cell, result), `${cell.closest("tr").dataset.row}: ${result}`, (data, refused) => {
      const there = () => [...document.querySelectorAll(".grid .cell")].find((one) => one.dataset.key === key);
      if (refused) {
        const again = there();
        if (!again) return say(refused, true);
        again.classList.remove("sent");
        open(again, result);
        return refuse(again.querySelector("input"), null, refused);
      }
      const focused = document.activeElement?.closest?.(".grid .cell");
      const at = focused?.dataset.key;
      // A cell that is being typed into stays as it is; its row is drawn when that is saved.
      const typing = focused?.querySelector("input");
      for (const field of document.querySelectorAll("main input[name=seen]")) field.value = data.seen;
      const rows = document.createElement("tbody");
      rows.innerHTML = data.rows;
      for (const row of [...rows.rows]) {
        const shown = [...document.querySelectorAll(".grid tr[data-row]")].find((one) => one.dataset.row === row.dataset.row);
        if (!shown) continue;
        [...row.cells].forEach((place, column) => {
          const old = shown.cells[column];
          if (!old || !(typing && old.contains(typing))) old?.replaceWith(place);
        });
      }
      rove();
      document.getElementById("ranking").innerHTML = data.ranking;
      document.getElementById("effect").innerHTML = data.effect;
      time(began, data.took);
      say(data.told);
      there()?.classList.add("saved");
      if (at && !typing) [...document.querySelectorAll(".grid .cell")].find((one) => one.dataset.key === at)?.focus();
    });
  }

  function column(cell, lines) {
    let at = cell;
    for (const text of lines) {
      if (!at) break;
      if (text.trim()) save(at, text.trim());
      at = below(at);
    }
  }

  function near(cell, right, down) {
    const place = cell.closest("td");
    const rows = [...place.closest("tbody").rows];
    const row = rows[rows.indexOf(place.parentElement) + down];
    const next = row && row.cells[place.cellIndex + right];
    return next && next.querySelector(".cell");
  }
  const below = (cell) => near(cell, 0, 1);

  // The first and the last result of a board, and of a table ten boards away.
  const within = (cell) => [...cell.closest("tr").querySelectorAll(".cell")];
  const far = (cell, rows) => {
    for (let step = rows; step; step -= Math.sign(rows)) {
      const next = near(cell, 0, step);
      if (next) return next;
    }
    return null;
  };
  const ends = {
    Home: (cell) => within(cell)[0],
    End: (cell) => within(cell).at(-1),
    PageUp: (cell) => far(cell, -10),
    PageDown: (cell) => far(cell, 10),
  };

  // What is typed finds a result by its board, its pairs and their names: "7 ada" is what Ada had on board 7.
  const find = document.getElementById("find");
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  function found() {
    const words = fold(find.value);
    const fits = (cell) => {
      const board = cell.closest("tr").dataset.row.split("/").at(-1);
      const known = [board, ...fold(cell.dataset.who)];
      const is = (word) => (/^\d+$/.test(word) ? known.includes(word) : known.some((one) => one.startsWith(word)));
      // Of two numbers the first is the board.
      const numbers = words.filter((word) => /^\d+$/.test(word));
      return words.every(is) && (numbers.length < 2 || numbers[0] === board);
    };
    const cells = [...all.querySelectorAll(".grid .cell")];
    const hits = words.length ? cells.filter(fits) : [];
    for (const cell of cells) cell.classList.toggle("found", hits.includes(cell));
    return hits;
  }
  find.addEventListener("input", () => found()[0]?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  find.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    found()[0]?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    find.focus();
  });

  // The grid is one stop of the Tab key: the cell that had the focus last.
  function rove(to) {
    const cells = [...all.querySelectorAll(".grid .cell")];
    const stop = to || cells.find((cell) => cell.tabIndex === 0) || cells[0];
    for (const cell of cells) cell.tabIndex = cell === stop ? 0 : -1;
  }
  all.addEventListener("focusin", (event) => {
    const cell = event.target.closest(".grid .cell");
    if (cell) rove(cell);
  });
  rove();

  const moves = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  all.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      const next = near(cell, ...moves[event.key]);
      if (next) {
        event.preventDefault();
        next.focus();
      }
    } else if (event.key in ends) {
      const next = ends[event.key](cell);
      if (next) {
        event.preventDefault();
        next.focus();
      }
    } else if (event.key === "F2") {
      location.href = cell.href;
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(cell);
    } else if (event.key.length === 1 && !" /".includes(event.key)) {
      event.preventDefault();
      open(cell, event.key);
    }
  });
  all.addEventListener("click", (event) => {
    const cell = event.target.closest(".grid .cell");
    if (!cell || !writes || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(cell);
  });
}

// The contract pad writes the result as it would be typed

function pad() {
  const form = document.querySelector(".editor");
  if (!form) return;
  const result = form.querySelector("input[name=result]");
  form.querySelector(".pad").addEventListener("change", () => {
    const of = (name) => new FormData(form).get(name) || "";
    const lead = of("lead") && ` ${of("lead")}`;
    result.value = of("level") === "P" ? "P" : `${of("level")}${of("strain")}${of("doubled")}${of("by")}${of("made")}${lead}`;
  });
}

// A traveller: Enter, Tab, arrows and leaving a line save it; boards change without loading a page

function traveller() {
  const form = document.querySelector(".traveller");
  if (!form) return;
  const judge = makeJudge(JSON.parse(form.dataset.judge));
  const body = form.querySelector("tbody");
  const links = new Map([...document.querySelectorAll(".boards a")].map((link) => [link.dataset.board, link]));
  const order = [...links.keys()];
  const boards = new Map([[form.dataset.board, [...body.rows]]]);
  for (const kept of form.querySelectorAll("template")) boards.set(kept.dataset.board, [...kept.content.querySelectorAll("tr")]);
  let here = form.dataset.board;

  const inputs = (board = here) => boards.get(board).map((row) => row.querySelector(".result"));
  const note = (input) => input.parentElement.querySelector(".note");

  function mark(board) {
    const full = inputs(board).every((input) => input.value.trim());
    links.get(board).classList.toggle("full", full);
    links.get(board).classList.toggle("missing", !full);
    links.get(board).querySelector(".done").hidden = !full;
  }

  function turn(board) {
    if (!boards.has(board)) return;
    body.replaceChildren(...boards.get(board));
    links.get(here).removeAttribute("aria-current");
    links.get(board).setAttribute("aria-current", "page");
    here = board;
    document.getElementById("board").textContent = board;
    form.querySelector("input[name=board]").value = board;
    history.replaceState(null, "", links.get(board).href);
    begin();
  }

  function begin() {
    const all = inputs();
    const first = all.find((input) => !input.value) || all[0];
    first?.focus();
    first?.select();
  }

  // Returns whether the line may be left: it is unchanged, or it is a result and on its way to the desk.
  function keep(input) {
    const text = input.value.trim();
    const seen = input.dataset.seen;
    if (text === seen) {
      refuseNothing(input);
      return true;
    }
    const lacks = judge(text);
    if (lacks) {
      refuse(input, note(input), lacks);
      return false;
    }
    refuseNothing(input);
    input.dataset.seen = text;
    const board = here;
    mark(board);
    const key = input.name.replace("result:", "");
    const why = form.querySelector("input[name=why]")?.value;
    const fields = { [input.name]: text, [`seen:${key}`]: seen, ...(why && { why }) };
    input.classList.add("sent");
    journal.keep(form.getAttribute("action"), fields, `${board}: ${text}`, (data, refused) => {
      input.classList.remove("sent");
      if (data.played !== undefined) {
        const counts = document.getElementById("counts");
        counts.textContent = counts.dataset.text.replace("%p", data.played).replace("%m", data.missing);
      }
      const now = data.now?.[key];
      if (data.echo?.[key] !== undefined) input.parentElement.querySelector(".echo").textContent = data.echo[key];
      if (!refused && now !== undefined && input.dataset.seen === text) {
        input.dataset.seen = now;
        if (document.activeElement !== input) input.value = now;
      }
      if (refused) {
        if (now !== undefined) input.dataset.seen = now;
        input.setAttribute("aria-invalid", "true");
        note(input).textContent = refused;
        if (board !== here) say(`${board}: ${text}: ${refused}`, true);
      }
    });
    return true;
  }

  function refuseNothing(input) {
    input.removeAttribute("aria-invalid");
    note(input).textContent = "";
  }

  function go(input, step) {
    if (!keep(input)) return;
    const all = inputs();
    const next = all[all.indexOf(input) + step];
    if (next) {
      next.focus();
      next.select();
    } else if (step > 0) {
      const after = order[order.indexOf(here) + 1];
      if (after) turn(after);
      else input.select();
    }
  }

  form.addEventListener("keydown", (event) => {
    const input = event.target;
    if (!input.classList.contains("result") || !writes) return;
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      go(input, 1);
    } else if (event.key === "ArrowUp") {
      event.preventDefault();
      go(input, -1);
    } else if (event.key === "Escape") {
      input.value = input.dataset.seen;
      refuseNothing(input);
    } else if (event.key === "Tab" && !keep(input)) event.preventDefault();
  });
  form.addEventListener("focusout", (event) => {
    // Moving rows takes the focus away; they are saved by then.
    if (event.target.classList.contains("result") && event.target.isConnected && writes) keep(event.target);
  });
  form.addEventListener("submit", (event) => {
    if (!inputs().every(keep)) return event.preventDefault();
    event.preventDefault();
    const empty = order.slice(order.indexOf(here) + 1).concat(order).find((board) => inputs(board).some((input) => !input.value));
    if (empty) turn(empty);
  });
  document.querySelector(".boards").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    turn(link.dataset.board);
  });
  begin();
}

// Pages that change by themselves

function refresh() {
  const part = document.getElementById("live");
  if (part && part.dataset.refresh) {
    let shown = part.innerHTML;
    setInterval(async () => {
      try {
        const text = await (await fetch(location.href)).text();
        const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live");
        if (!fresh || fresh.innerHTML === shown) return;
        shown = fresh.innerHTML;
        part.replaceChildren(...fresh.childNodes);
        climb(part);
      } catch {
        // The next try may find the desk again.
      }
    }, 1000 * part.dataset.refresh);
  }
  const job = document.getElementById("job");
  if (job && job.dataset.running) setTimeout(() => location.reload(), 700);
}

// The ranking in large type

// Mark how many places everybody has gone up or down since the round began in which the room is now.
function climb(part) {
  const head = part.querySelector("h1[data-round]");
  if (!head) return;
  const key = `overtrick-wall ${head.dataset.name}`;
  const known = JSON.parse(sessionStorage.getItem(key) || '{"round":"","before":{},"now":{}}');
  if (known.round !== head.dataset.round) known.before = known.now;
  known.round = head.dataset.round;
  known.now = {};
  for (const [at, table] of [...part.querySelectorAll(".ranking")].entries()) {
    for (const row of table.tBodies[0].rows) {
      const who = `${at} ${row.querySelector("th").textContent}`;
      const place = row.cells[0];
      known.now[who] = parseInt(place.textContent, 10);
      const up = known.before[who] - known.now[who];
      if (!up) continue;
      const arrow = place.appendChild(document.createElement("span"));
      arrow.className = "arrow";
      arrow.textContent = up > 0 ? ` ▲${up}` : ` ▼${-up}`;
    }
  }
  sessionStorage.setItem(key, JSON.stringify(known));
}

// A ranking that is longer than the screen is shown a screen at a time.
function wall() {
  const part = document.querySelector(".wall #live");
  if (!part) return;
  climb(part);
  setInterval(() => {
    const step = innerHeight - part.querySelector("h1").offsetHeight - 80;
    const last = document.documentElement.scrollHeight - innerHeight;
    scrollTo(0, scrollY >= last - 10 ? 0 : Math.min(scrollY + step, last));
  }, 1000 * part.dataset.page);
}

// The names of a pair have a button once they are not what they were.
function names() {
  for (const input of document.querySelectorAll(".people input[data-now]")) {
    const look = () => input.form.classList.toggle("typed", input.value !== input.dataset.now);
    look();
    input.addEventListener("input", look);
  }
}

// On a phone the tabs are one line, which begins with the screen that is open.
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
keepAlive();
journal.begin();
dropFiles();
room();
pad();
traveller();
refresh();
wall();
names();
// For whoever types faster than scripts load: tests, and style sheets.
document.documentElement.dataset.ready = "";
