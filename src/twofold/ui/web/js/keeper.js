// What the component of a game by hand keeps in the browser: the record of the game, the game that was left for it, and
// the best scores. Records are kept twice: for this tab, whose reload goes on with its own game, and for the next visit.
// Beside a record is kept whether its moves came from elsewhere: from a link, a file, a game that a player played.

const GAME = "twofold.game";
const BEFORE = "twofold.before";
const BEST = "twofold.best";

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
    return read(GAME, "sessionStorage") || read(GAME) || "";
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
    }
    writeRecord(GAME, this.record);
  }

  // The best score of this variant by hand so far; an undo never takes it back.
  best(score) {
    const name = this.record?.variant || "";
    const best = Math.max(Number(this.bests[name]) || 0, this.foreign ? 0 : score);
    if (best !== this.bests[name]) {
      this.bests[name] = best;
      write(BEST, JSON.stringify(this.bests));
    }
    return best;
  }

  link() {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(this.record)) {
      if (name !== "twofold" && value !== "") query.set(name, value);
    }
    return `${window.location.origin}/#${query}`;
  }
}
