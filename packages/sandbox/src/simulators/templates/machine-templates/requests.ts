/**
 * VirtualMachineTemplateRequests: a template is created from a VM, with copies of its disks. The real controller first
 * takes a snapshot and copies from it; here the disks themselves are copied.
 */
import type { Cluster } from '@ssvirt/kube/cluster';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject, enqueueOwner } from '@ssvirt/kube/controller/handlers';
import { watches } from '@ssvirt/kube/controller/sources';
import { isKind } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject } from '@ssvirt/kube/object';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { timestamp } from '../../../server/api/write/write.ts';
import { virtualMachines, type Condition } from '../../kubevirt/objects.ts';
import type { World } from '../../world.ts';
import { copiedDisks, copyOf, templateNameOf, templateOf, type Copied } from './from-machine.ts';
import { machineTemplates, REQUEST_LABEL, TEMPLATE_GROUP, templateRequests, type TemplateRequest } from './kinds.ts';

interface DataVolume extends KubeObject {
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}

const dataVolumes: ResourceType<DataVolume> = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'DataVolume',
  plural: 'datavolumes',
  namespaced: true,
};

const BY_UID = 'uid';

export function requestController(world: World): Controller {
  const cluster = world.as('virt-template');
  const requests = cluster.informers.informer(templateRequests);
  requests.addIndex(BY_UID, ({ metadata: { uid } }) => (uid === undefined ? [] : [uid]));
  const ofRequest = enqueueMapped<KubeObject>(({ metadata }) =>
    requests.byIndex(BY_UID, metadata.labels?.[REQUEST_LABEL] ?? '').map((request) => keyOfObject(request)),
  );
  const controller = createController({
    name: 'virtualmachinetemplaterequest',
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [
      watches(requests, enqueueObject, (change) => change.type !== 'deleted'),
      watches(cluster.informers.informer(machineTemplates), ofRequest),
      watches(
        cluster.informers.informer(dataVolumes, { labelSelector: REQUEST_LABEL }),
        enqueueOwner(templateRequests),
      ),
    ],
    async reconcile(key, { signal }) {
      const request = requests.get(key);
      if (request === undefined || request.metadata.deletionTimestamp !== undefined || isOver(request)) return;
      await write(cluster, request, await advance(cluster, request, signal), signal);
    },
  });
  controller.engage(cluster);
  return controller;
}

interface Outcome {
  readonly ready: 'True' | 'False';
  readonly reason: 'Reconciled' | 'Waiting' | 'Failed';
  readonly message: string;
  readonly template?: string;
}

const waiting = (message: string): Outcome => ({ ready: 'False', reason: 'Waiting', message });
const failed = (message: string): Outcome => ({ ready: 'False', reason: 'Failed', message });

/** A request that succeeded or failed is final. */
function isOver({ status }: TemplateRequest): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Progressing' && value === 'False');
}

async function advance(cluster: Cluster, request: TemplateRequest, signal: AbortSignal): Promise<Outcome> {
  const { namespace = '', uid } = request.metadata;
  const name = templateNameOf(request);
  const template = await find(cluster.client, machineTemplates, { namespace, name }, { signal });
  if (template !== undefined) {
    if (template.metadata.labels?.[REQUEST_LABEL] !== uid)
      return failed(`existing VirtualMachineTemplate ${namespace}/${name} was not created by this request`);
    const ready = (template.status?.conditions ?? []).find(({ type }) => type === 'Ready');
    return ready?.status === 'True'
      ? { ready: 'True', reason: 'Reconciled', message: ready.message ?? '', template: name }
      : { ...waiting(`Waiting for VirtualMachineTemplate ${namespace}/${name} to be ready`), template: name };
  }
  const source = request.spec.virtualMachineRef;
  const machine = await find(cluster.client, virtualMachines, source, { signal });
  if (machine === undefined) return failed(`VirtualMachine ${source.namespace}/${source.name} does not exist`);
  const copied = copiedDisks(request, machine);
  for (const disk of copied) {
    const outcome = await copy(cluster, request, disk, signal);
    if (outcome !== undefined) return outcome;
  }
  await cluster.client.create(machineTemplates, templateOf(request, machine, copied), { signal });
  return { ...waiting(`Waiting for VirtualMachineTemplate ${namespace}/${name} to be ready`), template: name };
}

/** Undefined when the copy is done. */
async function copy(
  cluster: Cluster,
  request: TemplateRequest,
  disk: Copied,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { namespace = '', name = '', uid = '' } = request.metadata;
  const key = { namespace, name: disk.copy };
  const owner = { apiVersion: `${TEMPLATE_GROUP}/v1beta1`, kind: templateRequests.kind, name, uid, controller: true };
  const there = await find(cluster.client, dataVolumes, key, { signal });
  if (there === undefined) {
    try {
      await cluster.client.create(dataVolumes, copyOf(request, disk, owner), { signal });
    } catch (error) {
      if (!isKind(error, 'AlreadyExists')) throw error;
    }
  }
  if (there?.status?.phase === 'Succeeded') return undefined;
  if (there?.status?.phase === 'Failed') return failed(`DataVolume ${namespace}/${disk.copy} failed`);
  return waiting(`Waiting for DataVolume ${namespace}/${disk.copy} to be ready`);
}

async function write(cluster: Cluster, request: TemplateRequest, outcome: Outcome, signal: AbortSignal): Promise<void> {
  const { generation = 0, uid, resourceVersion } = request.metadata;
  const before = request.status?.conditions ?? [];
  const { ready, reason, message, template } = outcome;
  const isWaiting = reason === 'Waiting';
  const conditions = [
    told(before, { type: 'Ready', status: ready, reason, message, observedGeneration: generation }),
    told(before, {
      type: 'Progressing',
      status: isWaiting ? 'True' : 'False',
      reason: isWaiting ? 'Reconciling' : reason,
      message: '',
      observedGeneration: generation,
    }),
  ];
  const status = { conditions, ...(template === undefined ? {} : { templateRef: { name: template } }) };
  if (JSON.stringify(conditions) === JSON.stringify(before)) return;
  const body = { metadata: { uid, resourceVersion }, status };
  const options = { subresource: 'status', signal };
  await cluster.client.patch(templateRequests, keyOfObject(request), { type: 'merge', body }, options);
}

/** A condition with an unchanged status keeps its time. */
function told(before: readonly Condition[], condition: Condition): Condition {
  const known = before.find(({ type }) => type === condition.type);
  const since = known?.status === condition.status ? known.lastTransitionTime : undefined;
  const { type, status, ...rest } = condition;
  return { type, status, lastTransitionTime: since ?? timestamp(), ...rest };
}
