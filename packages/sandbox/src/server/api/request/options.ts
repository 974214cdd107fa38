/**
 * Parses the query parameters of reads and writes, with apimachinery's checks of ListOptions, CreateOptions and similar
 * types.
 */
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { errors, fieldError, type FieldError } from '../status.ts';

export interface ListOptions {
  readonly watch: boolean;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean;
}

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text))
    throw errors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = BigInt(text);
  if (value > 0x7fffffffffffffffn || value < -0x8000000000000000n) {
    throw errors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  return Number(value);
}

/** Kubernetes reads `?watch`, `?watch=1` and `?watch=true` as true; anything but false, 0 and no is. */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return !(text.toLowerCase() === 'false' || text === '0');
}

const invalidOptions = (kind: string, list: readonly FieldError[]): void => {
  if (list.length > 0) throw errors.invalid('meta.k8s.io', kind, '', list);
};

export function listOptions(query: URLSearchParams, forceWatch = false): ListOptions {
  const given = query.get('sendInitialEvents') === '' ? undefined : booleanParameter(query, 'sendInitialEvents');
  const watch = forceWatch || (booleanParameter(query, 'watch') ?? false);
  const revision = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  // A watch without a revision begins with the current state: the server fills in these options before it checks them.
  const fromNothing = watch && given === undefined && match === '' && (revision === '' || revision === '0');
  const sendInitialEvents = fromNothing ? true : given;
  const options: ListOptions = {
    watch,
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    resourceVersion: revision,
    resourceVersionMatch: fromNothing ? 'NotOlderThan' : match,
    limit: integerParameter(query, 'limit') ?? 0,
    continueToken: query.get('continue') ?? '',
    timeoutSeconds: integerParameter(query, 'timeoutSeconds'),
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents,
  };
  invalidOptions('ListOptions', options.watch ? watchProblems(options) : listProblems(options));
  return options;
}

function listProblems(options: ListOptions): FieldError[] {
  const list: FieldError[] = [];
  const match = options.resourceVersionMatch;
  const field = 'resourceVersionMatch';
  if (match !== '') {
    if (options.resourceVersion === '') {
      list.push(fieldError.forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (options.continueToken !== '') {
      list.push(fieldError.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      list.push(fieldError.notSupported(field, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && options.resourceVersion === '0') {
      list.push(fieldError.forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    list.push(fieldError.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return list;
}

function watchProblems(options: ListOptions): FieldError[] {
  const list: FieldError[] = [];
  const match = options.resourceVersionMatch;
  const field = 'resourceVersionMatch';
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    list.push(fieldError.forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '') {
    if (options.sendInitialEvents === undefined) {
      list.push(
        fieldError.forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
    }
    if (match !== 'NotOlderThan') list.push(fieldError.notSupported(field, match, ['NotOlderThan']));
    if (options.continueToken !== '') {
      list.push(fieldError.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    }
  }
  return list;
}

export type WriteKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

export function writeOptions(query: URLSearchParams, kind: WriteKind, apply = false): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = booleanParameter(query, 'force');
  const list: FieldError[] = [];
  if (kind === 'PatchOptions') {
    if (apply && fieldManager === '') list.push(fieldError.required('fieldManager', 'is required for apply patch'));
    if (!apply && force !== undefined)
      list.push(fieldError.forbidden('force', 'may not be specified for non-apply patch'));
  }
  list.push(...fieldManagerProblems(fieldManager), ...dryRunProblems(dryRun));
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    list.push(fieldError.notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  invalidOptions(kind, list);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    force: force ?? false,
  };
}

function fieldManagerProblems(name: string): FieldError[] {
  const list: FieldError[] = [];
  if (Buffer.byteLength(name) > 128) list.push(fieldError.tooLong('fieldManager', 128));
  for (const [i, character] of [...name].entries()) {
    if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) continue;
    const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
    list.push(fieldError.invalid('fieldManager', name, `invalid character U+${code} (at position ${i})`));
  }
  return list;
}

function dryRunProblems(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [fieldError.notSupported('dryRun', [...values], ['All'])];
}

/** From the body if there is one, otherwise from the query, as in kube-apiserver. */
export function deleteOptions(body: JsonObject | undefined, query: URLSearchParams): DeleteOptions {
  const source = body ?? fromQuery(query);
  const preconditions = isObject(source['preconditions']) ? source['preconditions'] : {};
  const dryRun = Array.isArray(source['dryRun']) ? source['dryRun'].map(String) : [];
  const policy = source['propagationPolicy'];
  const orphan = source['orphanDependents'];
  const list: FieldError[] = [];
  if (typeof orphan === 'boolean' && typeof policy === 'string') {
    list.push(
      fieldError.invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (typeof policy === 'string' && !['Foreground', 'Background', 'Orphan'].includes(policy)) {
    list.push(fieldError.notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  list.push(...dryRunProblems(dryRun));
  invalidOptions('DeleteOptions', list);
  return {
    dryRun: dryRun.length > 0,
    gracePeriodSeconds: asNumber(source['gracePeriodSeconds']),
    propagationPolicy: typeof policy === 'string' ? policy : undefined,
    orphanDependents: typeof orphan === 'boolean' ? orphan : undefined,
    uid: asString(preconditions['uid']),
    resourceVersion: asString(preconditions['resourceVersion']),
  };
}

function fromQuery(query: URLSearchParams): JsonObject {
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const grace = integerParameter(query, 'gracePeriodSeconds');
  const orphan = booleanParameter(query, 'orphanDependents');
  const policy = query.get('propagationPolicy');
  return {
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
  };
}

const asNumber = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);
const asString = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
