// A labelled field, of the browser's own kind: text, number, range, checkbox, textarea, or a list to choose from.
export default {
  props: { label: String, kind: String, initial: String, options: Array, attributes: Object, note: String },
  template: `
    <div class="tf-field">
      <span><label :for="name">{{ label }}</label><output v-if="kind === 'range'" :for="name">: {{ text }}</output></span>
      <select v-if="kind === 'select'" :id="name" v-model="text" @change="tell" :aria-describedby="told">
        <option v-for="[value, shown] in options" :value="value">{{ shown }}</option>
      </select>
      <textarea v-else-if="kind === 'textarea'" :id="name" v-model="text" v-bind="attributes" spellcheck="false"
                :aria-describedby="told" @input="tell"></textarea>
      <input v-else-if="kind === 'checkbox'" :id="name" type="checkbox" :checked="text === '1'" @change="check">
      <template v-else>
        <input :id="name" :type="kind" v-model="text" v-bind="attributes" :list="options ? name + '-list' : null"
               autocomplete="off" spellcheck="false" :aria-describedby="told" @input="tell">
        <datalist v-if="options" :id="name + '-list'"><option v-for="[value] in options" :value="value"></option></datalist>
      </template>
      <span v-if="note" :id="name + '-note'" class="tf-small">{{ note }}</span>
    </div>`,
  data() {
    return { text: this.initial };
  },
  computed: {
    name() {
      return `field-${this.$.uid}`;
    },
    told() {
      return this.note ? `${this.name}-note` : null;
    },
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
