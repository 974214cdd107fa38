/** Oddities in the parameters of an order that do no harm. */
import type { ParsedJsonObject } from './json-object.ts';
import { shown } from '../shown.ts';

/** The limit for each kind: a text may contain a hundred thousand names. */
const MOST = 10;

/** AAP ignores unknown parameters, and so do we. The warning is there because the author meant something by them. */
export function parameterWarnings({ values, repeated }: ParsedJsonObject, known: readonly string[]): readonly string[] {
  const unknown = [...values.keys()].filter((name) => !known.includes(name));
  return [
    ...each(repeated, (name) => `The parameter ${name} appears more than once: the last one applies.`),
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

/** A reader takes `cpuCores`, `CPU-Cores` and `cpu_cores` for the same name. */
function bare(name: string): string {
  return name
    .slice(0, 40)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}
