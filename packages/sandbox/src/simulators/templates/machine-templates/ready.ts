/** Every stored VirtualMachineTemplate is ready: invalid ones were refused when they were written. */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import { watches } from '@ssvirt/kube/controller/sources';
import { keyOfObject } from '@ssvirt/kube/object';
import { timestamp } from '../../../server/api/write/write.ts';
import type { Condition } from '../../kubevirt/objects.ts';
import type { World } from '../../world.ts';
import { machineTemplates } from './kinds.ts';

export const READY_MESSAGE = 'VirtualMachineTemplate is ready to be processed';

export function readyController(world: World): Controller {
  const cluster = world.as('virt-template');
  const templates = cluster.informers.informer(machineTemplates);
  const controller = createController({
    name: 'virtualmachinetemplate',
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [watches(templates, enqueueObject, (change) => change.type !== 'deleted')],
    async reconcile(key, { signal }) {
      const template = templates.get(key);
      if (template === undefined) return;
      const { generation = 0, resourceVersion, uid } = template.metadata;
      const before = template.status?.conditions ?? [];
      const conditions = withReady(before, generation);
      if (conditions === before) return;
      const body = { metadata: { resourceVersion, uid }, status: { conditions } };
      const options = { subresource: 'status', signal };
      await cluster.client.patch(machineTemplates, keyOfObject(template), { type: 'merge', body }, options);
    },
  });
  controller.engage(cluster);
  return controller;
}

/** `withReady` returns the same list if the condition is unchanged. */
export function withReady(before: readonly Condition[], generation: number): readonly Condition[] {
  const known = before.find(({ type }) => type === 'Ready');
  if (known?.status === 'True' && known['observedGeneration'] === generation) return before;
  const lastTransitionTime = known?.status === 'True' ? (known.lastTransitionTime ?? timestamp()) : timestamp();
  const ready: Condition = {
    type: 'Ready',
    status: 'True',
    observedGeneration: generation,
    reason: 'Reconciled',
    message: READY_MESSAGE,
    lastTransitionTime,
  };
  return [...before.filter(({ type }) => type !== 'Ready'), ready];
}
