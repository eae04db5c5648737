// A board that is watched or edited. Editing: click, type, arrows to go about; the server decides what a cell becomes.
// Where it is playable, arrows are moves as long as no cell is chosen, wherever on the page they are pressed.
import { Tiles, describe, isTyping } from "twofold";

const MOVES = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
const STEPS = { ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowDown: [1, 0], ArrowLeft: [0, -1] };

export default {
  props: { label: String, editable: Boolean, playable: Boolean, room: Number, largest: Number },
  template: `
    <div class="tf-stage">
      <div ref="board" :tabindex="editable ? 0 : -1" :role="editable ? 'application' : 'img'"
           :aria-label="label + ', ' + rows + ' by ' + columns + (editable ? '' : ': ' + cells)"
           :aria-describedby="editable ? 'cells-' + $.uid : null"
           @click="click" @contextmenu="lower" @keydown="key"></div>
      <p v-if="editable" :id="'cells-' + $.uid" class="tf-hidden">{{ cells }}</p>
      <p v-if="editable" class="tf-hidden" role="status" aria-live="polite">{{ said }}</p>
    </div>`,

  data: () => ({ rows: 0, columns: 0, cells: "", said: "" }),

  mounted() {
    this.typed = "";
    this.last = 0;
    this.tiles = new Tiles(this.$refs.board, { room: this.room ?? 24, largest: this.largest ?? 165 });
    if (this.playable) document.addEventListener("keydown", this.play);
    this.$emit("ready");
  },

  beforeUnmount() {
    document.removeEventListener("keydown", this.play);
    this.tiles.destroy();
  },

  methods: {
    show(shot) {
      [this.rows, this.columns] = [shot.rows, shot.columns];
      this.tiles.look = shot.look ?? null;
      this.tiles.setSize(shot.rows, shot.columns);
      if (shot.motions) this.tiles.move(shot.motions, shot.spawn, shot.cells, shot.milliseconds);
      else this.tiles.show(shot.cells);
      // A description for every move of a fast game would only cost time.
      const now = performance.now();
      if (this.editable || now - this.last > 500) [this.cells, this.last] = [describe(shot.rows, shot.columns, shot.cells), now];
    },

    select(cell) {
      this.tiles.select(cell);
      this.typed = "";
      if (cell >= 0) this.said = `row ${Math.floor(cell / this.columns) + 1}, column ${cell % this.columns + 1}`;
    },

    click(event) {
      if (!this.editable) return;
      const cell = this.tiles.cellAt(event);
      if (cell < 0) return;
      this.select(cell);
      this.$emit("cell", { cell, change: event.shiftKey ? "lower" : "raise" });
    },

    lower(event) {
      if (!this.editable) return;
      event.preventDefault();
      const cell = this.tiles.cellAt(event);
      if (cell < 0) return;
      this.select(cell);
      this.$emit("cell", { cell, change: "lower" });
    },

    key(event) {
      if (!this.editable || event.ctrlKey || event.metaKey || event.altKey) return;
      const cell = this.tiles.selected;
      if (event.key in STEPS && this.playable && cell < 0) return;
      if (event.key in STEPS) this.step(...STEPS[event.key]);
      else if (event.key === "Enter" && cell < 0) this.step(0, 0);
      else if (cell < 0) return;
      else if (event.key === "Escape") this.select(-1);
      else if (/^[0-9]$/.test(event.key)) this.type(cell, event.key);
      else if (event.key === "x" || event.key === "X") this.$emit("cell", { cell, change: "brick" });
      else if (event.key === "+") this.$emit("cell", { cell, change: "raise", typed: true });
      else if (event.key === "-") this.$emit("cell", { cell, change: "lower", typed: true });
      else if (["Delete", "Backspace", " ", "."].includes(event.key)) this.clear(cell);
      else return;
      event.preventDefault();
    },

    play(event) {
      if (event.defaultPrevented || isTyping(event)) return;
      if (event.key in MOVES && (this.tiles.selected < 0 || document.activeElement !== this.$refs.board)) {
        this.select(-1);
        this.$emit("move", MOVES[event.key]);
      } else if (event.key === "u") this.$emit("back");
      else return;
      event.preventDefault();
    },

    step(down, across) {
      const cell = Math.max(0, this.tiles.selected);
      const row = Math.min(this.rows - 1, Math.max(0, Math.floor(cell / this.columns) + (this.tiles.selected < 0 ? 0 : down)));
      const column = Math.min(this.columns - 1, Math.max(0, (cell % this.columns) + (this.tiles.selected < 0 ? 0 : across)));
      this.select(row * this.columns + column);
    },

    // Digits add up to a number; what is no tile yet (13, on the way to 131072) is waited for.
    type(cell, digit) {
      this.typed = (this.typed + digit).slice(-19);
      this.$emit("cell", { cell, change: "value", value: this.typed });
    },

    clear(cell) {
      this.typed = "";
      this.$emit("cell", { cell, change: "clear" });
    },
  },
};
