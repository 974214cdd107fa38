/** Cell texts that several kinds share. */
import type { Json } from '../../values/json.ts';
import { formatQuantity, parseQuantity } from '../../objects/schema/quantity.ts';
import { none, orElse } from './cells.ts';
import { listAt, mapAt, textAt } from './read.ts';

/** `key=value` pairs, sorted. */
export function formatLabels(labels: Json | undefined): string {
  const pairs = Object.entries(mapAt(labels)).map(([key, value]) => `${key}=${String(value)}`);
  return orElse(pairs.sort().join(','), none);
}

const operators: { readonly [operator: string]: (key: string, values: string) => string } = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** `selectorText` returns a label selector in query syntax, with requirements sorted by key; empty when it selects everything or nothing. */
export function selectorText(selector: Json | undefined): string {
  const equal = Object.entries(mapAt(selector, 'matchLabels')).map(([key, value]) => ({
    key,
    text: `${key}=${String(value)}`,
  }));
  const expressions = listAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key');
    const values = listAt(expression, 'values').map(String).sort().join(',');
    return { key, text: operators[textAt(expression, 'operator')]?.(key, values) ?? '<error>' };
  });
  const requirements = [...equal, ...expressions].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return requirements.map((requirement) => requirement.text).join(',');
}

export const formatSelector = (selector: Json | undefined): string => orElse(selectorText(selector), none);

/** `quantity` returns a quantity in its canonical form; a missing one is zero. */
export function quantity(value: Json | undefined): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '0';
  const parsed = parseQuantity(String(value));
  return parsed === undefined ? String(value) : formatQuantity(parsed);
}

/** The names and images of containers, one text each. */
export function containerCells(template: Json | undefined): [names: string, images: string] {
  const containers = listAt(template, 'spec', 'containers');
  return [
    containers.map((container) => textAt(container, 'name')).join(','),
    containers.map((container) => textAt(container, 'image')).join(','),
  ];
}

const shownItems = 3;

/** The first items of a list, and the number of further ones. */
export function firstItems(items: readonly string[], otherwise: string): string {
  const shown = items.slice(0, shownItems).join(',');
  if (items.length > shownItems) return `${shown} + ${items.length - shownItems} more...`;
  return orElse(shown, otherwise);
}
