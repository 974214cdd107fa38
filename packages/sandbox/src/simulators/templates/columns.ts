/** The columns that `oc get templates` and `oc get templateinstances` show. */
import { isObject, type JsonObject, type KubeObject } from '../../values/json.ts';
import { nameColumn, type Column } from '../../server/table/columns.ts';
import { name } from '../../server/table/cells.ts';
import type { TableLayout } from '../../server/table/render.ts';

const DESCRIPTION_LENGTH = 80;

const column = (title: string, description: string): Column => ({
  name: title,
  type: 'string',
  format: '',
  description,
  priority: 0,
});

export const templateLayout: TableLayout = {
  columns: [
    nameColumn,
    column('Description', 'Template description.'),
    column('Parameters', 'The parameters, and how many of them have no value yet.'),
    column('Objects', 'Number of resources in this template.'),
  ],
  cells: (object) => [name(object), described(object), counted(listOf(object, 'parameters')), count(object)],
};

export const instanceLayout: TableLayout = {
  columns: [nameColumn, column('Template', 'Template name to be instantiated.')],
  cells: (object) => [name(object), templateName(object)],
};

/** The first line of the description, truncated if it is long. */
function described({ metadata }: KubeObject): string {
  const [first = '', ...more] = (metadata.annotations?.['description'] ?? '').split('\n');
  const line = more.length > 0 ? `${first}...` : first;
  return line.length > DESCRIPTION_LENGTH ? `${line.slice(0, DESCRIPTION_LENGTH - 3).trim()}...` : line;
}

export function counted(parameters: readonly JsonObject[]): string {
  const without = parameters.filter(({ value = '' }) => value === '');
  const blank = without.filter(({ generate = '' }) => generate === '').length;
  if (blank > 0) return `${parameters.length} (${blank} blank)`;
  return `${parameters.length} (${without.length > 0 ? `${without.length} generated` : 'all set'})`;
}

const count = (object: KubeObject): number => listOf(object, 'objects').length;

function listOf(object: JsonObject, field: string): readonly JsonObject[] {
  const value = object[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function templateName({ spec }: KubeObject): string {
  const template = isObject(spec) ? spec['template'] : undefined;
  const metadata = isObject(template) ? template['metadata'] : undefined;
  return isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
}
