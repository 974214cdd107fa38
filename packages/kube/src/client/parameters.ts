/** Converts client options to API parameters. */
import type { DeleteOptions, ListOptions, Selection, WatchOptions, WriteOptions } from './client.ts';
import type { Query } from '../transport/call.ts';

const metadata = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** Full objects stay acceptable: an aggregated server may support no other form. */
export const acceptMetadata = metadata('PartialObjectMetadata');
export const acceptMetadataList = metadata('PartialObjectMetadataList');

const text = (value: number | boolean | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

export function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector: labelSelector || undefined, fieldSelector: fieldSelector || undefined };
}

export function listQuery(options: ListOptions): Query {
  return {
    ...selectionQuery(options),
    limit: text(options.limit),
    continue: options.continue || undefined,
    resourceVersion: options.resourceVersion || undefined,
    resourceVersionMatch: options.resourceVersionMatch,
  };
}

export function watchQuery(options: WatchOptions): Query {
  return {
    watch: 'true',
    ...selectionQuery(options),
    resourceVersion: options.resourceVersion || undefined,
    resourceVersionMatch: options.resourceVersionMatch,
    sendInitialEvents: text(options.sendInitialEvents),
    allowWatchBookmarks: text(options.allowWatchBookmarks),
    timeoutSeconds: text(options.timeoutSeconds),
  };
}

export type WriteDefaults = Required<Pick<WriteOptions, 'fieldManager' | 'fieldValidation'>>;

export function writeQuery(options: WriteOptions, defaults: Partial<WriteDefaults> = {}): Query {
  return {
    fieldManager: options.fieldManager ?? defaults.fieldManager,
    fieldValidation: options.fieldValidation ?? defaults.fieldValidation,
    dryRun: options.dryRun === true ? 'All' : undefined,
  };
}

/** `deletion` returns the body of a DELETE. */
export function deletion({
  uid,
  resourceVersion,
  propagationPolicy,
  gracePeriodSeconds,
  dryRun,
}: DeleteOptions): object {
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(dryRun === true && { dryRun: ['All'] }),
  };
}
