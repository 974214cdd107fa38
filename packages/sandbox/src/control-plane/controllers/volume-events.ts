/** The Events of the volume binder about a claim: each one is sent once while its reason lasts. */
import type { KubeObject } from '../../values/json.ts';
import type { LocalClient } from './client.ts';

const COMPONENT = 'persistentvolume-controller';

export type ClaimNews = readonly [type: 'Normal' | 'Warning', reason: string, message: string];

export function externalProvisioning(provisioner: string): ClaimNews {
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  return ['Normal', 'ExternalProvisioning', message];
}

export const firstConsumer: ClaimNews = [
  'Normal',
  'WaitForFirstConsumer',
  'waiting for first consumer to be created before binding',
];

export function podToBeScheduled(pod: string): ClaimNews {
  return ['Normal', 'WaitForPodScheduled', `waiting for pod ${pod} to be scheduled`];
}

export const noVolume: ClaimNews = [
  'Normal',
  'FailedBinding',
  'no persistent volumes available for this claim and no storage class is set',
];

export function noClass(name: string): ClaimNews {
  return ['Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${name}" not found`];
}

export const claimLost: ClaimNews = [
  'Warning',
  'ClaimLost',
  'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
];

export class ClaimReporter {
  readonly #client: LocalClient;
  /** The last text reported for each claim. */
  readonly #said = new Map<string, string>();

  constructor(client: LocalClient) {
    this.#client = client;
  }

  forget(uid: string): void {
    this.#said.delete(uid);
  }

  async tell(claim: KubeObject, [type, reason, message]: ClaimNews): Promise<void> {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata;
    const text = `${reason}: ${message}`;
    if (this.#said.get(uid) === text) return;
    this.#said.set(uid, text);
    const now = `${new Date().toISOString().slice(0, 19)}Z`;
    const mark = (BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n)).toString(16);
    await this.#client.create(this.#client.builtin('', 'v1', 'events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${mark}`, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, resourceVersion, uid },
      reason,
      message,
      source: { component: COMPONENT },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: COMPONENT,
      reportingInstance: '',
    });
  }
}
