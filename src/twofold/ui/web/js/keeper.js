// What the component of a game by hand keeps in the browser: the record of the game and the best scores.

const GAME = "twofold.game";
const BEST = "twofold.best";

function read(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null; // storage is switched off: the game is played without being kept
  }
}

function write(name, text) {
  try {
    window.localStorage.setItem(name, text);
  } catch {
    // full or switched off
  }
}

export class Keeper {
  constructor() {
    this.record = null;
    try {
      this.bests = JSON.parse(read(BEST)) || {};
    } catch {
      this.bests = {};
    }
  }

  stored() {
    return read(GAME) || "";
  }

  // Follows what the server says it did: `start` brings a whole record, the others change its end.
  follow(shot) {
    const record = this.record;
    if (shot.record) this.record = shot.record;
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
    write(GAME, JSON.stringify(this.record));
  }

  // The best score of this variant so far; an undo never takes it back.
  best(score) {
    const name = this.record?.variant || "";
    const best = Math.max(Number(this.bests[name]) || 0, score);
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
