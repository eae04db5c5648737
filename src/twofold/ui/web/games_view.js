// Where a game to review comes from: a file, the game of the page Play, those that the browser keeps, the address.
import { fragment, isGameFile, linked, readGame, savedGames, storedGame, removeGame } from "twofold";

export default {
  props: { begin: Boolean },
  template: `
    <div class="tf-panel tf-games" @dragover.prevent @drop.prevent="take($event.dataTransfer.files[0])">
      <div class="tf-buttons">
        <button class="tf-button primary" :disabled="!playing" @click="$emit('record', playing)">Review the game on the Play page</button>
        <label class="tf-button file">Open file<input type="file" @change="take($event.target.files[0]); $event.target.value = ''"></label>
      </div>
      <p class="tf-small">{{ said || "Or drop a file here: a twofold game, .rpl, .rec, .vrs, or a replay of 2048verse or 2048-next." }}</p>
      <details v-if="games.length"><summary>Saved games ({{ games.length }})</summary>
        <ul><li v-for="(game, i) in games" :key="game.when">
          <span>{{ about(game) }}</span>
          <div class="tf-buttons">
            <button class="tf-button" @click="$emit('record', JSON.stringify(game.record))">Review</button>
            <a class="tf-button" :href="'/#' + fragment(game.record)">Play on</a>
            <button class="tf-button" @click="remove(i)">{{ asked === i ? "Really remove" : "Remove" }}</button>
          </div>
        </li></ul>
      </details>
    </div>`,

  data: () => ({ games: [], asked: -1, playing: "", said: "" }),

  mounted() {
    [this.games, this.playing] = [savedGames(), storedGame()];
    this.onHash = () => this.fromAddress();
    window.addEventListener("hashchange", this.onHash);
    if (!this.fromAddress() && this.begin) this.$emit("record", this.playing);
  },

  beforeUnmount() {
    window.removeEventListener("hashchange", this.onHash);
  },

  methods: {
    fragment,

    fromAddress() {
      const link = linked();
      if (link.length > 1) this.$emit("link", link);
      return link.length > 1;
    },

    async take(file) {
      if (!file) return;
      this.said = isGameFile(file) ? "" : `${file.name} is too large to be a game.`;
      if (!this.said) this.$emit("file", await readGame(file));
    },

    about({ record, score, tile, over, when }) {
      const day = new Date(when).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
      const figures = [`${score.toLocaleString("en")} points`, `largest ${tile}`, `${record.moves.length.toLocaleString("en")} moves`];
      return [...figures, record.variant.slice(0, 40), over ? day : `${day}, unfinished`].join(" · ");
    },

    remove(i) {
      if (this.asked !== i) this.asked = i;
      else [this.games, this.asked] = [removeGame(this.games[i].when), -1];
    },
  },
};
