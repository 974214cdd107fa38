/**
 * What the tests of removal share: a cluster with AAP, one operator at a time, and ways to inspect orders during
 * deletion.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import type { Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { labels } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { DualHarness } from './aap/harness.ts';
import { tenant, type RunningOperator, type Told } from './harness.ts';

export const sshKey = {
  ssh_public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me',
};
/** Longer than any test waits: the wait ends with the operator, and the next one has a shorter setting. */
export const long: Told = { 'aap.quietPeriod': '1h' };
export const short: Told = { 'aap.quietPeriod': '1ms' };

export function labelled(name: string, order: string): KubeObject {
  return { metadata: { namespace: tenant, name, labels: { [labels.instance]: order } } };
}

export class Removals {
  #harness: DualHarness | undefined;
  #running: RunningOperator | undefined;

  /** Called within a suite; the harness exists for all of its tests. */
  constructor() {
    before(async () => {
      this.#harness = await DualHarness.start();
    });
    afterEach(() => this.rest());
    after(() => this.#harness?.stop());
  }

  get harness(): DualHarness {
    if (this.#harness === undefined) throw new Error('the harness is there when the tests run');
    return this.#harness;
  }

  async operate(told: Told = {}, start = (): RunningOperator => this.harness.operate(told)): Promise<void> {
    await this.rest();
    this.#running = start();
  }

  async rest(): Promise<void> {
    await this.#running?.stop();
  }

  /** The condition on its deletion. */
  says(name: string, message: RegExp, reason = 'Deleting'): Promise<Order> {
    return this.harness.cloudkit.reaches(name, `says ${message}`, ({ status }) => {
      const found = findCondition(status?.conditions, 'Deleting');
      return found?.status === 'True' && found.reason === reason && message.test(found.message ?? '');
    });
  }

  finalizers(type: ResourceType<KubeObject>, name: string, all: readonly string[] | null): Promise<unknown> {
    const body = { metadata: { finalizers: all } };
    return this.harness.cloudkit.client.patch(type, { namespace: tenant, name }, { type: 'merge', body });
  }

  hold(type: ResourceType<KubeObject>, name: string): Promise<unknown> {
    return this.finalizers(type, name, ['example.com/hold']);
  }

  deletesOf(name: string): number {
    return this.harness.aap.callsFor(name, 'delete').length;
  }

  async goneWithAll(name: string): Promise<void> {
    await this.harness.cloudkit.gone(name);
    assert.deepEqual(await this.harness.uids(name), {});
  }
}
