// A file to choose or to drop. Emits `file`, its name and its bytes as base64; a large image is made smaller before.
import { isGameFile as fits, readGame as read } from "twofold";

const SIDE = 400; // pixels of what a large image is reduced to

async function smaller(file) {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new File([await new Promise((done) => canvas.toBlob(done))], `${file.name}.png`);
}

export default {
  props: { label: String, note: String },
  template: `
    <div class="tf-file" @dragover.prevent @drop.prevent="take($event.dataTransfer.files[0])">
      <label class="tf-button file">{{ label }}<input type="file" @change="take($event.target.files[0]); $event.target.value = ''"></label>
      <p class="tf-small" role="status">{{ said || note }}</p>
    </div>`,

  data: () => ({ said: "" }),

  methods: {
    async take(file) {
      if (!file) return;
      this.said = "";
      try {
        const sent = fits(file) ? file : await smaller(file);
        this.$emit("file", await read(sent));
        this.said = file.name;
      } catch {
        this.said = `${file.name} is too large, and is not an image that can be reduced.`;
      }
    },
  },
};
