/** Pages that list the fields of a kind: which fields of its definition they omit. */

export interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export type Field = readonly [name: string, schema: Schema];

interface Definition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

/** The usual fields of Kubernetes. */
const partsOfConditions = new Set(['status', 'reason', 'message', 'lastTransitionTime', 'type']);

/** The fields of a definition, at any depth, without those of conditions. */
export function partOf(definition: unknown, part: 'spec' | 'status'): readonly Field[] {
  const { spec } = definition as Definition;
  return spec.versions.flatMap(({ schema }) => fieldsOf(schema.openAPIV3Schema.properties?.[part] ?? {}));
}

function fieldsOf({ properties = {}, items }: Schema): readonly Field[] {
  const inner = Object.entries(properties).flatMap(([name, field]): readonly Field[] => [
    [name, field],
    ...(name === 'conditions' ? fieldsOf(field).filter(([one]) => !partsOfConditions.has(one)) : fieldsOf(field)),
  ]);
  return [...inner, ...(items === undefined ? [] : fieldsOf(items))];
}

export function missingFields(page: string, fields: readonly Field[]): readonly string[] {
  return fields.map(([name]) => name).filter((name) => !new RegExp(`[\`.]${name}[\`.]`).test(page));
}

/** Every word of an enum, every limit and every default. */
export function wordsOf(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(([, { enum: values = [], minimum, maximum, maxItems, default: said, items }]) => [
    ...[...values, ...(items?.enum ?? [])].map((value) => `\`${value}\``),
    ...(maximum === undefined ? [] : [`${minimum} to ${maximum}`]),
    ...(maxItems === undefined || maxItems < 4 ? [] : [`at most ${maxItems}`]),
    ...(said === undefined || said === 0 ? [] : [`\`${String(said)}\``]),
  ]);
}

export function missingWords(page: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => !page.includes(word));
}

/** The first column of the table after a sentence, up to the next heading. */
export function explainedBehind(page: string, sentence: string): readonly string[] {
  const from = page.indexOf(sentence);
  const to = page.indexOf('\n## ', from);
  const section = page.slice(from, to < 0 ? undefined : to);
  return [...section.matchAll(/^\| `(\w+)` /gm)].map(([, reason = 'none']) => reason);
}
