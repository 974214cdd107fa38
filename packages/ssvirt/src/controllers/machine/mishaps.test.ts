/** Objects of others, and failures at inconvenient moments: nothing is lost, and the status is never wrong. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { look, OperatorHarness, patient, team } from '../../../../../test/machine-operator/harness.ts';
import { LookupError } from '@ssvirt/base/net/resolver';
import { UrlFilter } from '@ssvirt/base/net/url-filter';
import { until } from '../../../../../test/runtime/until.ts';
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { fields, list } from '../../kubevirt/facts/reading.ts';
import { claims, dataVolumes, networkAttachments, virtualMachines } from '../../fleet/kinds.ts';
import { machines, networkConfigurations } from './machine-types.ts';

const adopting = { annotations: { 'vitistack.io/adopt': 'true' } };
const small = { template: 'small', running: false } as const;

/** The addresses of hosts that exist. */
const hosts = new Map<string, string>([['private.example', '10.0.0.1']]);
const images = new UrlFilter(
  { allowedHosts: [], allowedCidrs: [] },
  { hosts: 'images.allowedHosts', cidrs: 'images.allowedCidrs' },
  async (host) => {
    const address = hosts.get(host);
    if (address === undefined) throw new LookupError('DNS has no address of it');
    return [address];
  },
);

describe('what others have', () => {
  let harness: OperatorHarness;
  const client = (): ReturnType<OperatorHarness['member']>['client'] => harness.member('east').client;
  const made = (name: string, spec: object, labels: Record<string, string> = {}): Promise<unknown> =>
    client().create(virtualMachines, {
      metadata: { namespace: team, name, labels },
      spec: {
        runStrategy: 'Halted',
        template: { spec: { domain: { devices: {}, memory: { guest: '1Gi' } }, ...spec } },
      },
    });
  const template = async (name: string): Promise<ReturnType<typeof fields>> => {
    const { spec } = fields(await client().get(virtualMachines, { namespace: team, name }));
    return fields(fields(fields(spec)['template'])['spec']);
  };
  const old = { name: 'root', persistentVolumeClaim: { claimName: 'of-somebody' } };
  const network = (name: string): Promise<unknown> =>
    harness.supervisor.client.create(networkConfigurations, { metadata: { namespace: team, name }, spec: {} });
  const onNetwork = (networkName: string): object => ({ ...small, networks: [{ name: 'eth0', networkName }] });
  const attachment = (name: string): Promise<unknown> => look(client(), networkAttachments, { namespace: team, name });

  before(async () => {
    harness = await OperatorHarness.start({ clusters: ['east'] });
    await harness.operate({ resyncMs: 3_600_000, images });
    await harness.declare('first', small);
    await harness.condition('first', 'Ready', 'True');
  });

  after(async () => {
    await harness.stop();
  });

  test('stays the disk of a virtual machine that is taken over, where the Machine has another of that name', async () => {
    await made('vm-inherited', { volumes: [old] });
    await harness.declare('inherited', { ...small, disks: [{ name: 'root', size: '20Gi' }] }, adopting);
    const { message } = await harness.condition('inherited', 'Ready', 'False', 'NameConflict');
    assert.match(message, /a volume "root" already, which is the claim "of-somebody".*existingClaim: of-somebody/);
    assert.deepEqual((await template('vm-inherited'))['volumes'], [old]);
    assert.equal(await look(client(), claims, { namespace: team, name: 'inherited-root' }), undefined);
  });

  test('stays a volume that was plugged in by hand, where a disk of that name is asked for later', async () => {
    const plugged = { name: 'data', persistentVolumeClaim: { claimName: 'of-somebody' } };
    await harness.declare('plugged', small);
    await harness.condition('plugged', 'Ready', 'True');
    const volumes = list((await template('vm-plugged'))['volumes']);
    const body = { spec: { template: { spec: { volumes: [...volumes, plugged] } } } };
    await client().patch(virtualMachines, { namespace: team, name: 'vm-plugged' }, { type: 'merge', body });
    await harness.change('plugged', { spec: { disks: [{ name: 'data', size: '1Gi' }] } });
    await harness.condition('plugged', 'Ready', 'False', 'NameConflict');
    assert.deepEqual(list((await template('vm-plugged'))['volumes']).at(-1), plugged);
  });

  for (const [whose, labels, says] of [
    ['a tenant', { 'ssvirt.io/vm-id': 'one-of-theirs' }, 'a tenant \\(label .*: one-of-'],
    ['an order', { 'ssvirt.io/parent-kind': 'VirtualMachine', 'ssvirt.io/parent-uid': 'u-1' }, 'the order "u-1"'],
  ] as const)
    test(`is not taken over from ${whose}, who would change it back`, async () => {
      const name = whose.replaceAll(' ', '-');
      await made(`vm-${name}`, {}, labels);
      await harness.declare(name, small, adopting);
      const { message } = await harness.condition(name, 'Ready', 'False', 'AdoptionRefused');
      assert.match(message, new RegExp(`belongs to ${says}`));
    });

  for (const [what, source, says] of [
    ['over HTTP', { http: { url: 'https://private.example/a' } }, /source: the host "private\.example" has an address/],
    ['from a registry', { containerDisk: { image: '10.0.0.1:5000/a' } }, /source: the host "10\.0\.0\.1" is private/],
  ] as const)
    test(`inside of the cluster is not imported into a disk, ${what}`, async () => {
      const name = what.replaceAll(' ', '-').toLowerCase();
      await harness.declare(name, { ...small, disks: [{ name: 'root', size: '1Gi', source }] });
      const { message } = await harness.condition(name, 'Ready', 'False', 'InvalidSpec');
      assert.match(message, says);
      assert.equal(await look(client(), dataVolumes, { namespace: team, name: `${name}-root` }), undefined);
    });

  test('is imported when its host can be looked up', async () => {
    const source = { http: { url: 'https://later.example/a' } };
    await harness.declare('looked-up', { ...small, disks: [{ name: 'root', size: '1Gi', source }] });
    const { message } = await harness.condition('looked-up', 'Ready', 'False', 'ImageHostUnresolved');
    assert.match(message, /disks\["root"\]\.source: the host "later\.example" cannot be checked/);
    hosts.set('later.example', '8.8.8.8');
    // Wakes it before its retry in a minute.
    await harness.change('looked-up', { metadata: { labels: { woken: 'true' } } });
    await harness.condition('looked-up', 'StorageReady', 'True');
  });

  test('keeps the network that it uses when the last Machine on it goes', async () => {
    await network('shared');
    await harness.declare('leaving', onNetwork('shared'));
    await harness.condition('leaving', 'Ready', 'True');
    const domain = { memory: { guest: '1Gi' }, devices: { interfaces: [{ name: 'eth0', bridge: {} }] } };
    await made('by-hand', { domain, networks: [{ name: 'eth0', multus: { networkName: `${team}/shared` } }] });
    await harness.supervisor.client.delete(machines, { namespace: team, name: 'leaving' });
    await harness.gone('leaving');
    assert.ok((await attachment('shared')) !== undefined);
  });

  test('keeps its attachment when its NetworkConfiguration is deleted, and says so', async () => {
    await network('needed');
    await harness.declare('user', onNetwork('needed'));
    await harness.condition('user', 'NetworkReady', 'True');
    await harness.supervisor.client.delete(networkConfigurations, { namespace: team, name: 'needed' });
    const { message } = await harness.condition('user', 'NetworkReady', 'False', 'NetworkFailed');
    assert.match(message, /NetworkConfiguration "needed" does not exist/);
    await harness.condition('user', 'Ready', 'False', 'NetworkConfigurationNotFound');
    assert.ok((await attachment('needed')) !== undefined);
    await network('needed');
    await harness.condition('user', 'Ready', 'True');
  });

  test('that has changed is used after a restart, which the Machines on it require', async () => {
    await network('moved');
    const spec = { ...onNetwork('moved'), running: true };
    await harness.declare('tagged', spec);
    await harness.declare('aside', { template: 'small' });
    for (const name of ['tagged', 'aside']) await harness.condition(name, 'Ready', 'True');
    const vlan = (id: number): Promise<unknown> => {
      const key = { namespace: team, name: 'moved' };
      return harness.supervisor.client.patch(networkConfigurations, key, {
        type: 'merge',
        body: { spec: { vlan: id } },
      });
    };
    await vlan(200);
    const { message } = await harness.condition('tagged', 'RestartRequired', 'True');
    assert.match(message, /older settings of NetworkConfiguration "moved"/);
    const { status } = await harness.machine('aside');
    assert.equal(findCondition(status?.conditions, 'RestartRequired'), undefined);
    await vlan(0);
    await harness.reaches(
      'tagged',
      'requires no restart',
      (one) => findCondition(one.status?.conditions, 'RestartRequired') === undefined,
    );
  });

  test('does not keep a network that several Machines have left at the same time', async () => {
    await network('crowded');
    const names = Array.from({ length: 8 }, (_, i) => `crowd-${i}`);
    await Promise.all(names.map((name) => harness.declare(name, onNetwork('crowded'))));
    await Promise.all(names.map((name) => harness.condition(name, 'Ready', 'True')));
    await Promise.all(names.map((name) => harness.supervisor.client.delete(machines, { namespace: team, name })));
    await Promise.all(names.map((name) => harness.gone(name)));
    await until('the network is gone', async () => (await attachment('crowded')) === undefined, patient);
  });

  test('is not taken for done while a Machine is paused', async () => {
    await harness.declare('later', small);
    await harness.condition('later', 'Ready', 'True');
    const pause = (paused: string | null): object => ({ annotations: { 'vitistack.io/paused': paused } });
    await harness.change('later', { metadata: pause('true'), spec: { resources: { cpu: { cores: 3 } } } });
    await harness.condition('later', 'Paused', 'True');
    assert.equal((await harness.machine('later')).status?.observedGeneration, 1);
    await harness.change('later', { metadata: pause(null) });
    await harness.reaches('later', 'is observed', ({ status }) => status?.observedGeneration === 2);
  });

  test('has a reason of its own where the cluster refuses to switch the machine, too', async () => {
    await harness.declare('barred', small);
    await harness.condition('barred', 'Ready', 'True');
    const path = `/apis/kubevirt.io/v1/namespaces/${team}/virtualmachines/vm-barred`;
    const { id } = harness.member('east').faults.add({ kind: '403', path, verbs: ['patch'] });
    await harness.change('barred', { spec: { running: true } });
    await harness.condition('barred', 'Ready', 'False', 'KubeVirtApiError');
    harness.member('east').faults.remove(id);
  });

  test('reports that Secrets of its namespace are closed to the operator, in the supervisor or in the member', async () => {
    const path = `/api/v1/namespaces/${team}/secrets`;
    const told = { ...small, cloudInit: { secretRef: { name: 'words', key: 'guest' } } };
    const { id } = harness.supervisor.faults.add({ kind: '403', path });
    await harness.declare('unbound', told);
    const { message } = await harness.condition('unbound', 'Ready', 'False', 'SecretsForbidden');
    assert.match(message, /in namespace "team-a" of cluster "local": .*ssvirt machine bind-namespace team-a/);
    harness.supervisor.faults.remove(id);
  });

  test('is not taken for done while the cluster of a Machine is unavailable', async () => {
    const { faults } = harness.member('east');
    faults.add({ kind: 'silence' });
    await harness.condition('first', 'Ready', 'False', 'ClusterUnavailable');
    await harness.change('first', { spec: { resources: { cpu: { cores: 3 } } } });
    await harness.reaches('first', 'is looked at', ({ status }) =>
      (status?.conditions ?? []).some(({ type, observedGeneration }) => type === 'Ready' && observedGeneration === 2),
    );
    assert.equal((await harness.machine('first')).status?.observedGeneration, 1);
    faults.clear();
    await harness.reaches('first', 'is observed', ({ status }) => status?.observedGeneration === 2);
  });
});
