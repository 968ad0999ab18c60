// SPDX-License-Identifier: Apache-2.0
// One setting as a field: its kind, its limits and its words come from the schema of the configuration.
import { make } from "./dom.js";
import { language } from "./text.js";

// What each setting does: in English the schema says it, in other languages a catalogue by its name.
const about =
  language === "en"
    ? {}
    : await fetch(`words/settings/${language}.json`).then(
        (r) => (r.ok ? r.json() : {}),
        () => ({}),
      );

export const help = (schema, name) => about[name] || described(schema, name).description;

export function described(schema, name) {
  const [head, last] = name.split(".");
  return last ? schema.properties[head].properties[last] : schema.properties[head];
}

// A field for a setting; .value is its text. label: what people call it.
export function field(parent, schema, name, value, label) {
  const s = described(schema, name),
    type = [s.type].flat()[0],
    l = make("label", "setting", parent),
    words = s.enum?.filter((w) => w !== null);
  make("strong", label && "words", l, label || name); // a name is written as the file has it
  let input;
  if (words || type === "boolean") {
    input = make("select", "", l);
    for (const w of words || ["true", "false"]) make("option", "", input, String(w)).value = w;
  } else {
    input = make("input", "", l);
    input.type = type === "integer" || type === "number" ? "number" : "text";
    if (input.type === "number")
      Object.assign(input, { min: s.minimum ?? "", max: s.maximum ?? "", step: type === "integer" ? 1 : "any" });
  }
  input.value = String(value);
  input.name = name;
  make("small", "help", l, help(schema, name));
  return input;
}
