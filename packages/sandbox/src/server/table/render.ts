/** Tables, which `kubectl get` requests: meta.k8s.io Table objects with columns and one row per object. */
import { errors, fieldError } from '../api/status.ts';
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import { appsCells } from './apps-cells.ts';
import type { CellWriter, CellWriters } from './cells.ts';
import { name } from './cells.ts';
import { clusterCells } from './cluster-cells.ts';
import type { Column } from './columns.ts';
import { builtinColumns, defaultColumns } from './columns.ts';
import { coreCells } from './core-cells.ts';
import type { Since } from './duration.ts';
import { sinceFrom } from './duration.ts';
import { eventCells } from './event-cells.ts';
import { networkCells } from './network-cells.ts';
import { podCells, podConditions } from './pod-cells.ts';
import type { TableColumn } from './printer-columns.ts';
import { printerTable } from './printer-columns.ts';
import { storageCells } from './storage-cells.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableKind {
  readonly group: string;
  readonly kind: string;
  readonly custom?: boolean;
  /** For custom resources: the version's `additionalPrinterColumns`. */
  readonly printerColumns?: readonly TableColumn[];
  readonly layout?: TableLayout;
}

/** Columns, and the function that writes their cells. */
export interface TableLayout {
  readonly columns: readonly Column[];
  readonly cells: CellWriter;
}

export interface TableOptions {
  readonly now: Date;
  readonly includeObject?: IncludeObject;
  /** Set for all but the first table of a watch. */
  readonly noHeaders?: boolean;
  /** The list metadata of a list; for a single object, its resourceVersion. */
  readonly metadata?: JsonObject;
  /** The requested version of meta.k8s.io. */
  readonly metaVersion?: string;
}

export interface TableRow extends JsonObject {
  cells: Json[];
  conditions?: JsonObject[];
  object: JsonObject | null;
}

export interface Table extends JsonObject {
  kind: 'Table';
  apiVersion: string;
  metadata: JsonObject;
  columnDefinitions: Column[] | null;
  rows: TableRow[] | null;
}

const builtinCells: CellWriters = {
  Pod: podCells,
  ...coreCells,
  ...eventCells,
  ...networkCells,
  ...storageCells,
  ...appsCells,
  ...clusterCells,
};

const noColumns: readonly TableColumn[] = [];

const defaultCells: CellWriter = (object) => [
  name(object),
  object.metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
];

export function renderTable(kind: TableKind, objects: readonly KubeObject[], options: TableOptions): Table {
  const apiVersion = `meta.k8s.io/${options.metaVersion ?? 'v1'}`;
  const { columns, cells, emptyRows } = tableOf(kind);
  const since = sinceFrom(options.now);
  const include = options.includeObject ?? 'Metadata';
  const rows = objects.map((object) => row(kind, object, cells, since, include, apiVersion));
  return {
    kind: 'Table',
    apiVersion,
    metadata: { ...options.metadata },
    columnDefinitions: options.noHeaders === true ? null : [...columns],
    rows: rows.length === 0 ? emptyRows : rows,
  };
}

interface Layout extends TableLayout {
  /** The server's default table has null instead of an empty list when there are no rows. */
  readonly emptyRows: [] | null;
}

function tableOf({ group, kind, custom, printerColumns, layout }: TableKind): Layout {
  if (layout !== undefined) return { ...layout, emptyRows: [] };
  if (custom === true || printerColumns !== undefined)
    return { ...printerTable(printerColumns ?? noColumns), emptyRows: [] };
  const key = group === '' ? kind : `${group}/${kind}`;
  const [columns, cells] = [builtinColumns.get(key), builtinCells[key]];
  if (columns === undefined || cells === undefined) {
    return { columns: defaultColumns, cells: defaultCells, emptyRows: null };
  }
  return { columns, cells, emptyRows: [] };
}

function row(
  { group, kind }: TableKind,
  object: KubeObject,
  cells: CellWriter,
  since: Since,
  include: IncludeObject,
  apiVersion: string,
): TableRow {
  const conditions = group === '' && kind === 'Pod' ? podConditions(object) : undefined;
  return {
    cells: cells(object, since),
    ...(conditions !== undefined && { conditions }),
    object: included(object, include, apiVersion),
  };
}

function included(object: KubeObject, include: IncludeObject, apiVersion: string): JsonObject | null {
  if (include === 'None') return null;
  return include === 'Object' ? object : { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}

/** `parseIncludeObject` parses the query parameter `includeObject`. */
export function parseIncludeObject(value: string | undefined): IncludeObject {
  if (value === undefined || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const { field, detail } = fieldError.invalid(
    'includeObject',
    value,
    "must be 'Metadata', 'Object', 'None', or empty",
  );
  throw errors.badRequest(`Unable to convert to Table as requested: ${field}: ${detail}`);
}
