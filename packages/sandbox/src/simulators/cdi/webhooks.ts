/** The webhooks of cdi-apiserver for DataVolumes, under their real names and paths. */
import { isNotFound } from '@ssvirt/kube/errors';
import type { Cluster } from '@ssvirt/kube/cluster';
import { keyOf, type KubeObject, type ObjectKey, type Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import { objectAt } from '../../objects/kinds/values/fields.ts';
import {
  dataSources,
  persistentVolumeClaims,
  type DataVolume,
  type PersistentVolumeClaim,
} from '../kubevirt/objects.ts';
import type { AdmissionAnswer, ReviewRequest, Cause, ServedWebhook } from '../serving/contracts.ts';
import type { World } from '../world.ts';
import { cloneRefusal } from './admission/may-clone.ts';
import { cloneFault, specFault, updateFault } from './admission/validate.ts';
import { bytesOf } from './claims/claim-size.ts';
import { standingOf } from './claims/make-claim.ts';
import { CONTENT_TYPE } from './names.ts';
import { originOf, type Origin } from './origin.ts';

const allowed: AdmissionAnswer = { allowed: true };

/** CDI returns no reason, only a code. */
const refused = (cause: Cause): AdmissionAnswer => ({
  allowed: false,
  code: 422,
  message: cause.message,
  causes: [cause],
});

export function cdiWebhooks(world: World): readonly ServedWebhook[] {
  const cluster = world.as('cdi-controller');
  const of = (kind: ServedWebhook['kind'], verb: string, admit: ServedWebhook['admit']): ServedWebhook => ({
    kind,
    configuration: `cdi-api-datavolume-${verb}`,
    name: `datavolume-${verb}.cdi.kubevirt.io`,
    path: `/datavolume-${verb}`,
    rules: [
      {
        groups: ['cdi.kubevirt.io'],
        versions: ['v1beta1'],
        resources: ['datavolumes'],
        operations: ['CREATE', 'UPDATE'],
      },
    ],
    failurePolicy: 'Fail',
    admit,
  });
  return [
    of('Mutating', 'mutate', (request) => authorise(cluster, request)),
    of('Validating', 'validate', (request) => validate(cluster, request)),
  ];
}

function objectOf({ object, namespace, name }: ReviewRequest): DataVolume {
  const { metadata = {}, spec = {} } = (object ?? {}) as unknown as Partial<DataVolume>;
  return {
    metadata: {
      ...metadata,
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined || name === '' ? {} : { name }),
    },
    spec,
  };
}

/**
 * A user who clones from another namespace must be allowed to read there. CDI checks this when the DataVolume is
 * created, and does not check again.
 */
async function authorise(cluster: Cluster, request: ReviewRequest): Promise<AdmissionAnswer> {
  if (request.operation !== 'CREATE') return allowed;
  const dataVolume = objectOf(request);
  const origin = await resolved(cluster, dataVolume);
  if (origin.kind !== 'clone' || origin.namespace === dataVolume.metadata.namespace) return allowed;
  const refusal = await cloneRefusal(cluster.client, request.userInfo, origin);
  const part = origin.of === 'pvc' ? 'PVC' : 'Snapshot';
  if (refusal === undefined) return allowed;
  return refused({ type: 'FieldValueInvalid', message: refusal, field: `spec.source.${part}.namespace` });
}

async function validate(cluster: Cluster, request: ReviewRequest): Promise<AdmissionAnswer> {
  const dataVolume = objectOf(request);
  const before = objectAt(request.oldObject ?? undefined, 'spec');
  const fault =
    (request.operation === 'UPDATE' && before !== undefined ? updateFault(before, dataVolume.spec) : undefined) ??
    nameFault(dataVolume) ??
    (request.operation === 'CREATE' ? await claimFault(cluster, dataVolume) : undefined) ??
    specFault(dataVolume.spec) ??
    (request.operation === 'CREATE' ? await sourceFault(cluster, dataVolume) : undefined);
  return fault === undefined ? allowed : refused(fault);
}

function nameFault({ metadata: { name = '' } }: DataVolume): Cause | undefined {
  if (name.length <= 253) return undefined;
  return { type: 'FieldValueInvalid', message: 'Name of data volume cannot be more than 253 characters', field: '' };
}

/** A PVC of that name is a conflict, unless a DataVolume owns it or it may be adopted. */
async function claimFault(cluster: Cluster, dataVolume: DataVolume): Promise<Cause | undefined> {
  const { namespace = '', name = '' } = dataVolume.metadata;
  if (name === '') return undefined;
  const claim = await found(cluster, persistentVolumeClaims, { namespace, name });
  if (claim === undefined || controllerOf(claim)?.kind === 'DataVolume') return undefined;
  if (standingOf(claim, dataVolume) === 'adoptable') return undefined;
  const message = `Destination PVC ${namespace}/${name} already exists`;
  return { type: 'FieldValueDuplicate', message, field: 'DataVolume.Name' };
}

async function sourceFault(cluster: Cluster, dataVolume: DataVolume): Promise<Cause | undefined> {
  const origin = await resolved(cluster, dataVolume);
  // A source that does not exist yet is waited for, not refused.
  if (origin.kind !== 'clone' || origin.of !== 'pvc') return undefined;
  const claim = await found(cluster, persistentVolumeClaims, origin);
  if (claim === undefined) return undefined;
  const source = { bytes: sizeOf(claim), contentType: claim.metadata.annotations?.[CONTENT_TYPE] ?? 'kubevirt' };
  const field = objectAt(dataVolume.spec, 'sourceRef') === undefined ? 'spec.source.PVC' : 'spec.sourceRef';
  return cloneFault(source, dataVolume.spec, field);
}

function sizeOf(claim: PersistentVolumeClaim): bigint | undefined {
  return bytesOf(objectAt(objectAt(claim.spec, 'resources'), 'requests')?.['storage']);
}

/** Resolves the source of a DataVolume through its DataSources. */
async function resolved(cluster: Cluster, dataVolume: DataVolume): Promise<Origin> {
  const known = new Map<string, Unstructured | undefined>();
  for (;;) {
    const asked: { namespace: string; name: string }[] = [];
    const origin = originOf(dataVolume, (namespace, name) => {
      const key = { namespace, name };
      if (!known.has(keyOf(key))) asked.push(key);
      return known.get(keyOf(key));
    });
    const [next] = asked;
    if (next === undefined) return origin;
    known.set(keyOf(next), await found(cluster, dataSources, next));
  }
}

async function found<T extends KubeObject>(
  cluster: Cluster,
  type: ResourceType<T>,
  key: ObjectKey,
): Promise<T | undefined> {
  try {
    return await cluster.client.get(type, {
      name: key.name,
      ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
