/**
 * What a DataImportCron creates: an import of its source, and a DataSource that points to the latest import. Sources in
 * a sandbox never change.
 */
import { createHash } from 'node:crypto';
import type { ObjectMeta, Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import type { Condition, DataVolume } from '../../kubevirt/objects.ts';
import { withCondition, type Saying } from '../conditions.ts';
import { dateText } from '../moment.ts';
import { BIND_IMMEDIATELY } from '../names.ts';

export const CRON_LABEL = 'cdi.kubevirt.io/dataImportCron';

const specOf = (cron: Unstructured): JsonObject => {
  const spec = cron['spec'] as Json | undefined;
  return isObject(spec) ? spec : {};
};

export const managedDataSource = (cron: Unstructured): string => textAt(specOf(cron), 'managedDataSource');

/** `digestOf` returns the digest that a registry would report: always the same for the same image. */
export function digestOf(cron: Unstructured): string {
  const source = objectAt(objectAt(objectAt(specOf(cron), 'template'), 'spec'), 'source');
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(source ?? {}))
    .digest('hex')}`;
}

export function importName(cron: Unstructured): string {
  return `${managedDataSource(cron)}-${digestOf(cron).slice('sha256:'.length).slice(0, 12)}`;
}

/** The labels from which a VM infers its instance type are copied to everything that the cron creates. */
const INFERRED = 'instancetype.kubevirt.io/default-';

const labelled = ({ metadata }: Unstructured): Pick<ObjectMeta, 'labels'> => ({
  labels: {
    ...Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => key.startsWith(INFERRED))),
    [CRON_LABEL]: metadata.name ?? '',
  },
});

export function importOf(cron: Unstructured): DataVolume {
  const template = objectAt(specOf(cron), 'template');
  const meta = objectAt(template, 'metadata') as ObjectMeta | undefined;
  return {
    metadata: {
      namespace: cron.metadata.namespace ?? '',
      name: importName(cron),
      labels: { ...meta?.labels, ...labelled(cron).labels },
      // The import has no consumer that it could wait for.
      annotations: { ...meta?.annotations, [BIND_IMMEDIATELY]: 'true' },
    },
    spec: objectAt(template, 'spec') ?? {},
  };
}

/** `dataSourceOf` returns the DataSource points to the import when that is done. */
export function dataSourceOf(cron: Unstructured, isImported: boolean): Unstructured {
  const { namespace = '' } = cron.metadata;
  return {
    metadata: { namespace, name: managedDataSource(cron), ...labelled(cron) },
    spec: { source: isImported ? { pvc: { namespace, name: importName(cron) } } : {} },
  };
}

export function cronStatus(cron: Unstructured, phase: string | undefined, now: Date): JsonObject {
  const known = cron['status'] as Json | undefined;
  const before = isObject(known) ? known : {};
  const { namespace = '' } = cron.metadata;
  const name = importName(cron);
  const { progressing, upToDate } = sayings(phase);
  let conditions = (before['conditions'] ?? []) as unknown as readonly Condition[];
  conditions = withCondition(conditions, 'Progressing', progressing, now);
  conditions = withCondition(conditions, 'UpToDate', upToDate, now);
  const isDone = phase === 'Succeeded';
  return {
    ...before,
    conditions: conditions as unknown as Json[],
    currentImports: [{ DataVolumeName: name, Digest: digestOf(cron) }],
    lastExecutionTimestamp: before['lastExecutionTimestamp'] ?? dateText(now),
    ...(isDone
      ? { lastImportTimestamp: before['lastImportTimestamp'] ?? dateText(now), lastImportedPVC: { namespace, name } }
      : {}),
    sourceFormat: 'pvc',
  };
}

function sayings(phase: string | undefined): { readonly progressing: Saying; readonly upToDate: Saying } {
  const none: Saying = { status: 'False', reason: 'NoImport', message: 'No current import' };
  switch (phase) {
    case 'Succeeded':
      return {
        progressing: none,
        upToDate: { status: 'True', reason: 'UpToDate', message: 'Latest import is up to date' },
      };
    case 'ImportScheduled':
      return both('False', 'ImportScheduled', 'Import is scheduled');
    case 'ImportInProgress':
      return both('True', 'ImportProgressing', 'Import is progressing');
    case undefined:
    case '':
      return { progressing: none, upToDate: { ...none, reason: 'NoImport', message: 'No import found' } };
    default:
      return both('False', phase, `Import DataVolume phase ${phase}`);
  }
}

function both(status: 'True' | 'False', reason: string, message: string): ReturnType<typeof sayings> {
  return { progressing: { status, reason, message }, upToDate: { status: 'False', reason, message } };
}
