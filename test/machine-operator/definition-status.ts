/** The status that the operator writes, and how kubectl shows it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { group, version, type MachineFacts } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { definitions } from '../fleet/definition.ts';
import { complaints, condition, declared, namespace, writeStatus } from './declared.ts';
import { machines, networkConfigurations, plurals, type Declared } from './definitions.ts';

/** All that an operator may write. */
const facts: Required<MachineFacts> = {
  phase: 'Running',
  vmName: 'vm-shown',
  vmiName: 'vm-shown',
  ipAddresses: ['10.1.2.3', 'fd00::1'],
  addresses: '10.1.2.3, fd00::1',
  nodeName: 'node-1',
  kubevirtConfigRef: 'east',
  lastUpdated: '2026-01-01T00:00:00Z',
};

export function describeShown(client: () => Client): void {
  test('no schema has anything that the server finds fault with', async () => {
    for (const plural of plurals) {
      const { status } = (await client().get(definitions, { name: `${plural}.${group}` })) as unknown as {
        status: { conditions: readonly { type: string; status: string }[]; acceptedNames: object };
      };
      const truths = status.conditions.flatMap(({ type, status: is }) => (is === 'True' ? [type] : []));
      assert.deepEqual(truths.toSorted(), ['Established', 'NamesAccepted'], plural);
    }
  });
  test('the status is written only by its subresource, and is shown in the columns', async () => {
    await client().create(machines, declared('shown', { template: 'medium' }));
    const status = {
      ...facts,
      observedGeneration: 1,
      conditions: [condition('Ready', 'True', 'AllReady'), condition('RestartRequired', 'True', 'RestartRequired')],
    };
    const patch = { type: 'merge', body: { status } } as const;
    const key = { namespace, name: 'shown' };
    assert.equal((await client().patch(machines, key, patch)).status, undefined);
    const written = await client().patch(machines, key, patch, { subresource: 'status' });
    assert.deepEqual(written.status, status);
    assert.equal(written.metadata.generation, 1);
    const { columns, row } = await tableOf(client(), 'machines', 'shown');
    assert.deepEqual(columns, ['Name', 'Phase', 'Ready', 'Cluster', 'VM', 'Reason', 'Restart', 'IPs', 'Node', 'Age']);
    assert.deepEqual(row.slice(0, 9), [
      'shown',
      'Running',
      'True',
      'east',
      'vm-shown',
      'AllReady',
      'True',
      '10.1.2.3, fd00::1',
      'node-1',
    ]);
    assert.deepEqual(row.slice(9, 11), ['medium', null]);
  });
  test('a placement that is written down does not change, and one that the spec does not name is refused', async () => {
    await client().create(machines, declared('placed', { template: 'small', kubevirtConfigRef: 'east' }));
    const write = (kubevirtConfigRef: string): Promise<Declared> =>
      writeStatus(client(), 'placed', { kubevirtConfigRef });
    assert.deepEqual(await complaints(write('west')), [
      'spec.kubevirtConfigRef: Forbidden: the machine is placed on west and never moves, so east is refused: set it to west, leave it out, or create a new Machine',
    ]);
    await write('east');
    const free = { type: 'merge', body: { spec: { kubevirtConfigRef: null } } } as const;
    await client().patch(machines, { namespace, name: 'placed' }, free);
    assert.deepEqual(await complaints(write('west')), [
      'status.kubevirtConfigRef: Forbidden: a placed machine never moves: create a new Machine',
    ]);
  });
  test('a phase or a condition that there is not is refused', async () => {
    await client().create(machines, declared('odd', { template: 'small' }));
    const odd = { namespace, name: 'odd' };
    const write = (status: object): Promise<Declared> =>
      client().patch(machines, odd, { type: 'merge', body: { status } }, { subresource: 'status' });
    assert.deepEqual(await complaints(write({ phase: 'Happy' })), [
      'status.phase: Unsupported value: "Happy": supported values: "Pending", "Creating", "Running", "Stopped", "Failed"',
    ]);
    const twice = [condition('Ready', 'True', 'A'), condition('Ready', 'False', 'B')];
    assert.deepEqual(await complaints(write({ conditions: twice })), [
      'status.conditions[1]: Duplicate value: {"type":"Ready"}',
    ]);
  });
  test('where a NetworkConfiguration was made is written down, and its columns say what it is', async () => {
    const spec = { vlan: 100, bridge: 'br1', mtu: 9000, description: 'Production' };
    await client().create(networkConfigurations, declared('prod', spec));
    const networks = [{ kubevirtConfig: 'east', namespace, attachment: 'prod' }];
    const status = {
      phase: 'Ready',
      networks,
      observedGeneration: 1,
      conditions: [condition('Ready', 'True', 'Made')],
    };
    const patch = { type: 'merge', body: { status } } as const;
    const key = { namespace, name: 'prod' };
    const written = await client().patch(networkConfigurations, key, patch, { subresource: 'status' });
    assert.deepEqual(written.status, status);
    const { columns, row } = await tableOf(client(), 'networkconfigurations', 'prod');
    assert.deepEqual(columns, ['Name', 'Phase', 'VLAN', 'Bridge', 'Age']);
    assert.deepEqual(row.slice(0, 6), ['prod', 'Ready', 100, 'br1', 9000, 'Production']);
  });
}

async function tableOf(client: Client, plural: string, name: string): Promise<{ columns: string[]; row: unknown[] }> {
  const { body } = await client.request({
    method: 'GET',
    path: `/apis/${group}/${version}/namespaces/${namespace}/${plural}/${name}`,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  });
  const table = body as { columnDefinitions: { name: string; priority: number }[]; rows: { cells: unknown[] }[] };
  const columns = table.columnDefinitions.filter(({ priority }) => priority === 0).map((column) => column.name);
  return { columns, row: table.rows[0]?.cells ?? [] };
}
