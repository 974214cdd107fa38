/** The columns of the built-in kinds, with the server's descriptions. */
import type { JsonObject } from '../../values/json.ts';
import builtin from './columns.json' with { type: 'json' };

export interface Column extends JsonObject {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}

type PartialColumn = { name: string; type: string; format?: string; description?: string; priority?: number };

const nameDescription =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a ' +
  'client to request the generation of an appropriate name automatically. Name is primarily intended for creation ' +
  'idempotence and configuration definition. Cannot be updated. More info: ' +
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';

export const ageDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed ' +
  'to be set in happens-before order across separate operations. Clients may not set this value. It is represented in ' +
  'RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: ' +
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: nameDescription,
  priority: 0,
};

/** `defaultColumns` are the columns of kinds without a printer: roles, limit ranges, CRDs. */
export const defaultColumns: readonly Column[] = [
  nameColumn,
  { name: 'Created At', type: 'date', format: '', description: ageDescription, priority: 0 },
];

/** Keyed by `group/Kind`, or `Kind` in the core group. Names and ages have the same description in all kinds. */
export const builtinColumns: ReadonlyMap<string, readonly Column[]> = new Map(
  Object.entries(builtin as { [kind: string]: PartialColumn[] }).map(([kind, columns]) => [
    kind,
    columns.map(complete),
  ]),
);

function complete({ name, type, format = '', description, priority = 0 }: PartialColumn): Column {
  return {
    name,
    type,
    format,
    description: description ?? (name === 'Name' ? nameDescription : ageDescription),
    priority,
  };
}
