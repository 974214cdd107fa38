/** Rules about networks and other ways to reach the guest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causesOf, rowsOf, devices, one, type Tables } from './tables.fixture.ts';

const tables: Tables = {
  'networks.ts': [
    {
      name: 'an interface without a network',
      change: devices({
        interfaces: [
          { name: 'default', masquerade: {} },
          { name: 'lan', bridge: {} },
        ],
      }),
      causes: ["Invalid ~.domain.devices.interfaces[1].name: ~.domain.devices.interfaces[1].name 'lan' not found."],
    },
    {
      name: 'a network without an interface',
      change: {
        networks: [
          { name: 'default', pod: {} },
          { name: 'lan', multus: { networkName: 'x' } },
        ],
      },
      causes: ["Required ~.networks[1].name: ~.networks[1].name 'lan' not found."],
    },
    {
      name: 'two networks of one name',
      change: {
        networks: [
          { name: 'default', pod: {} },
          { name: 'default', multus: { networkName: 'x' } },
        ],
      },
      causes: [
        'Invalid ~.domain.devices.interfaces[0].name: Masquerade interface only implemented with pod network',
        'Duplicate ~.networks[1].name: Network with name "default" already exists, every network must have a unique name',
      ],
    },
    {
      name: 'two interfaces of one name',
      change: devices({
        interfaces: [
          { name: 'default', masquerade: {} },
          { name: 'default', masquerade: {} },
        ],
      }),
      causes: [
        'Duplicate ~.domain.devices.interfaces[1].name: Only one interface can be connected to one specific network',
      ],
    },
    {
      name: 'two pod networks',
      change: {
        domain: {
          devices: {
            interfaces: [
              { name: 'default', masquerade: {} },
              { name: 'b', masquerade: {} },
            ],
          },
        },
        networks: [
          { name: 'default', pod: {} },
          { name: 'b', pod: {} },
        ],
      },
      causes: ['Duplicate ~.interfaces: more than one interface is connected to a pod network in ~.interfaces'],
    },
    {
      name: 'a network of two types',
      change: { networks: [{ name: 'default', pod: {}, multus: { networkName: 'x' } }] },
      causes: ['Required ~.networks[0]: should have only one network type'],
    },
    {
      name: 'multus without a name',
      change: { networks: [{ name: 'default', multus: {} }] },
      causes: [
        'Required ~.networks[0]: CNI delegating plugin must have a networkName',
        'Invalid ~.domain.devices.interfaces[0].name: Masquerade interface only implemented with pod network',
      ],
    },
  ],
  'bindings.ts': [
    {
      name: 'no binding',
      change: devices({ interfaces: [{ name: 'default' }] }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0]: logical default interface must have exactly one binding method or binding plugin',
      ],
    },
    {
      name: 'two bindings',
      change: one({ bridge: {} }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0]: logical default interface must have exactly one binding method or binding plugin',
      ],
    },
    {
      name: 'the MAC address of the bridge in the pod',
      change: one({ macAddress: '02:00:00:00:00:00' }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0].macAddress: The requested MAC address is reserved for the in-pod bridge. Please choose another one.',
      ],
    },
  ],
  'interfaces.ts': [
    {
      name: 'a broken MAC address',
      change: one({ macAddress: '02:00:zz' }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0].macAddress: interface ~.domain.devices.interfaces[0].name has malformed MAC address (02:00:zz).',
      ],
    },
    {
      name: 'a MAC address of eight bytes',
      change: one({ macAddress: '02:00:00:00:00:00:00:01' }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0].macAddress: interface ~.domain.devices.interfaces[0].name has too long MAC address (02:00:00:00:00:00:00:01).',
      ],
    },
    { name: 'a MAC address with dashes', change: one({ macAddress: '02-00-00-00-00-01' }), causes: [] },
    {
      name: 'a port beyond all ports',
      change: one({ ports: [{ port: 70_000 }] }),
      causes: ['Invalid ~.domain.devices.interfaces[0].ports[0].port: Port field must be in range 0 < x < 65536.'],
    },
    {
      name: 'two ports of one name',
      change: one({
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      }),
      causes: ['Duplicate ~.domain.devices.interfaces[0].ports[1].name: Duplicate name of the port: a'],
    },
    {
      name: 'a protocol without ports',
      change: one({ ports: [{ port: 1, protocol: 'ICMP' }] }),
      causes: ['Invalid ~.domain.devices.interfaces[0].ports[0].protocol: Unknown protocol, only TCP or UDP allowed'],
    },
    {
      name: 'a private option that is not private',
      change: one({ dhcpOptions: { privateOptions: [{ option: 10, value: 'x' }] } }),
      causes: ['Invalid ~: provided DHCPPrivateOptions are out of range, must be in range 224 to 254'],
    },
    {
      name: 'an unknown model',
      change: one({ model: 'ne1' }),
      causes: [
        'NotSupported ~.domain.devices.interfaces[0].model: interface ~.domain.devices.interfaces[0].name uses model ne1 that is not supported.',
      ],
    },
    { name: 'an interface that is down', change: one({ state: 'down' }), causes: [] },
  ],
  'probes.ts': [
    {
      name: 'two actions',
      change: { readinessProbe: { tcpSocket: { port: 22 }, httpGet: { port: 80 } } },
      causes: ['Invalid ~.readinessProbe: ~.readinessProbe must have exactly one probe type set'],
    },
    {
      name: 'no action',
      change: { readinessProbe: {} },
      causes: [
        'Required ~.readinessProbe: either ~.readinessProbe.tcpSocket, ~.readinessProbe.exec or ~.readinessProbe.httpGet must be set if a ~.readinessProbe is specified',
      ],
    },
    { name: 'a question to the agent', change: { livenessProbe: { guestAgentPing: {} } }, causes: [] },
  ],
  'dns.ts': [
    {
      name: 'a policy without a configuration',
      change: { dnsPolicy: 'None' },
      causes: ['Required ~.dnsConfig: must provide `dnsConfig` when `dnsPolicy` is None'],
    },
    {
      name: 'a configuration without servers',
      change: { dnsPolicy: 'None', dnsConfig: {} },
      causes: ['Required nameservers: must provide at least one DNS nameserver when `dnsPolicy` is None'],
    },
    {
      name: 'a server without an address',
      change: { dnsConfig: { nameservers: ['ns1'] } },
      causes: ['Invalid nameservers: must be valid IP address: ns1'],
    },
  ],
};

for (const row of rowsOf(tables)) {
  test(`${row.file}: ${row.name}`, () => assert.deepEqual(causesOf(row), row.causes));
}
