/** What is odd about the parameters of an order, and hinders nothing. */
import type { JsonObject } from './json-object.ts';
import { shown } from './shown.ts';

/** Of each kind: a text may hold a hundred thousand names. */
const MOST = 10;

/** AAP leaves aside what it does not know, and so do we; but somebody meant something by it. */
export function parameterWarnings({ values, repeated }: JsonObject, known: readonly string[]): readonly string[] {
  const unknown = [...values.keys()].filter((name) => !known.includes(name));
  return [
    ...each(repeated, (name) => `The parameter ${name} stands there more than once: the last one counts.`),
    ...each(unknown, (name, plain) => `The parameter ${name} is not known and does nothing: ${advice(plain, known)}.`),
  ];
}

function each(names: readonly string[], say: (name: string, plain: string) => string): readonly string[] {
  const said = names.slice(0, MOST).map((name) => say(shown(name), name));
  const more = names.length - said.length;
  return more === 0 ? said : [...said, say(`${shown(names[MOST])} and ${more - 1} more`, '')];
}

function advice(name: string, known: readonly string[]): string {
  const meant = known.find((one) => bare(one) === bare(name));
  if (meant !== undefined) return `write "${meant}"`;
  return known.length === 0 ? 'the template has none' : `known are ${known.join(', ')}`;
}

/** `cpuCores`, `CPU-Cores` and `cpu_cores` are the same to a reader. */
function bare(name: string): string {
  return name
    .slice(0, 40)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}
