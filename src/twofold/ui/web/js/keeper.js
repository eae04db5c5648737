// What the browser keeps: the record of the game by hand, the game that was left for it, games that ended or were left,
// and the best scores. Records are kept twice: for this tab, whose reload goes on with its own game, and for the next visit.
// Beside a record is kept whether its moves came from elsewhere: from a link, a file, a game that a player played.

import { BRICK, faceValue } from "twofold/tiles.js";

const GAME = "twofold.game";
const FIGURES = "twofold.game.figures"; // of that game: score, tile, over
const BEFORE = "twofold.before";
const BEST = "twofold.best";
const GAMES = "twofold.games";
const MOST_GAMES = 40;
const MOST_LETTERS = 1_000_000; // of all saved games
const LARGEST_FILE = 700_000; // bytes; a message to the server holds them as base64
const SHORT = 60; // moves that a link spells out; records/record.py reads both
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function read(name, where = "localStorage") {
  try {
    return window[where].getItem(name);
  } catch {
    return null; // storage is switched off: the game is played without being kept
  }
}

function write(name, text, where = "localStorage") {
  try {
    window[where].setItem(name, text);
  } catch {
    // full or switched off
  }
}

function readRecord(name) {
  try {
    return JSON.parse(read(name, "sessionStorage") || read(name)) || null;
  } catch {
    return null;
  }
}

function writeRecord(name, record) {
  for (const where of ["sessionStorage", "localStorage"]) write(name, JSON.stringify(record), where);
}

// Whether a record has all moves of another one, undone ones counted.
function holds(record, other) {
  return record.variant === other.variant && String(record.seed) === String(other.seed)
    && (record.moves + (record.undone || "")).startsWith(other.moves);
}

// The record of the game by hand, as text; empty if there is none.
export function storedGame() {
  return read(GAME, "sessionStorage") || read(GAME) || "";
}

// Games that ended or were left, newest first: record, score, tile, over, when.
export function savedGames() {
  try {
    const found = JSON.parse(read(GAMES)) || [];
    return found.filter((game) => typeof game?.record?.moves === "string" && typeof game.record.variant === "string" && Number.isFinite(game.score));
  } catch {
    return [];
  }
}

function saveGame(record, figures) {
  if (!record?.moves || !figures) return;
  const others = savedGames().filter((game) => !holds(record, game.record) && !holds(game.record, record));
  let letters = 0;
  const games = [{ record, ...figures, when: Date.now() }, ...others].filter((game, i) => {
    letters += JSON.stringify(game.record).length;
    return i < MOST_GAMES && letters <= MOST_LETTERS;
  });
  write(GAMES, JSON.stringify(games));
}

export function removeGame(when) {
  write(GAMES, JSON.stringify(savedGames().filter((game) => game.when !== when)));
  return savedGames();
}

// The game in the address, cut where the server refuses it anyway: what is longer than a message would end the connection.
export function linked() {
  return window.location.hash.slice(0, LARGEST_FILE);
}

// A file as the server reads it.
export function isGameFile(file) {
  return file.size <= LARGEST_FILE;
}

export async function readGame(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return { name: file.name, data: btoa(text) };
}

function readForeign(name) {
  return (read(`${name}.foreign`, "sessionStorage") ?? read(`${name}.foreign`)) === "1";
}

function writeForeign(name, foreign) {
  for (const where of ["sessionStorage", "localStorage"]) write(`${name}.foreign`, foreign ? "1" : "", where);
}

export class Keeper {
  constructor() {
    this.record = null;
    this.foreign = false; // its moves came from elsewhere
    try {
      this.bests = JSON.parse(read(BEST)) || {};
    } catch {
      this.bests = {};
    }
  }

  stored() {
    return storedGame();
  }

  // The record of the game that a link, a new game or a restart took the place of.
  before() {
    return readRecord(BEFORE);
  }

  // A whole record takes the place of the one that was kept, which is kept too if it would be lost.
  begin(record) {
    const kept = readRecord(GAME);
    const before = this.before();
    const moves = record.moves + (record.undone || "");
    const own = [[GAME, kept], [BEFORE, before]].some(
      ([name, each]) => each && !readForeign(name) && holds(each, { ...record, moves }),
    );
    this.foreign = !own && Boolean(moves || record.spawns || record.start_score);
    if (kept?.moves && !holds(record, kept)) {
      writeForeign(BEFORE, readForeign(GAME));
      writeRecord(BEFORE, kept);
      saveGame(kept, readRecord(FIGURES));
    } else if (before && holds(record, before)) writeRecord(BEFORE, null);
    this.record = record;
    writeForeign(GAME, this.foreign);
  }

  // Follows what the server says it did: `start` brings a whole record, the others change its end.
  follow(shot) {
    const record = this.record;
    if (shot.record) this.begin(shot.record);
    else if (!record) return;
    else if (shot.kind === "move") {
      record.moves += shot.letter;
      record.undone = "";
    } else if (shot.kind === "undo") {
      record.undone = record.moves.slice(-1) + (record.undone || "");
      record.moves = record.moves.slice(0, -1);
    } else if (shot.kind === "redo") {
      record.moves += record.undone[0];
      record.undone = record.undone.slice(1);
    } else if (shot.kind === "changed") record.undone = "";
    if (!shot.record) {
        if (shot.changes) record.changes = shot.changes;
        else delete record.changes;
    }
    writeRecord(GAME, this.record);
    const tile = faceValue(Math.max(0, ...shot.cells.filter((rank) => rank !== BRICK)));
    const figures = { score: shot.score, tile, over: shot.over };
    writeRecord(FIGURES, figures);
    if (shot.over) saveGame(this.record, figures);
  }

  // The best score of this variant by hand and by its own rules so far; an undo never takes it back.
  best(score) {
    const name = this.record?.variant || "";
    const best = Math.max(Number(this.bests[name]) || 0, this.foreign || this.record?.changes ? 0 : score);
    if (best !== this.bests[name]) {
      this.bests[name] = best;
      write(BEST, JSON.stringify(this.bests));
    }
    return best;
  }

  link() {
    return `${window.location.origin}/#${fragment(this.record)}`;
  }
}

// A record as the fragment of an address.
export function fragment(record) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(record)) {
    if (name === "moves" && value.length > SHORT) query.set("packed", packed(value));
    else if (name !== "twofold" && value !== "") query.set(name, value);
  }
  return query.toString();
}

// Three moves to a character.
function packed(moves) {
  let text = "";
  for (let i = 0; i < moves.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => Math.max(0, "URDL".indexOf(moves[i + k] ?? "U")));
    text += BASE64[(a << 4) | (b << 2) | c];
  }
  return `${moves.length}.${text}`;
}
