/** Replaces what differs between two runs without meaning: ids, ages, addresses, the width of columns. */

const rules: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/-[0-9a-f]{8}\b/g, '-ID'],
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, 'ADDRESS'],
  [/\bnode\d+\b/g, 'NODE'],
  [/\b(\d+[dhms])+\b/g, 'AGE'],
  [/[─-]{2,}/g, '--'],
  [/ +/g, ' '],
];

export function normalised(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => rules.reduce((so, [what, by]) => so.replaceAll(what, by), line).trim())
    .filter((line) => line !== '');
}
