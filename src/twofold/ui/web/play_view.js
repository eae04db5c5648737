// A game by hand: board, figures, buttons, hint. Sends what is wanted, draws what the server answers.
import { BRICK, Keeper, Tiles, describe, faceValue, isGameFile, isTyping, linked, onSwipe, readGame } from "twofold";

const NAMES = ["up", "right", "down", "left"];
const ARROWS = ["↑", "→", "↓", "←"];
const MOVES = {
  ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3,
  w: 0, d: 1, s: 2, a: 3, k: 0, l: 1, j: 2, h: 3,
};
const ACTIONS = { u: "undo", r: "redo", x: "restart", i: "hint", n: "new", o: "options" };
const MOST_WAITING = 8; // moves sent and not answered yet; more key presses are dropped
const PATIENCE = 3000; // milliseconds after which an answer is not waited for any more
const LONGEST_LINK = 2200; // characters: some 6,000 moves

export default {
  template: `
    <div class="tf-play" @dragover.prevent @drop.prevent="open($event.dataTransfer.files[0])">
      <div class="tf-side">
        <h1 class="tf-hidden">Play</h1>
        <dl class="tf-facts">
          <div v-for="(number, name) in { Score: score, Best: best, Moves: moves }" :style="{ '--length': written(number).length }">
            <dt>{{ name }}</dt>
            <dd>{{ written(number) }}<span v-if="name === 'Score' && gain" :key="moves" class="tf-gain">+{{ written(gain) }}</span></dd>
          </div>
        </dl>
        <p class="tf-rules">{{ rules }}<strong v-if="won"> ✓ made</strong></p>
        <details v-if="places.length" class="tf-new-tiles">
          <summary>New tiles: {{ named(places, place) }}, {{ named(values, value) }}</summary>
          <div class="tf-fields" @pointerdown="pointed = true" @keydown="pointed = false">
            <label class="tf-field">From now on they appear
              <select v-model="place" @change="changeSpawns"><option v-for="[code, words] in places" :value="code">{{ words }}</option></select>
            </label>
            <label class="tf-field">and are
              <select v-model="value" @change="changeSpawns"><option v-for="[code, words] in values" :value="code">{{ words }}</option></select>
            </label>
          </div>
        </details>
        <div class="tf-buttons" role="group" aria-label="Game">
          <button class="tf-button primary" @click="act('new')" title="n: same rules; undo brings this game back">New game</button>
          <button class="tf-button" @click="act('options')" title="o: board, bricks, target, new tiles, seed">Options</button>
          <button class="tf-button" @click="act('undo')" :disabled="!moves && (redo || !before)" :title="moves ? 'u' : 'u: the previous game'">Undo</button>
          <button class="tf-button" @click="act('redo')" :disabled="!redo" title="r">Redo</button>
          <button class="tf-button" @click="act('restart')" title="x">Restart</button>
          <button class="tf-button" @click="act('hint')" :disabled="over || thinking" title="i">Hint</button>
          <button class="tf-button" @click="share">Share</button>
          <button class="tf-button" @click="act('analyse')">Analyse</button>
          <button class="tf-button" @click="act('watch')" title="let a player go on from this position">Watch</button>
          <button class="tf-button" @click="review" :disabled="!moves">Review</button>
        </div>
        <div v-if="sharing" class="tf-share" ref="share">
          <label v-if="link">Link to this game<input readonly :value="link" @focus="$event.target.select()"></label>
          <p role="status">{{ copied }}</p>
          <div class="tf-buttons">
            <button class="tf-button" :class="{ primary: !link }" @click="save">Save as file</button>
            <label class="tf-button file">Open file<input type="file" @change="open($event.target.files[0]); $event.target.value = ''"></label>
            <a class="tf-button" href="/review">Saved games</a>
            <button class="tf-button" @click="sharing = false">Close</button>
          </div>
        </div>
        <details class="tf-how" :open="!known">
          <summary>How to play</summary>
          <p>Each move pushes all tiles up, down, left or right as far as they go. Two equal tiles that meet become one of twice
          the value, and you score that value. Then a new tile appears. Make {{ written(target) }} before you run out of moves.</p>
          <p class="tf-small">Arrows, WASD or HJKL, swipes or the buttons. U undo, R redo, X restart, I hint, N new game, O options.</p>
        </details>
        <div class="tf-hint" v-if="thinking || hint">
          <p v-if="thinking">Thinking … {{ waited > 1 ? waited + " s; on first use the search is compiled, which takes about a minute" : "" }}</p>
          <template v-else>
            <button class="tf-close" aria-label="Close the hint" @click="hint = null">×</button>
            <p class="tf-advice"><strong v-if="hint.move >= 0">{{ arrows[hint.move] }} {{ names[hint.move] }}:</strong> {{ hint.reason }}</p>
            <table><caption class="tf-hidden">How far each move falls short of the best</caption>
              <tr v-for="(value, i) in hint.values" :class="{ chosen: i === hint.move }">
                <th scope="row">{{ arrows[i] }} {{ names[i] }}</th>
                <td class="tf-bar"><span :style="{ width: hint.bars[i] + '%' }"></span></td>
                <td>{{ value }}</td>
              </tr>
            </table>
            <p v-if="hint.chance">{{ hint.chance }}</p>
            <p class="tf-small">{{ hint.unit }} {{ hint.cost }}</p>
            <p v-if="hint.waits" class="tf-small">{{ hint.waits }}</p>
          </template>
        </div>
      </div>
      <div class="tf-stage">
        <div v-if="notice && !ended" class="tf-notice" :key="shown" :class="{ won, over, passing: !lasting }">{{ notice }}</div>
        <div class="tf-under-end">
          <div ref="board" tabindex="0" role="application" aria-roledescription="game board"
               :aria-label="'2048 board, ' + rows + ' by ' + columns + ', play with the arrow keys'" aria-describedby="tf-cells"></div>
          <div v-if="ended" class="tf-end"><div role="group" :aria-label="ending">
            <strong>{{ ending }}</strong>
            <p>{{ written(score) }} points, largest tile {{ tile }}, {{ written(moves) }} {{ moves === 1 ? "move" : "moves" }}.</p>
            <div class="tf-buttons">
              <button v-if="over" class="tf-button primary" @click="act('new')">New game</button>
              <button v-else class="tf-button primary" @click="ended = false">Keep playing</button>
              <button class="tf-button" @click="review">Review</button>
              <button v-if="over" class="tf-button" @click="act('undo')">Undo</button>
              <button v-else class="tf-button" @click="act('new')">New game</button>
              <button v-if="over" class="tf-button" @click="ended = false">See the board</button>
            </div>
          </div></div>
        </div>
        <p id="tf-cells" class="tf-hidden">{{ cells }}</p>
        <p class="tf-hidden" role="status" aria-live="polite">{{ said }}</p>
        <div class="tf-pad" role="group" aria-label="Moves">
          <button v-for="i in [0, 3, 2, 1]" class="tf-button" :class="'pad' + i" :aria-label="names[i]" @click="move(i)">{{ arrows[i] }}</button>
        </div>
      </div>
    </div>`,

  data: () => ({
    score: 0, gain: 0, best: 0, moves: 0, redo: false, over: false, won: false, notice: "", said: "", cells: "",
    shown: 0, lasting: false, before: false, rows: 4, columns: 4, rules: "", hint: null, thinking: false, waited: 0,
    sharing: false, link: "", copied: "", ended: false, ending: "", tile: "", target: 2048, known: true,
    places: [], values: [], place: "random", value: "random", names: NAMES, arrows: ARROWS,
  }),

  mounted() {
    this.keeper = new Keeper();
    this.known = this.keeper.stored() !== "";
    this.waiting = this.sent = 0;
    this.tiles = new Tiles(this.$refs.board, { room: window.matchMedia("(max-width: 700px)").matches ? 130 : 24 });
    onSwipe(this.$refs.board, (direction) => this.move(direction));
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.onHash = () => this.ready();
    window.addEventListener("hashchange", this.onHash);
    this.ready();
  },

  watch: {
    thinking(now) {
      clearInterval(this.clock);
      this.waited = 0;
      if (now) this.clock = setInterval(() => this.waited++, 1000);
    },
  },

  beforeUnmount() {
    clearInterval(this.clock);
    document.removeEventListener("keydown", this.onKey);
    window.removeEventListener("hashchange", this.onHash);
    this.tiles.destroy();
  },

  methods: {
    // The server plays the game of the address, else the one kept here, by the rules before it answers.
    ready() {
      this.waiting = 0;
      this.$emit("ready", { link: linked(), stored: this.keeper.stored() });
    },

    key(event) {
      if (isTyping(event)) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (key in MOVES) this.move(MOVES[key]);
      else if (key in ACTIONS) this.act(ACTIONS[key]);
      else return;
      event.preventDefault(); // arrows would scroll the page
    },

    move(direction) {
      const now = performance.now();
      if (now - this.sent > PATIENCE) this.waiting = 0;
      if (this.waiting >= MOST_WAITING) return;
      this.sent = now;
      this.waiting++;
      this.$emit("move", direction);
    },

    act(name) {
      const before = name === "undo" && this.moves === 0 && !this.redo && this.keeper.before();
      if (before) {
        this.restoring = true;
        this.$emit("ready", { link: "", stored: JSON.stringify(before) });
        return;
      }
      if (name === "hint") this.thinking = true;
      this.$emit("act", name);
    },

    changeSpawns() {
      if (this.pointed) this.$refs.board.focus(); // so that the arrow keys play on; whoever chose by keys stays there
      this.$emit("spawns", [this.place, this.value]);
    },

    named(choices, code) {
      return choices.find(([each]) => each === code)?.[1];
    },

    // From the server

    show(shot) {
      this.waiting = Math.max(0, this.waiting - 1);
      this.notice = shot.notice;
      this.said = shot.said;
      this.shown++;
      this.lasting = shot.lasting;
      if (shot.kind === "refused") return;
      this.keeper.follow(shot);
      this.before = this.keeper.before() !== null;
      if (shot.kind === "start" && this.restoring) {
        this.restoring = false;
        this.notice = this.notice || "the previous game";
      }
      if (shot.kind === "start" && window.location.hash) history.replaceState(null, "", window.location.pathname);
      this.hint = null;
      this.sharing = false;
      // A win is told over the board when it comes, the end whenever it is there.
      this.ended = shot.over || (shot.kind === "move" && shot.lasting);
      if (this.ended) this.ending = shot.notice;
      this.tile = faceValue(Math.max(0, ...shot.cells.filter((rank) => rank !== BRICK)));
      for (const name of ["score", "moves", "redo", "over", "won", "place", "value"]) this[name] = shot[name];
      this.gain = shot.kind === "move" ? shot.gain : 0;
      this.best = this.keeper.best(this.score);
      for (const name of ["rules", "rows", "columns", "target", "places", "values"]) this[name] = shot[name] ?? this[name];
      this.tiles.setSize(this.rows, this.columns);
      if (shot.kind === "move" && this.waiting === 0) this.tiles.move(shot.motions, shot.spawn, shot.cells, 110);
      else this.tiles.show(shot.cells);
      this.cells = describe(this.rows, this.columns, shot.cells);
    },

    showHint(hint) {
      this.thinking = false;
      this.hint = hint;
      if (hint) this.said = hint.move >= 0 ? `Hint: ${NAMES[hint.move]}, ${hint.reason}` : hint.reason;
    },

    review() {
      window.location.href = "/review?game=play";
    },

    written(number) {
      return number.toLocaleString("en");
    },

    // Sharing

    // The clipboard never keeps the link to an older game: if there is no link to this one, its record is copied.
    async share() {
      const link = this.keeper.link();
      const short = link.length <= LONGEST_LINK;
      [this.sharing, this.link, this.copied] = [true, short ? link : "", ""];
      this.$nextTick(() => this.$refs.share?.scrollIntoView({ block: "nearest" }));
      const what = short ? "The link" : `A game of ${this.written(this.moves)} moves is too long for a link: save it as a file. Its record`;
      try {
        await navigator.clipboard.writeText(short ? link : JSON.stringify(this.keeper.record));
        this.copied = `${what} is copied.`;
      } catch {
        this.copied = `${what} could not be copied: the browser does not allow it${short ? "; copy it from the field" : ""}.`;
      }
    },

    save() {
      const blob = new Blob([JSON.stringify(this.keeper.record)], { type: "application/json" });
      const anchor = document.createElement("a");
      anchor.href = URL.createObjectURL(blob);
      anchor.download = "twofold-game.json";
      anchor.click();
      URL.revokeObjectURL(anchor.href);
    },

    async open(file) {
      if (!file) return;
      if (isGameFile(file)) this.$emit("file", await readGame(file));
      else [this.notice, this.lasting] = ["This file is too large to be a game.", true];
    },
  },
};
