/** The columns that a CustomResourceDefinition declares (`additionalPrinterColumns`), and their cells. */
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import { goPrinted } from '../../objects/schema/go/go-print.ts';
import { goJson, sortKeys } from '../../objects/schema/go/go-text.ts';
import type { CellWriter } from './cells.ts';
import { name } from './cells.ts';
import type { Column } from './columns.ts';
import { ageDescription, nameColumn } from './columns.ts';
import type { Since } from './duration.ts';
import type { JsonPath } from './jsonpath.ts';
import { findJsonPath, JsonPathError, parseJsonPath } from './jsonpath.ts';

export interface TableColumn extends JsonObject {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}

export interface PrinterTable {
  readonly columns: readonly Column[];
  readonly cells: CellWriter;
}

const ageColumn: TableColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: ageDescription,
};

/** `customScaleColumns` are the columns of a custom resource's Scale. */
export const customScaleColumns: readonly TableColumn[] = [
  { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', description: 'Number of desired replicas' },
  { name: 'Available', type: 'integer', jsonPath: '.status.replicas', description: 'Number of actual replicas' },
  ageColumn,
];

const compiled = new WeakMap<readonly TableColumn[], PrinterTable>();

/** `printerTable` returns the table of a version's columns; their paths are parsed once per list. */
export function printerTable(columns: readonly TableColumn[]): PrinterTable {
  const known = compiled.get(columns);
  if (known !== undefined) return known;
  const table = compile(columns.length === 0 ? [ageColumn] : columns);
  compiled.set(columns, table);
  return table;
}

function compile(columns: readonly TableColumn[]): PrinterTable {
  const usable = parsed(columns);
  return {
    columns: [nameColumn, ...usable.map(({ column }) => describe(column))],
    cells: (object, since) => [
      name(object),
      ...usable.map(({ column, path }) => cell(object, column.type, path, since)),
    ],
  };
}

/** A column whose path cannot be parsed ends the list: the server shows only those before it. */
function parsed(columns: readonly TableColumn[]): { column: TableColumn; path: JsonPath }[] {
  const usable: { column: TableColumn; path: JsonPath }[] = [];
  for (const column of columns) {
    try {
      usable.push({ column, path: parseJsonPath(column.jsonPath) });
    } catch (error) {
      if (error instanceof JsonPathError) return usable;
      throw error;
    }
  }
  return usable;
}

function describe({ name: title, type, format = '', description = '', jsonPath, priority = 0 }: TableColumn): Column {
  const text = description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description;
  return { name: title, type, format, description: text, priority };
}

function cell(object: KubeObject, type: string, path: JsonPath, since: Since): Json {
  const value = firstValue(object, path);
  if (value === undefined) return null;
  return type === 'string' ? printed(value) : (converters[type]?.(value, since) ?? null);
}

function firstValue(object: KubeObject, path: JsonPath): Json | undefined {
  try {
    return findJsonPath(path, object)[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function printed(value: Json): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? goJson(sortKeys(value)) : goPrinted(value);
}

const [smallestInt, largestInt] = [-(2 ** 63), 2 ** 63];

const converters: { readonly [type: string]: (value: Json, since: Since) => Json } = {
  integer: (value) => {
    if (typeof value !== 'number') return null;
    // On the server's processors, a float beyond the range of int64 converts to the smallest int64.
    return value >= largestInt || value < smallestInt ? smallestInt : Math.trunc(value);
  },
  number: (value) => (typeof value === 'number' ? value : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: (value, since) => {
    if (typeof value !== 'string') return null;
    if (value === '' || value === 'null') return '<unknown>';
    return rfc3339.test(value) && !Number.isNaN(Date.parse(value)) ? since(value) : '<invalid>';
  },
};

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/;
