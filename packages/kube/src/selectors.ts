/** Label and field selectors, as far as a cache needs them to tell whether a written object belongs to it. */
import type { ObjectMeta } from './object.ts';

type Labels = Readonly<Record<string, string>>;
export type LabelMatch = (labels: Labels | undefined) => boolean;
export type FieldMatch = (metadata: Pick<ObjectMeta, 'name' | 'namespace'>) => boolean;

const name = String.raw`[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?`;
const equality = new RegExp(String.raw`^(?<key>${name})\s*(?<operator>==|=|!=)\s*(?<value>(${name})?)$`);
const membership = new RegExp(String.raw`^(?<key>${name})\s+(?<operator>in|notin)\s*\((?<values>[^()]*)\)$`);
const existence = new RegExp(String.raw`^(?<not>!?)\s*(?<key>${name})$`);

/** `labelSelector` throws for an invalid label selector. The empty one matches everything. */
export function labelSelector(text = ''): LabelMatch {
  const requirements = terms(text).map(requirement);
  return (labels = {}) => requirements.every((matches) => matches(labels));
}

function requirement(term: string): (labels: Labels) => boolean {
  const set = membership.exec(term)?.groups;
  if (set !== undefined) return member(set['key'] ?? '', set['operator'] === 'in', set['values'] ?? '');
  const exists = existence.exec(term)?.groups;
  if (exists !== undefined) return (labels) => Object.hasOwn(labels, exists['key'] ?? '') === (exists['not'] === '');
  const equal = equality.exec(term)?.groups;
  if (equal !== undefined) return member(equal['key'] ?? '', equal['operator'] !== '!=', equal['value'] ?? '');
  throw new Error(`cannot parse the label selector "${term}"`);
}

/** `!=` and `notin` match objects without the label. */
function member(key: string, wanted: boolean, list: string): (labels: Labels) => boolean {
  const values = new Set(list.split(',').map((value) => value.trim()));
  return (labels) => (Object.hasOwn(labels, key) && values.has(labels[key] ?? '')) === wanted;
}

/** `fieldSelector` supports metadata.name and metadata.namespace, which every kind has; throws for other fields. */
export function fieldSelector(text = ''): FieldMatch {
  const requirements = terms(text).map((term) => {
    const match = /^metadata\.(name|namespace)\s*(==|=|!=)\s*(.*)$/.exec(term);
    if (match === null) throw new Error(`cannot evaluate the field selector "${term}"`);
    const [, field, operator, value] = match;
    return (metadata: Pick<ObjectMeta, 'name' | 'namespace'>): boolean =>
      ((metadata[field === 'name' ? 'name' : 'namespace'] ?? '') === value) === (operator !== '!=');
  });
  return (metadata) => requirements.every((matches) => matches(metadata));
}

/** Splits at commas outside parentheses. */
function terms(text: string): string[] {
  if (text.trim() === '') return [];
  return text.split(/,(?![^(]*\))/).map((term) => term.trim());
}
