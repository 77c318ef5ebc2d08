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

// Files dropped anywhere on the page

function dropFiles() {
  const form = document.querySelector(".drop");
  if (!form) return;
  const chosen = form.querySelector("input[type=file]");
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
  document.querySelector(".script").hidden = false;
  let asked = 0;

  const fields = (cell, result) => {
    const given = Object.fromEntries(new URLSearchParams(cell.dataset.key));
    return { ...given, result, seen: all.dataset.seen, window: id, do: "save" };
  };

  async function preview(cell, result) {
    const mine = ++asked;
    const began = performance.now();
    const answer = await send(all.dataset.effect, fields(cell, result));
    const data = await answer.json();
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
    input.setAttribute("aria-label", cell.querySelector(".sr-only").textContent);
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
    input.addEventListener("blur", close);
    input.addEventListener("paste", (event) => {
      const text = event.clipboardData.getData("text").trim();
      if (!text.includes("\n")) return;
      event.preventDefault();
      column(cell, text.split(/\r?\n/));
    });
    input.addEventListener("keydown", async (event) => {
      event.stopPropagation();
      if (event.key === "Escape") {
        close();
        cell.focus();
      }
      if (event.key !== "Enter") return;
      event.preventDefault();
      clearTimeout(wait);
      const text = input.value;
      over = true;
      if (await save(cell, text)) return;
      over = false;
      input.setAttribute("aria-invalid", "true");
    });
  }

  // Saves follow each other: each needs the state of the file that the one before left.
  let line = Promise.resolve(true);
  function save(cell, result, stay) {
    line = line.then(() => saveNow(cell, result, stay));
    return line;
  }

  async function saveNow(cell, result, stay) {
    asked++;
    const began = performance.now();
    const key = cell.dataset.key;
    let data;
    try {
      const answer = await send(all.dataset.cell, fields(cell, result));
      data = await answer.json();
    } catch {
      data = { error: document.querySelector(".home").textContent + ": ?" };
    }
    if (data.error) {
      say(data.error, true);
      return false;
    }
    all.dataset.seen = data.seen;
    for (const field of document.querySelectorAll("main input[name=seen]")) field.value = data.seen;
    const rows = document.createElement("tbody");
    rows.innerHTML = data.rows;
    const there = [...document.querySelectorAll(".grid tr[data-row]")];
    for (const row of [...rows.rows]) there.find((one) => one.dataset.row === row.dataset.row)?.replaceWith(row);
    document.getElementById("ranking").innerHTML = data.ranking;
    document.getElementById("effect").innerHTML = data.effect;
    time(began, data.took);
    say(data.told);
    const again = [...document.querySelectorAll(".grid .cell")].find((one) => one.dataset.key === key);
    if (again) {
      again.classList.add("saved");
      if (!stay) (below(again) || again).focus();
    }
    return true;
  }

  async function column(cell, lines) {
    let at = cell;
    for (const text of lines) {
      if (!at) break;
      const key = at.dataset.key;
      if (text.trim() && !(await save(at, text, true))) return;
      const again = [...document.querySelectorAll(".grid .cell")].find((one) => one.dataset.key === key);
      at = again && below(again);
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
    } else if (event.key === "F2") {
      location.href = cell.href;
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(cell);
    } else if (event.key.length === 1 && event.key !== " ") {
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

// A traveller: Enter saves a line and goes to the next one

function traveller() {
  const form = document.querySelector(".traveller");
  if (!form) return;
  const inputs = [...form.querySelectorAll("input.result")];
  let line = Promise.resolve(true);

  async function save(input) {
    const seen = form.querySelector("input[name=seen]");
    const answer = await send(form.getAttribute("action"), { [input.name]: input.value, seen: seen.value, window: id });
    const data = await answer.json();
    if (data.seen) seen.value = data.seen;
    const wrong = data.error || Object.values(data.wrong || {}).join(" ");
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
    input.parentElement.querySelector(".note").textContent = wrong;
    if (!wrong) document.getElementById("missing").textContent = data.missing;
    return !wrong;
  }

  const saved = (input) => (line = line.then(() => save(input)));
  inputs.forEach((input, at) => {
    input.addEventListener("change", () => writes && saved(input));
    input.addEventListener("keydown", async (event) => {
      const move = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (move) {
        event.preventDefault();
        inputs[at + move]?.focus();
      }
      if (event.key !== "Enter" || !writes) return;
      event.preventDefault();
      const next = inputs[at + 1];
      if (next) next.focus();
      else {
        // Leaving the field saves it.
        input.blur();
        if (await line) location.href = form.dataset.next;
        else input.focus();
      }
    });
  });
  if (!inputs[0].value) inputs[0].focus();
  else (inputs.find((input) => !input.value) || inputs[0]).focus();
}

// Pages that change by themselves

function refresh() {
  const part = document.getElementById("live");
  if (part && part.dataset.refresh) {
    setInterval(async () => {
      try {
        const text = await (await fetch(location.href)).text();
        const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live");
        if (fresh && fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes);
      } catch {
        // The next try may find the desk again.
      }
    }, 1000 * part.dataset.refresh);
  }
  const job = document.getElementById("job");
  if (job && job.dataset.running) setTimeout(() => location.reload(), 700);
}

keepAlive();
dropFiles();
room();
pad();
traveller();
refresh();
// For whoever types faster than scripts load: tests, and style sheets.
document.documentElement.dataset.ready = "";
