/** Webhooks of live migrations. */
import { isNotFound } from '@ssvirt/kube/errors';
import { cloneJson, jsonEqual, type JsonObject } from '../../../values/json.ts';
import { ensureObject, objectAt, textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import type { AdmissionAnswer, ReviewRequest } from '../../serving/contracts.ts';
import { virtualMachineInstanceMigrations, virtualMachineInstances, type VirtualMachineInstance } from '../objects.ts';
import { allowed, allowedWith, failed, judged, refused } from './answer.ts';
import { notSupported, required, type Cause } from './cause.ts';
import type { AdmissionContext } from './context.ts';

/** The label by which the migrations of a VMI are found. */
const SELECTOR = 'kubevirt.io/vmi-name';
const FINALIZER = 'kubevirt.io/migrationJobFinalize';
const DONE = ['Succeeded', 'Failed'];

export function mutateMigration(request: ReviewRequest): AdmissionAnswer {
  const migration = request.object ?? {};
  const metadata = cloneJson(objectAt(migration, 'metadata') ?? {});
  ensureObject(metadata, 'labels')[SELECTOR] = textAt(objectAt(migration, 'spec'), 'vmiName');
  metadata['finalizers'] = [...textsAt(metadata, 'finalizers'), FINALIZER];
  return allowedWith([], [{ op: 'replace', path: '/metadata', value: metadata }]);
}

export async function validateMigration(
  { cluster }: AdmissionContext,
  request: ReviewRequest,
): Promise<AdmissionAnswer> {
  const name = textAt(objectAt(request.object ?? {}, 'spec'), 'vmiName');
  const namespace = request.namespace ?? '';
  if (name === '') return refused([required('vmiName is missing', 'spec.vmiName')]);
  let vmi: VirtualMachineInstance;
  try {
    vmi = await cluster.client.get(virtualMachineInstances, { name, namespace });
  } catch (error) {
    if (isNotFound(error)) return failed(`the VMI "${namespace}/${name}" does not exist`);
    throw error;
  }
  if (DONE.includes(vmi.status?.phase ?? '')) return failed('Cannot migrate VMI in finalized state.');
  const obstacle = vmi.status?.conditions?.find(({ type, status }) => type === 'LiveMigratable' && status === 'False');
  if (obstacle !== undefined)
    return failed(`Cannot migrate VMI, Reason: ${obstacle.reason ?? ''}, Message: ${obstacle.message ?? ''}`);
  // Read from the server, not from a cache: a migration that was just created counts.
  const options = { namespace, labelSelector: `${SELECTOR} in (${name})` };
  for await (const { items } of cluster.client.pages(virtualMachineInstanceMigrations, options)) {
    const active = items.find((migration) => !DONE.includes(migration.status?.phase ?? ''));
    if (active !== undefined)
      return failed(
        `in-flight migration detected. Active migration job (${active.metadata.uid ?? ''}) is currently already in progress for VMI ${name}.`,
      );
  }
  return allowed;
}

export function validateMigrationUpdate(request: ReviewRequest): AdmissionAnswer {
  const [migration, old] = [request.object ?? {}, request.oldObject ?? {}];
  if (!jsonEqual(migration['spec'], old['spec']))
    return refused([notSupported("update of Migration object's spec is restricted")]);
  return judged(selectorCauses(migration, old));
}

function selectorCauses(migration: JsonObject, old: JsonObject): Cause[] {
  const labels = (object: JsonObject): JsonObject | undefined => objectAt(objectAt(object, 'metadata'), 'labels');
  const before = textAt(labels(old), SELECTOR);
  const after = labels(migration);
  if (DONE.includes(textAt(objectAt(migration, 'status'), 'phase')) || before === '') return [];
  if (after === undefined) return [notSupported("selector label can't be removed from an in-flight migration")];
  if (textAt(after, SELECTOR) === before) return [];
  return [notSupported("selector label can't be modified on an in-flight migration")];
}
