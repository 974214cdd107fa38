import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { configurations, identity } from './cases.fixture.ts';
import { macAddress } from './names.ts';
import { resolveNetworks } from './networks.ts';
import type { NetworkConfigurationSpec, NetworkSpec, MachineProblemReason } from './resource.ts';

const labels = { 'vitistack.io/managed-by': 'kubevirt-operator', 'vitistack.io/supervisor': identity.supervisor };

function resolve(
  networks: readonly NetworkSpec[],
  known: ReadonlyMap<string, NetworkConfigurationSpec> = configurations,
): Exclude<ReturnType<typeof resolveNetworks>, { problem: unknown }> {
  const resolved = resolveNetworks(identity, { networks }, known);
  assert.ok(!('problem' in resolved), JSON.stringify(resolved));
  return resolved;
}

suite('the networks of a Machine', () => {
  test('are the pod network where none is said', () => {
    assert.deepEqual(resolve([]), {
      networks: [{ name: 'default', model: 'virtio', macAddress: macAddress(identity.uid, 'default') }],
      attachments: [],
    });
  });

  test('are attached by what their NetworkConfiguration says', () => {
    const { networks, attachments } = resolve([
      { name: 'eth0', networkName: 'prod-network', model: 'e1000', macAddress: '52-54-00-AB-CD-EF' },
      { name: 'eth1', networkName: 'storage-network' },
    ]);
    assert.deepEqual(networks, [
      {
        name: 'eth0',
        networkName: 'prod-network',
        attachment: 'prod-network',
        settings: { bridge: 'br1', vlan: 100, mtu: 9000 },
        model: 'e1000',
        macAddress: '52:54:00:ab:cd:ef',
      },
      {
        name: 'eth1',
        networkName: 'storage-network',
        attachment: 'storage-network',
        settings: { bridge: 'br0', vlan: 0 },
        model: 'virtio',
        macAddress: macAddress(identity.uid, 'eth1'),
      },
    ]);
    assert.deepEqual(
      attachments.map(({ kind, metadata, spec }) => [
        kind,
        metadata,
        JSON.parse((spec as { config: string }).config) as object,
      ]),
      [
        [
          'NetworkAttachmentDefinition',
          { name: 'prod-network', namespace: 'default', labels },
          {
            cniVersion: '1.0.0',
            name: 'prod-network',
            type: 'bridge',
            bridge: 'br1',
            vlan: 100,
            mtu: 9000,
            ipam: {},
          },
        ],
        [
          'NetworkAttachmentDefinition',
          { name: 'storage-network', namespace: 'default', labels },
          { cniVersion: '1.0.0', name: 'storage-network', type: 'bridge', bridge: 'br0', ipam: {} },
        ],
      ],
    );
  });

  test('may be one network twice, which is described once', () => {
    const { networks, attachments } = resolve([
      { name: 'a', networkName: 'prod-network' },
      { name: 'b', networkName: 'prod-network' },
    ]);
    assert.equal(attachments.length, 1);
    assert.notEqual(networks[0]?.macAddress, networks[1]?.macAddress);
  });

  test('are untagged with VLAN 0', () => {
    const { attachments } = resolve([{ name: 'a', networkName: 'n' }], new Map([['n', { vlan: 0 }]]));
    assert.doesNotMatch(JSON.stringify(attachments), /vlan/);
  });

  const one = (more: Partial<NetworkSpec>): readonly NetworkSpec[] => [{ name: 'eth0', ...more }];
  const configured = (spec: NetworkConfigurationSpec): ReadonlyMap<string, NetworkConfigurationSpec> =>
    new Map([['n', spec]]);
  const wrong: readonly (readonly [
    networks: readonly NetworkSpec[],
    reason: MachineProblemReason,
    says: RegExp,
    known?: ReadonlyMap<string, NetworkConfigurationSpec>,
  ])[] = [
    [
      one({ networkName: 'no' }),
      'NetworkConfigurationNotFound',
      /"no" does not exist in the namespace "default": create it/,
    ],
    [one({ macAddress: '52:54:00' }), 'InvalidSpec', /six pairs/],
    [one({ macAddress: '01:00:5e:00:00:01' }), 'InvalidSpec', /must be even/],
    [one({ macAddress: '00:00:00:00:00:00' }), 'InvalidSpec', /which is reserved/],
    [one({ macAddress: '02:00:00:00:00:00' }), 'InvalidSpec', /which is reserved/],
    [
      [
        { name: 'a', macAddress: '52:54:00:AA:AA:AA' },
        { name: 'b', networkName: 'prod-network', macAddress: '52:54:00:aa:aa:aa' },
      ],
      'MacAddressConflict',
      /"a" and "b" have the same macAddress/,
    ],
    [one({ networkName: 'n' }), 'NetworkFailed', /vlan is 4095/, configured({ vlan: 4095 })],
    [one({ networkName: 'n' }), 'NetworkFailed', /not a bridge name/, configured({ bridge: 'a-bridge-too-far' })],
    [one({ networkName: 'n' }), 'NetworkFailed', /mtu is 1/, configured({ mtu: 1 })],
  ];
  for (const [networks, reason, says, known = configurations] of wrong)
    test(`are refused with a reason and a way out: ${says.source}`, () => {
      const resolved = resolveNetworks(identity, { networks }, known);
      assert.ok('problem' in resolved);
      assert.equal(resolved.problem.reason, reason);
      assert.match(resolved.problem.message, says);
    });
});
