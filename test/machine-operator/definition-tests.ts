/** Requirements on every server that has the definitions of Machine and NetworkConfiguration. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { badMachines, badNetworkConfigurations, goodMachines, type BadSpec } from './definition-cases.ts';
import { changes, type Change } from './definition-changes.ts';
import { describeShown } from './definition-status.ts';
import { machines, networkConfigurations, type Declared } from './definitions.ts';
import { complaints, declared, namespace, writeStatus } from './declared.ts';

/** `client` is called when a test runs. */
export function describeDefinitions(client: () => Client): void {
  describe('refused', () => {
    for (const bad of badMachines) test(`a Machine with ${bad.name}`, () => refuses(client(), machines, bad));
    for (const bad of badNetworkConfigurations)
      test(`a NetworkConfiguration with ${bad.name}`, () => refuses(client(), networkConfigurations, bad));
  });
  describe('accepted', () => {
    for (const [n, { name, spec, stored }] of goodMachines.entries())
      test(`a Machine with ${name}`, async () => {
        const made = await client().create(machines, declared(`good-${n}`, spec));
        if (stored !== undefined) assert.deepEqual(made.spec, stored);
      });
    test('a NetworkConfiguration that says nothing is the bridge of all', async () => {
      const made = await client().create(networkConfigurations, declared('plain', {}));
      assert.deepEqual(made.spec, { vlan: 0, bridge: 'br0' });
    });
  });
  describe('changed', () => {
    for (const [n, change] of changes.entries()) test(change.name, () => judges(client(), `changed-${n}`, change));
  });
  describe('shown', () => describeShown(client));
}

async function refuses(client: Client, type: ResourceType<Declared>, { spec, says }: BadSpec): Promise<void> {
  assert.deepEqual(await complaints(client.create(type, declared('bad', spec), { dryRun: true })), says);
}

async function judges(client: Client, name: string, { from, status, to, says = [] }: Change): Promise<void> {
  const key = { namespace, name };
  await client.create(machines, declared(name, from));
  if (status !== undefined) await writeStatus(client, name, status);
  const patch = { type: 'merge', body: { spec: to } } as const;
  assert.deepEqual(await complaints(client.patch(machines, key, patch)), says);
}
