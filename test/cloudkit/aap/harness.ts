/** A cluster with orders, an operator and AAP, which has its own connection to the cluster. */
import { defined } from '@ssvirt/base/values/defined';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claims, dataVolumes, secrets, services, virtualMachines } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { type Order } from '../../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { createClient } from '../../../packages/kube/src/client/create.ts';
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import type { Dials } from '../../../packages/sandbox/src/simulators/dials.ts';
import { annotations, type Mode } from '../../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { fixedSource } from '../../fleet/sandboxes.ts';
import { CloudkitHarness, type RunningOperator, type Told } from '../harness.ts';
import type { AapDials } from '../../../packages/sandbox/src/simulators/aap/server.ts';
import { RecordingAap } from './recording.ts';

export interface Child {
  readonly what: string;
  readonly type: ResourceType<KubeObject>;
  readonly suffix: string;
}

/** Everything that an order may consist of. */
export const children: readonly Child[] = [
  { what: 'cloud-init', type: secrets, suffix: '-cloud-init' },
  { what: 'ssh-key', type: secrets, suffix: '-ssh-public-key' },
  { what: 'disk', type: dataVolumes, suffix: '-root-disk' },
  { what: 'claim', type: claims, suffix: '-root-disk' },
  { what: 'machine', type: virtualMachines, suffix: '' },
  { what: 'service', type: services, suffix: '-load-balancer' },
];

/**
 * Simulates minutes of a real AAP in moments. A call is repeated only if AAP has not accepted it: on a busy host a job
 * takes its time.
 */
const quick: Told = {
  'aap.timeout': '2s',
  'aap.retryInitial': '50ms',
  'aap.retryLongest': '500ms',
  'aap.repeatAfter': '10m',
  'aap.quietPeriod': '1s',
  'retries.slow': '500ms',
};

/** Secrets that must not appear anywhere. */
export const token = 'token-that-nobody-may-see';
export const password = 'password-that-nobody-may-see';

export class DualHarness {
  readonly cloudkit: CloudkitHarness;
  readonly aap: RecordingAap;
  readonly #hand: Client;
  readonly #folder: string;

  private constructor(cloudkit: CloudkitHarness, hand: Client, aap: RecordingAap) {
    this.cloudkit = cloudkit;
    this.aap = aap;
    this.#hand = hand;
    this.#folder = mkdtempSync(join(tmpdir(), 'aap-'));
    writeFileSync(join(this.#folder, 'token'), token);
  }

  static async start(dials: Partial<AapDials> = {}, speed = 200, nodes?: Dials['nodes']): Promise<DualHarness> {
    const cloudkit = await CloudkitHarness.start({ dials: { speed, ...defined({ nodes }) } });
    const hand = createClient({ cluster: 'local', source: fixedSource(cloudkit.sandbox), userAgent: 'aap' });
    return new DualHarness(cloudkit, hand, await RecordingAap.start({ client: hand, token, dials }));
  }

  operate(told: Told = {}): RunningOperator {
    return this.cloudkit.operate({
      'aap.createUrl': withPassword(this.aap.createUrl),
      'aap.deleteUrl': withPassword(this.aap.deleteUrl),
      'aap.tokenFile': join(this.#folder, 'token'),
      ...quick,
      ...told,
    });
  }

  order(name: string, by: Mode | undefined, parameters: object = {}): Promise<Order> {
    return this.cloudkit.order(
      name,
      { parameters },
      { annotations: by === undefined ? {} : { [annotations.managedBy]: by } },
    );
  }

  /** Takes effect at the next change. */
  manage(name: string, by: Mode): Promise<Order> {
    return this.cloudkit.annotate(name, { [annotations.managedBy]: by });
  }

  /** As ordered, in the present version of the spec, and running. */
  ready(name: string): Promise<Order> {
    return this.cloudkit.reaches(name, 'is ready in its version', ({ metadata, status }) => {
      const { phase, desiredConfigVersion, reconciledConfigVersion, observedGeneration } = status ?? {};
      return (
        observedGeneration === metadata.generation &&
        phase === 'Ready' &&
        desiredConfigVersion !== undefined &&
        desiredConfigVersion === reconciledConfigVersion
      );
    });
  }

  /** By kind; absent objects are omitted. */
  async uids(name: string): Promise<Readonly<Record<string, string>>> {
    const found: Record<string, string> = {};
    for (const { what, type, suffix } of children) {
      const object = await this.cloudkit.look(type, `${name}${suffix}`);
      if (object !== undefined) found[what] = object.metadata.uid ?? '';
    }
    return found;
  }

  async stop(): Promise<void> {
    await this.aap.stop();
    await this.cloudkit.stop();
    await this.#hand.close();
    rmSync(this.#folder, { recursive: true });
  }
}

function withPassword(url: string): string {
  const with_ = new URL(url);
  with_.username = 'operator';
  with_.password = password;
  return with_.href;
}
