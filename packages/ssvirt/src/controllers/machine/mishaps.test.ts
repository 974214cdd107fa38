/** Objects of others, and failures at inconvenient moments: nothing is lost, and the status is never wrong. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { look, OperatorGround, patient, team } from '../../../../../test/machine-operator/ground.ts';
import { until } from '../../../../../test/runtime/until.ts';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { fields, list } from '../../kubevirt/facts/reading.ts';
import { claims, machines, networkAttachments, networkConfigurations, virtualMachines } from './kinds.ts';

const adopting = { annotations: { 'vitistack.io/adopt': 'true' } };
const small = { template: 'small', running: false } as const;

describe('what others have', () => {
  let ground: OperatorGround;
  const client = (): ReturnType<OperatorGround['member']>['client'] => ground.member('east').client;
  const made = (name: string, spec: object, labels: Record<string, string> = {}): Promise<unknown> =>
    client().create(virtualMachines as ResourceType, {
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
    ground.supervisor.client.create(networkConfigurations, { metadata: { namespace: team, name }, spec: {} });
  const onNetwork = (networkName: string): object => ({ ...small, networks: [{ name: 'eth0', networkName }] });
  const attachment = (name: string): Promise<unknown> => look(client(), networkAttachments, { namespace: team, name });

  before(async () => {
    ground = await OperatorGround.start({ clusters: ['east'] });
    await ground.operate({ resyncMs: 3_600_000 });
    await ground.declare('first', small);
    await ground.condition('first', 'Ready', 'True');
  });

  after(async () => {
    await ground.stop();
  });

  test('stays the disk of a virtual machine that is taken over, where the Machine has another of that name', async () => {
    await made('vm-inherited', { volumes: [old] });
    await ground.declare('inherited', { ...small, disks: [{ name: 'root', size: '20Gi' }] }, adopting);
    const { message } = await ground.condition('inherited', 'Ready', 'False', 'NameConflict');
    assert.match(message, /a volume "root" already, which is the claim "of-somebody".*existingClaim: of-somebody/);
    assert.deepEqual((await template('vm-inherited'))['volumes'], [old]);
    assert.equal(await look(client(), claims, { namespace: team, name: 'inherited-root' }), undefined);
  });

  test('stays a volume that was plugged in by hand, where a disk of that name is asked for later', async () => {
    const plugged = { name: 'data', persistentVolumeClaim: { claimName: 'of-somebody' } };
    await ground.declare('plugged', small);
    await ground.condition('plugged', 'Ready', 'True');
    const volumes = list((await template('vm-plugged'))['volumes']);
    const body = { spec: { template: { spec: { volumes: [...volumes, plugged] } } } };
    await client().patch(virtualMachines, { namespace: team, name: 'vm-plugged' }, { type: 'merge', body });
    await ground.change('plugged', { spec: { disks: [{ name: 'data', size: '1Gi' }] } });
    await ground.condition('plugged', 'Ready', 'False', 'NameConflict');
    assert.deepEqual(list((await template('vm-plugged'))['volumes']).at(-1), plugged);
  });

  for (const [whose, labels, says] of [
    ['a tenant', { 'ssvirt.io/vm-id': 'one-of-theirs' }, 'a tenant \\(label .*: one-of-'],
    ['an order', { 'ssvirt.io/parent-kind': 'VirtualMachine', 'ssvirt.io/parent-uid': 'u-1' }, 'the order "u-1"'],
  ] as const)
    test(`is not taken over from ${whose}, who would change it back`, async () => {
      const name = whose.replaceAll(' ', '-');
      await made(`vm-${name}`, {}, labels);
      await ground.declare(name, small, adopting);
      const { message } = await ground.condition(name, 'Ready', 'False', 'AdoptionRefused');
      assert.match(message, new RegExp(`belongs to ${says}`));
    });

  test('keeps the network that it uses when the last Machine on it goes', async () => {
    await network('shared');
    await ground.declare('leaving', onNetwork('shared'));
    await ground.condition('leaving', 'Ready', 'True');
    const domain = { memory: { guest: '1Gi' }, devices: { interfaces: [{ name: 'eth0', bridge: {} }] } };
    await made('by-hand', { domain, networks: [{ name: 'eth0', multus: { networkName: `${team}/shared` } }] });
    await ground.supervisor.client.delete(machines, { namespace: team, name: 'leaving' });
    await ground.gone('leaving');
    assert.ok((await attachment('shared')) !== undefined);
  });

  test('does not keep a network that several Machines have left at the same time', async () => {
    await network('crowded');
    const names = Array.from({ length: 8 }, (_, i) => `crowd-${i}`);
    await Promise.all(names.map((name) => ground.declare(name, onNetwork('crowded'))));
    await Promise.all(names.map((name) => ground.condition(name, 'Ready', 'True')));
    await Promise.all(names.map((name) => ground.supervisor.client.delete(machines, { namespace: team, name })));
    await Promise.all(names.map((name) => ground.gone(name)));
    await until('the network is gone', async () => (await attachment('crowded')) === undefined, patient);
  });

  test('is not taken for done while a Machine is paused', async () => {
    await ground.declare('later', small);
    await ground.condition('later', 'Ready', 'True');
    const pause = (paused: string | null): object => ({ annotations: { 'vitistack.io/paused': paused } });
    await ground.change('later', { metadata: pause('true'), spec: { resources: { cpu: { cores: 3 } } } });
    await ground.condition('later', 'Paused', 'True');
    assert.equal((await ground.machine('later')).status?.observedGeneration, 1);
    await ground.change('later', { metadata: pause(null) });
    await ground.reaches('later', 'is observed', ({ status }) => status?.observedGeneration === 2);
  });

  test('is told by its own reason where the cluster refuses to switch the machine, too', async () => {
    await ground.declare('barred', small);
    await ground.condition('barred', 'Ready', 'True');
    const path = `/apis/kubevirt.io/v1/namespaces/${team}/virtualmachines/vm-barred`;
    const { id } = ground.member('east').faults.add({ kind: '403', path, verbs: ['patch'] });
    await ground.change('barred', { spec: { running: true } });
    await ground.condition('barred', 'Ready', 'False', 'KubeVirtApiError');
    ground.member('east').faults.remove(id);
  });

  test('is told where Secrets of its namespace are closed to the operator, in the supervisor or in the member', async () => {
    const path = `/api/v1/namespaces/${team}/secrets`;
    const told = { ...small, cloudInit: { secretRef: { name: 'words', key: 'guest' } } };
    const { id } = ground.supervisor.faults.add({ kind: '403', path });
    await ground.declare('unbound', told);
    const { message } = await ground.condition('unbound', 'Ready', 'False', 'SecretsForbidden');
    assert.match(message, /in namespace "team-a" of cluster "local": .*ssvirt machine bind-namespace team-a/);
    ground.supervisor.faults.remove(id);
  });

  test('is not taken for done while the cluster of a Machine is away', async () => {
    const { faults } = ground.member('east');
    faults.add({ kind: 'silence' });
    await ground.condition('first', 'Ready', 'False', 'ClusterUnavailable');
    await ground.change('first', { spec: { resources: { cpu: { cores: 3 } } } });
    await ground.reaches('first', 'is looked at', ({ status }) =>
      (status?.conditions ?? []).some(({ type, observedGeneration }) => type === 'Ready' && observedGeneration === 2),
    );
    assert.equal((await ground.machine('first')).status?.observedGeneration, 1);
    faults.clear();
    await ground.reaches('first', 'is observed', ({ status }) => status?.observedGeneration === 2);
  });
});
