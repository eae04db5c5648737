// The board: draws cells and tiles, slides, merges and spawns them, and fits the window. It knows no rules: what moves
// where comes from the server. Ranks are numbers: 0 is empty, 255 a brick, r the tile 2^r.

export const BRICK = 255;
const GAP = 0.11; // of a cell
const LARGEST = 0.46; // text size of a cell, for one or two digits
const DIGIT = 0.7; // width of a bold digit, of the text's size, in the widest common fonts
const READABLE = 9; // pixels; smaller numbers are written in units
const UNITS = ["", "k", "M", "G", "T", "P", "E"];

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export function faceValue(rank) {
  return (1n << BigInt(rank)).toString();
}

// 16384 as 16k, 2^20 as 1M: at most four characters.
export function inUnits(rank) {
  return `${1 << rank % 10}${UNITS[Math.floor(rank / 10)]}`;
}

export function describe(rows, columns, cells) {
  const name = (rank) => (rank === 0 ? "empty" : rank === BRICK ? "brick" : faceValue(rank));
  const lines = [];
  for (let row = 0; row < rows; row++) {
    const line = cells.slice(row * columns, (row + 1) * columns).map(name);
    lines.push(`row ${row + 1}: ${line.join(", ")}`);
  }
  return lines.join("; ");
}

export class Tiles {
  // root: an empty element whose width is what there is. room: pixels to keep free below it in the window.
  constructor(root, { room = 16, largest = 165 } = {}) {
    this.root = root;
    this.room = room;
    this.largest = largest;
    root.classList.add("tf-board");
    this.ground = root.appendChild(document.createElement("div"));
    this.layer = root.appendChild(document.createElement("div"));
    this.ground.className = "tf-ground";
    this.layer.className = "tf-layer";
    this.rows = this.columns = 0;
    this.cells = [];
    this.tiles = new Map(); // cell -> element
    this.turn = 0; // the number of the animation; a later one ends those before
    this.selected = -1;
    this.look = null; // rank -> [background, ink], where tiles have colours of their own
    this.refit = () => this.fit();
    window.addEventListener("resize", this.refit);
    this.observer = new ResizeObserver(this.refit);
    this.observer.observe(root.parentElement);
  }

  destroy() {
    window.removeEventListener("resize", this.refit);
    this.observer.disconnect();
  }

  // Size

  setSize(rows, columns) {
    if (rows === this.rows && columns === this.columns) return;
    this.show([]);
    this.rows = rows;
    this.columns = columns;
    this.ground.replaceChildren();
    this.squares = [];
    for (let cell = 0; cell < rows * columns; cell++) {
      const square = this.ground.appendChild(document.createElement("div"));
      square.className = "tf-cell";
      square.dataset.cell = cell;
      this.squares.push(square);
    }
    this.fit();
  }

  fit() {
    if (!this.rows) return;
    const width = this.root.parentElement.clientWidth;
    const top = this.root.getBoundingClientRect().top + window.scrollY;
    const height = Math.max(window.innerHeight - top - this.room, Math.min(width, 0.6 * window.innerHeight));
    const across = this.columns + (this.columns + 1) * GAP;
    const down = this.rows + (this.rows + 1) * GAP;
    const side = Math.max(4, Math.min(width / across, height / down, this.largest * Math.max(1, window.innerHeight / 900)));
    if (side === this.side && this.fitted === this.columns) return;
    this.side = side;
    this.fitted = this.columns;
    this.root.style.width = `${side * across}px`;
    this.root.style.height = `${side * down}px`;
    this.root.style.setProperty("--side", `${side}px`);
    this.squares.forEach((square, cell) => (square.style.transform = this.place(cell)));
    this.show(this.cells);
  }

  place(cell) {
    const step = this.side * (1 + GAP);
    const x = this.side * GAP + (cell % this.columns) * step;
    const y = this.side * GAP + Math.floor(cell / this.columns) * step;
    return `translate(${x}px, ${y}px)`;
  }

  label(element, rank) {
    let text = faceValue(rank);
    let size = this.textSize(text);
    if (size < READABLE && text.length > 3) {
      text = inUnits(rank);
      size = this.textSize(text);
    }
    element.className = `tf-tile t${rank}`;
    element.dataset.rank = rank;
    element.title = text === faceValue(rank) ? "" : faceValue(rank);
    [element.style.background, element.style.color] = this.look?.[rank] ?? ["", ""];
    element.firstChild.textContent = text;
    element.firstChild.style.fontSize = `${size}px`;
  }

  textSize(text) {
    return this.side * Math.min(LARGEST, 0.86 / (DIGIT * text.length));
  }

  // Drawing

  // The board as it is, without any motion.
  show(cells) {
    this.turn++;
    this.cells = cells;
    const before = [...this.tiles.values()];
    this.tiles.clear();
    cells.forEach((rank, cell) => {
      this.squares[cell].classList.toggle("brick", rank === BRICK);
      if (rank > 0 && rank !== BRICK) this.put(cell, rank, before.pop());
    });
    before.forEach((element) => element.remove());
    this.layer.querySelectorAll(".leaving").forEach((element) => element.remove());
  }

  put(cell, rank, element) {
    if (!element) {
      element = document.createElement("div");
      element.appendChild(document.createElement("span"));
      this.layer.appendChild(element);
    }
    element.getAnimations().forEach((animation) => animation.cancel());
    this.label(element, rank);
    element.style.transform = this.place(cell);
    this.tiles.set(cell, element);
    return element;
  }

  // A move: motions are [source, target] of every tile, spawn is [cell, rank], cells is the board after both.
  // All that is animated is transform and opacity, which the browser does without drawing anew.
  async move(motions, spawn, cells, milliseconds) {
    if (calm.matches || milliseconds < 20 || document.hidden) {
      this.show(cells);
      return;
    }
    const turn = ++this.turn;
    const slides = this.slide(motions, milliseconds);
    this.cells = cells;
    await Promise.all(slides.map((animation) => animation.finished.catch(() => null)));
    if (turn !== this.turn) return;
    const merged = this.mergedIn(motions);
    this.show(cells);
    merged.forEach((cell) => this.grow(cell, [1, 1.14, 1], milliseconds));
    if (spawn) this.grow(spawn[0], [0.2, 1], milliseconds);
  }

  slide(motions, duration) {
    const before = this.tiles;
    this.tiles = new Map();
    const animations = [];
    for (const [source, target] of motions) {
      const element = before.get(source);
      if (!element) continue;
      if (this.tiles.has(target)) element.classList.add("leaving");
      else this.tiles.set(target, element);
      if (source === target) continue;
      const frames = [{ transform: element.style.transform }, { transform: this.place(target) }];
      element.style.transform = frames[1].transform;
      animations.push(element.animate(frames, { duration, easing: "ease-in-out" }));
    }
    return animations;
  }

  mergedIn(motions) {
    const seen = new Set();
    return motions.map(([, target]) => target).filter((target) => seen.has(target) || !seen.add(target));
  }

  grow(cell, scales, duration) {
    const element = this.tiles.get(cell);
    if (!element) return;
    const place = this.place(cell);
    element.animate(scales.map((scale) => ({ transform: `${place} scale(${scale})` })), { duration, easing: "ease-out" });
  }

  // Editing

  select(cell) {
    this.squares[this.selected]?.classList.remove("selected");
    this.selected = cell;
    this.squares[cell]?.classList.add("selected");
  }

  cellAt(event) {
    const box = this.root.getBoundingClientRect();
    const step = this.side * (1 + GAP);
    const column = Math.floor((event.clientX - box.left - (this.side * GAP) / 2) / step);
    const row = Math.floor((event.clientY - box.top - (this.side * GAP) / 2) / step);
    const inside = row >= 0 && row < this.rows && column >= 0 && column < this.columns;
    return inside ? row * this.columns + column : -1;
  }
}

// Swipes on an element call `moved` with 0 up, 1 right, 2 down, 3 left, as soon as the finger has gone far enough.
export function onSwipe(element, moved, far = 24) {
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    start = event.isPrimary ? [event.clientX, event.clientY] : null;
  });
  element.addEventListener("pointermove", (event) => {
    if (!start || !event.isPrimary || event.buttons === 0) return;
    const [x, y] = [event.clientX - start[0], event.clientY - start[1]];
    if (Math.max(Math.abs(x), Math.abs(y)) < far) return;
    start = null;
    moved(Math.abs(x) > Math.abs(y) ? (x > 0 ? 1 : 3) : y > 0 ? 2 : 0);
  });
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => (start = null));
}

// Whether a key press belongs to something else: a field, a list, an open dialog, a shortcut of the browser.
export function isTyping(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector(".q-dialog, [role=listbox], [role=menu]")) return true;
  return event.target.closest?.("input, textarea, select, [contenteditable], [role=slider], [role=combobox]") !== null
    && event.target !== document.body && event.target.closest !== undefined;
}
