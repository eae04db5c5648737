// Two lines over the moves of a game, on a canvas: points are appended, never sent twice.
export default {
  props: { label: String, names: Array, unit: { type: String, default: "moves" } },
  template: `<div class="tf-chart"><canvas ref="canvas" role="img" :aria-label="label + ': ' + summary"></canvas>
    <p class="tf-small"><span v-for="(name, i) in names" :class="'line' + i">{{ name }} {{ ranges[i] }}</span><span v-if="span">over {{ span }}</span></p></div>`,
  data: () => ({ summary: "no moves yet", ranges: [], span: "" }),
  mounted() {
    this.lines = this.names.map(() => []);
    this.redraw = () => this.draw();
    this.observer = new ResizeObserver(this.redraw);
    this.observer.observe(this.$el);
    this.theme = new MutationObserver(this.redraw);
    this.theme.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    this.$emit("ready");
  },
  beforeUnmount() {
    this.observer.disconnect();
    this.theme.disconnect();
  },
  methods: {
    clear() {
      this.lines = this.names.map(() => []);
      this.draw();
    },
    // rows: [x, y of the first line, y of the second, …]; null where a line has no point.
    add(rows) {
      for (const [x, ...values] of rows) values.forEach((y, i) => y !== null && this.lines[i]?.push([x, y]));
      for (const line of this.lines) if (line.length > 4000) line.splice(0, line.length, ...line.filter((_, i) => i % 2));
      this.draw();
    },
    draw() {
      const canvas = this.$refs.canvas;
      const scale = window.devicePixelRatio || 1;
      const [width, height] = [canvas.clientWidth, canvas.clientHeight];
      if (!width) return;
      [canvas.width, canvas.height] = [width * scale, height * scale];
      const pen = canvas.getContext("2d");
      pen.scale(scale, scale);
      const colour = (i) => getComputedStyle(this.$el.querySelectorAll("p span")[i]).color;
      const last = Math.max(1, ...this.lines.map((line) => (line.length ? line[line.length - 1][0] : 0)));
      const parts = [];
      const ranges = [];
      const short = (value) => value.toLocaleString("en", { maximumSignificantDigits: 4 });
      pen.strokeStyle = getComputedStyle(this.$el).borderColor;
      pen.strokeRect(0.5, 0.5, width - 1, height - 1);
      this.lines.forEach((line, i) => {
        if (!line.length) return;
        // The first line starts at 0; others have a scale of their own, or what changes in them would not be seen.
        const values = line.map(([, y]) => y);
        const [low, high] = values.reduce(([a, b], y) => [Math.min(a, y), Math.max(b, y)], [i ? values[0] : Math.min(0, values[0]), values[0]]);
        pen.strokeStyle = colour(i);
        pen.lineWidth = 1.6;
        pen.beginPath();
        for (const [x, y] of line) pen.lineTo(4 + ((width - 8) * x) / last, height - 6 - ((height - 12) * (y - low)) / (high - low || 1));
        pen.stroke();
        ranges[i] = `${short(low)} to ${short(high)}`;
        parts.push(`${this.names[i]} ${Math.round(values[values.length - 1]).toLocaleString("en")}`);
      });
      [this.ranges, this.span] = [ranges, parts.length ? `${last.toLocaleString("en")} ${this.unit}` : ""];
      this.summary = parts.length ? `${parts.join(", ")} after ${last} ${this.unit}` : "no moves yet";
    },
  },
};
