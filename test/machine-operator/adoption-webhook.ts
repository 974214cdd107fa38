/** A webhook of a cluster that denies that objects become children of a Machine, as a policy of its owner may. */
import { WebhookServer } from '../../packages/sandbox/src/control-plane/admission/webhooks/webhook-server.fixture.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { fields } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';

const configurations: ResourceType = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

const parent = 'ssvirt.io/parent-uid';

export interface AdoptionWebhook {
  /** Denies the adoption of objects with this name; undefined denies none. */
  deny(name: string | undefined): void;
  stop(): Promise<void>;
}

export async function startAdoptionWebhook(client: Client, namespace: string): Promise<AdoptionWebhook> {
  const server = await WebhookServer.start();
  let denied: string | undefined;
  const parentOf = (object: unknown): unknown => fields(fields(fields(object)['metadata'])['labels'])[parent];
  server.answer(({ name, object, oldObject }) =>
    name === denied && parentOf(object) !== parentOf(oldObject)
      ? { allowed: false, status: { code: 403, message: `${denied} has an owner` } }
      : { allowed: true },
  );
  const name = 'owners';
  await client.create(configurations, {
    metadata: { name },
    webhooks: [
      {
        name: 'owners.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [
          { operations: ['UPDATE'], apiGroups: ['kubevirt.io'], apiVersions: ['*'], resources: ['virtualmachines'] },
          { operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['persistentvolumeclaims'] },
        ],
        clientConfig: server.clientConfig(),
      },
    ],
  });
  return {
    deny: (some) => (denied = some),
    async stop() {
      await client.delete(configurations, { name });
      server.stop();
    },
  };
}
