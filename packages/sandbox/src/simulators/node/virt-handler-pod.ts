/** The pod of virt-handler on a node. It is not created if a DaemonSet controller has created one. */
import { createHash } from 'node:crypto';
import { isKind } from '@ssvirt/kube/errors';
import { pods as podType, type Pod } from '../kubevirt/objects.ts';
import type { World } from '../world.ts';
import type { NodeCaches } from './caches.ts';

/** `ensureVirtHandlerPod` returns false if the pod cannot be created yet, because the namespace or its ServiceAccount is missing. */
export async function ensureVirtHandlerPod(world: World, caches: NodeCaches, node: string): Promise<boolean> {
  const namespace = world.kubevirtNamespace;
  const there = caches
    .podsOn(node)
    .some(({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubevirt.io'] === 'virt-handler');
  if (there) return true;
  try {
    await world.as('virt-operator').client.create(podType, podObject(namespace, node));
    return true;
  } catch (error) {
    if (isKind(error, 'AlreadyExists')) return true;
    if (isKind(error, 'NotFound', 'Forbidden')) return false;
    throw error;
  }
}

function podObject(namespace: string, node: string): Pod {
  const suffix = createHash('sha256').update(node).digest('hex').slice(0, 5);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `virt-handler-${suffix}`,
      namespace,
      labels: { 'kubevirt.io': 'virt-handler', 'prometheus.kubevirt.io': 'true' },
    },
    spec: {
      nodeName: node,
      containers: [
        {
          name: 'virt-handler',
          image: 'virt-handler:v1.9.0',
          command: ['virt-handler'],
          resources: { requests: { cpu: '10m', memory: '325Mi' } },
        },
      ],
      tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }, { operator: 'Exists' }],
    },
  };
}
