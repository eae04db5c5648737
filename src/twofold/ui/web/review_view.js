// A game's graph and its moves, to click in; arrows go about.
import { isTyping } from "twofold";

const ARROWS = { U: "↑", R: "→", D: "↓", L: "←" };
const KEYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };

export default {
  template: `
    <div class="tf-reviewed">
      <div class="tf-graph" @click="pick"><div v-html="svg"></div><i v-if="moves" :style="{ left: place + '%' }"></i>
        <p class="tf-small">Solid: what best play would score. Dashed: luck so far. Dots: mistakes and blunders.</p></div>
      <div class="tf-moves" ref="list" tabindex="0" role="group" aria-label="Moves" @click="choose" v-html="list"></div>
    </div>`,

  data: () => ({ svg: "", list: "", moves: 0, place: 0 }),

  mounted() {
    document.addEventListener("keydown", this.key);
  },

  beforeUnmount() {
    document.removeEventListener("keydown", this.key);
  },

  methods: {
    // letters: of the moves; grades: the number in `names` of each; edge: share of the graph's width at either side.
    show({ svg, letters, grades, names, edge }) {
      this.svg = svg;
      [this.moves, this.edge] = [letters.length, edge];
      this.list = [...letters]
        .map((letter, i) => `<button tabindex="-1" class="${names[grades[i]]}" data-at="${i}" title="${names[grades[i]]}">${i + 1} ${ARROWS[letter]}</button>`)
        .join("");
    },

    go(at) {
      this.place = 100 * (this.edge + (1 - 2 * this.edge) * (at / this.moves));
      this.$nextTick(() => {
        const list = this.$refs.list;
        list.querySelector("[aria-current]")?.removeAttribute("aria-current");
        const button = list.children[at];
        button?.setAttribute("aria-current", "true");
        if (button) list.scrollTop = button.offsetTop - list.clientHeight / 2;
      });
    },

    pick(event) {
      const box = event.currentTarget.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width - this.edge) / (1 - 2 * this.edge);
      this.$emit("go", Math.round(share * this.moves));
    },

    choose(event) {
      const at = event.target.dataset?.at;
      if (at !== undefined) this.$emit("go", Number(at));
    },

    key(event) {
      if (!this.moves || isTyping(event) || !(event.key in KEYS)) return;
      event.preventDefault();
      this.$emit("arrow", KEYS[event.key]);
    },
  },
};
