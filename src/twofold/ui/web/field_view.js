// A labelled field, of the browser's own kind: text, number, range, checkbox, textarea, or a list to choose from.
export default {
  props: { label: String, kind: String, initial: String, options: Array, attributes: Object, note: String },
  template: `
    <label class="tf-field">
      <span>{{ label }}<template v-if="kind === 'range'">: {{ text }}</template></span>
      <select v-if="kind === 'select'" v-model="text" @change="tell">
        <option v-for="[value, name] in options" :value="value">{{ name }}</option>
      </select>
      <textarea v-else-if="kind === 'textarea'" v-model="text" v-bind="attributes" spellcheck="false" @input="tell"></textarea>
      <input v-else-if="kind === 'checkbox'" type="checkbox" :checked="text === '1'" @change="check">
      <template v-else>
        <input :type="kind" v-model="text" v-bind="attributes" :list="options ? 'list-' + $.uid : null" autocomplete="off"
               spellcheck="false" @input="tell" @keydown.enter="$emit('enter', text)">
        <datalist v-if="options" :id="'list-' + $.uid"><option v-for="[value] in options" :value="value"></option></datalist>
      </template>
      <span v-if="note" class="tf-small">{{ note }}</span>
    </label>`,
  data() {
    return { text: this.initial };
  },
  methods: {
    tell() {
      this.text = String(this.text);
      this.$emit("text", this.text);
    },
    check(event) {
      this.text = event.target.checked ? "1" : "";
      this.tell();
    },
    set(text) {
      this.text = text;
    },
  },
};
