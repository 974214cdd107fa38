/** Selects the entries of a list or a watch. */
import type { Entry } from '../../store/entry.ts';
import type { ListOptions } from './request/options.ts';
import { readEntry } from './present.ts';
import type { Resource } from './resource.ts';
import {
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  type FieldRequirement,
  type LabelRequirement,
} from './request/selectors.ts';
import { errors } from './status.ts';

export interface Selection {
  readonly everything: boolean;
  /** Set when the selector can match only one name. */
  readonly name: string | undefined;
  matches(entry: Entry): boolean;
}

export function selection(resource: Resource, options: ListOptions, pathName = ''): Selection {
  const labels = parseLabelSelector(options.labelSelector);
  const fields = parseFieldSelector(options.fieldSelector);
  for (const { field } of fields) checkField(resource, field);
  if (pathName !== '') addName(fields, pathName);
  return {
    everything: labels.length === 0 && fields.length === 0,
    name: fields.find((f) => f.field === 'metadata.name' && f.equal)?.value,
    matches: (entry) => matchesLabels(labels, entry.labels) && matchesEntryFields(resource, entry, labels, fields),
  };
}

function addName(fields: FieldRequirement[], name: string): void {
  if (fields.length > 0 && !fields.some((f) => f.field === 'metadata.name' && f.equal && f.value === name)) {
    throw errors.badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  if (fields.length === 0) fields.push({ field: 'metadata.name', equal: true, value: name });
}

function checkField(resource: Resource, field: string): void {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && (resource.namespaced || !resource.custom)))
    return;
  if (resource.strategy.selectable.has(field)) return;
  if (resource.custom || resource.strategy.selectable.size > 0)
    throw errors.badRequest(`field label not supported: ${field}`);
  throw errors.badRequest(
    `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

function matchesEntryFields(
  resource: Resource,
  entry: Entry,
  _labels: readonly LabelRequirement[],
  fields: readonly FieldRequirement[],
): boolean {
  if (fields.length === 0) return true;
  const own = { 'metadata.name': entry.name, 'metadata.namespace': entry.namespace };
  const ofMeta = fields.filter((f) => f.field.startsWith('metadata.'));
  if (!matchesFields(ofMeta, own)) return false;
  const others = fields.filter((f) => !f.field.startsWith('metadata.'));
  return others.length === 0 || matchesFields(others, resource.strategy.selectableFields(readEntry(resource, entry)));
}
