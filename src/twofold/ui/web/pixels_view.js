// A grid of colours on a canvas; clicking or dragging over cells, or arrows and space, paints them if it is editable.
export default {
  props: { label: String, editable: Boolean, largest: Number },
  template: `<div class="tf-stage"><canvas ref="canvas" class="tf-pixels" :tabindex="editable ? 0 : -1" :role="editable ? 'application' : 'img'"
    :aria-label="label" @pointerdown="down" @pointermove="over" @pointerup="last = -1" @keydown="key"></canvas>
    <p v-if="editable" class="tf-hidden" role="status" aria-live="polite">{{ said }}</p></div>`,
  data: () => ({ said: "" }),
  mounted() {
    this.last = -1;
    this.cursor = -1;
    this.fit = () => this.draw();
    this.observer = new ResizeObserver(this.fit);
    this.observer.observe(this.$el);
    this.$emit("ready");
  },
  beforeUnmount() {
    this.observer.disconnect();
  },
  methods: {
    // picture: rows, columns, colours (CSS), cells (numbers of colours)
    show(picture) {
      this.picture = picture;
      if (this.cursor >= picture.cells.length) this.cursor = -1;
      this.draw();
    },
    draw() {
      const picture = this.picture;
      const width = this.$el.clientWidth;
      if (!picture || !width) return;
      const canvas = this.$refs.canvas;
      const highest = Math.max(160, window.innerHeight * 0.62);
      const side = Math.max(2, Math.floor(Math.min((width - 1) / picture.columns, highest / picture.rows, this.largest ?? 40)));
      this.side = side;
      const scale = window.devicePixelRatio || 1;
      const gap = side > 6 ? 1 : 0; // the canvas shows through as lines, on all four sides too
      const [wide, high] = [side * picture.columns + gap, side * picture.rows + gap];
      [canvas.width, canvas.height] = [wide * scale, high * scale];
      [canvas.style.width, canvas.style.height] = [`${wide}px`, `${high}px`];
      const pen = canvas.getContext("2d");
      pen.scale(scale, scale);
      picture.cells.forEach((colour, cell) => {
        pen.fillStyle = picture.colours[colour];
        pen.fillRect((cell % picture.columns) * side + gap, Math.floor(cell / picture.columns) * side + gap, side - gap, side - gap);
      });
      if (this.cursor >= 0) {
        pen.strokeStyle = "#d9480f";
        pen.lineWidth = 2;
        pen.strokeRect((this.cursor % picture.columns) * side + 1, Math.floor(this.cursor / picture.columns) * side + 1, side - 2, side - 2);
      }
    },
    cellAt(event) {
      const box = this.$refs.canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left) / this.side);
      const row = Math.floor((event.clientY - box.top) / this.side);
      const inside = row >= 0 && row < this.picture.rows && column >= 0 && column < this.picture.columns;
      return inside ? row * this.picture.columns + column : -1;
    },
    down(event) {
      if (!this.editable || !this.picture) return;
      this.last = -1;
      this.paint(this.cellAt(event));
    },
    over(event) {
      if (this.editable && this.picture && event.buttons) this.paint(this.cellAt(event));
    },
    paint(cell) {
      if (cell < 0 || cell === this.last) return;
      this.last = cell;
      this.$emit("cell", cell);
    },
    key(event) {
      const steps = { ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowDown: [1, 0], ArrowLeft: [0, -1] };
      const { rows, columns } = this.picture ?? {};
      if (!this.editable || !rows) return;
      if (event.key in steps) {
        const [down, across] = steps[event.key];
        const row = Math.min(rows - 1, Math.max(0, Math.floor(Math.max(0, this.cursor) / columns) + (this.cursor < 0 ? 0 : down)));
        const column = Math.min(columns - 1, Math.max(0, (Math.max(0, this.cursor) % columns) + (this.cursor < 0 ? 0 : across)));
        this.cursor = row * columns + column;
        this.said = `row ${row + 1}, column ${column + 1}`;
        this.draw();
      } else if (event.key === " " && this.cursor >= 0) this.$emit("cell", this.cursor);
      else return;
      event.preventDefault();
    },
  },
};
