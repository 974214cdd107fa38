/** Every sample and every debug command of the reference, by kubectl, against simulated clusters; run by .ci/run. */
// needs: kubectl
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { until } from '../runtime/until.ts';
import { checkSample } from './sample-checks.ts';
import { documentsOf, filesOf, prerequisites, samples, samplesFolder } from './samples.ts';
import { SeedsHarness } from './seeds-harness.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const patient = { deadlineMs: 60_000, everyMs: 200 };

/** The commands, and what their answers must contain. Those with `--context` go to the cluster that the VM runs on. */
const commands: readonly (readonly [line: string, ...says: readonly RegExp[]])[] = [
  [
    'get machines -A',
    /^NAMESPACE +NAME +PHASE +READY +CLUSTER +VM /,
    /^default +basic-vm +Running +True +cluster-east +vm-basic-vm /m,
  ],
  [
    'describe machine basic-vm',
    /Phase: +Running/,
    /Kubevirt Config Ref: +cluster-east/,
    /Reason: +PVCBound/,
    /Normal +VMCreated /,
    /Automatically assigned KubevirtConfig to machine/,
  ],
  [
    '--context cluster-east get vm,vmi,pvc -l vitistack.io/machine=basic-vm',
    /virtualmachine.kubevirt.io\/vm-basic-vm .* Running +True/,
    /virtualmachineinstance.kubevirt.io\/vm-basic-vm .* Running /,
    /persistentvolumeclaim\/basic-vm-root +Bound /,
  ],
  ['--context cluster-east get pods -n kubevirt', /virt-api-\S+ +1\/1 +Running/, /virt-controller-/],
  ['--context cluster-east get vmi -A', /default +vm-basic-vm /],
  ['get kubevirtconfigs -n kubevirt-configs', /cluster-east +Ready +Connected +v1\./],
  [
    'describe kubevirtconfig cluster-east -n kubevirt-configs',
    /Reason: +Available/,
    /Type: +Reachable/,
    /Phase: +Ready/,
  ],
  ['get secret cluster-east-kubeconfig -n kubevirt-configs -o yaml', /^ {2}kubeconfig: \S{100}/m],
  [
    'get machine my-machine -o yaml',
    /vitistack.io\/kubevirt-config: cluster-east/,
    /kubevirtConfigRef: cluster-east/,
    /vmName: vm-my-machine/,
  ],
  ['get machines.vitistack.io basic-vm -o jsonpath={.metadata.finalizers}', /machine\.vitistack\.io\/cleanup/],
  ['explain machines.vitistack.io.spec.disks.source', /dataSource/, /containerDisk/],
];

const metrics = [
  'kubevirt_operator_machines_total',
  'kubevirt_operator_reconciliation_duration_seconds',
  'kubevirt_operator_reconciliation_errors_total',
  'kubevirt_operator_virtual_machines_total',
  'kubevirt_operator_storage_provisioning_duration_seconds',
  'kubevirt_operator_network_configuration_errors_total',
];

describe('the examples of the reference', () => {
  let harness: SeedsHarness;
  let east: Client;
  let west: Client;
  before(async () => {
    harness = await SeedsHarness.start();
    east = await harness.client('cluster-east');
    west = await harness.client('cluster-west');
    for (const context of ['cluster-east', 'cluster-west']) {
      for (const object of prerequisites)
        await harness.kubectl(`--context ${context} apply -f -`, { input: JSON.stringify(object) });
      await harness.kubectl(`--context ${context} label namespace default vitistack.io/allow-machines=true`);
    }
  });
  after(() => harness?.stop());

  /** The sample itself, with its open values filled in. */
  const kubevirtConfig = (cluster: string): string => {
    const { server, ca, token } = harness.credentials(cluster);
    return readFileSync(join(samplesFolder, 'kubevirtconfig.yaml'), 'utf8')
      .replace('https://cluster-east.example.com:6443', server)
      .replaceAll('<CA_DATA>', ca)
      .replaceAll('<SERVICE_ACCOUNT_TOKEN>', token)
      .replaceAll('cluster-east', cluster);
  };

  const ready = (machine: string): Promise<string> =>
    harness.kubectl(`wait machines.vitistack.io/${machine} --for condition=Ready --timeout 120s`);

  const declare = (name: string, spec: object, annotations: Readonly<Record<string, string>> = {}): Promise<string> => {
    const metadata = { namespace: 'default', name, annotations };
    const machine = { apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', metadata, spec };
    return harness.kubectl('apply -f -', { input: JSON.stringify(machine) });
  };

  const says = (machine: string, reason: RegExp): Promise<void> =>
    until(
      `${machine} says ${reason}`,
      async () => {
        const text = await harness.kubectl(`get machine ${machine} -o jsonpath={.status.phase}:{.status.conditions}`);
        if (reason.test(text)) return true;
        throw new Error(text);
      },
      patient,
    );

  test('the operator is installed and started as it is written', async () => {
    await harness.kubectl(`apply -f ${deploy}/crds/`);
    await harness.kubectl('create namespace ssvirt-system');
    await harness.kubectl(`apply -f ${harness.file('config.yaml', kubevirtConfig('cluster-east'))}`);
    await harness.operate();
    await until(
      'the cluster is ready',
      async () => /Ready/.test(await harness.kubectl('get kubevirtconfigs -n kubevirt-configs')),
      patient,
    );
  });

  test('machines become virtual machines with the processors, memory, disks, interfaces and user data that they ask for', async () => {
    const here = samples.filter(({ cluster = 'cluster-east' }) => cluster === 'cluster-east');
    const files = filesOf((sample) => here.includes(sample) && sample.file !== 'machine-placed-by-annotation.yaml');
    for (const file of files) await harness.kubectl(`apply -f ${join(samplesFolder, file)}`);
    for (const sample of here.filter(({ file }) => files.includes(file))) {
      await ready(sample.machine);
      await checkSample(east, sample);
    }
    const assigned = harness.log().find(({ machine }) => machine === 'my-machine');
    assert.equal(assigned?.['message'], 'Automatically assigned KubevirtConfig to machine');
    assert.equal(assigned['kubevirtConfig'], 'cluster-east');
  });

  for (const [line, ...expected] of commands)
    test(`kubectl ${line} answers usefully`, async () => {
      const out = await harness.kubectl(line);
      for (const pattern of expected) assert.match(out, pattern);
    });

  test('logs have the fields of the reference, and metrics its names', async () => {
    const line = harness
      .log()
      .find(({ message, machine }) => message === 'Creating VirtualMachine resource' && machine === 'basic-vm');
    assert.partialDeepStrictEqual(line, { controller: 'Machine', namespace: 'default', phase: 'Creating' });
    const text = await (await fetch(`${harness.metrics}/metrics`)).text();
    for (const name of metrics) assert.ok(text.includes(`# TYPE ${name} `), name);
    assert.match(text, /^kubevirt_operator_machines_total\{phase="Running",template="medium"\} \d+$/m);
    assert.equal((await fetch(`${harness.health}/healthz`)).status, 200);
  });

  test('a virtual machine that is there already is taken where the Machine says so, and left alone else', async () => {
    const vm = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { namespace: 'default', name: 'vm-adopted-vm' },
      spec: { runStrategy: 'Always', template: { spec: { domain: { memory: { guest: '1Gi' }, devices: {} } } } },
    };
    await harness.kubectl('--context cluster-east apply -f -', { input: JSON.stringify(vm) });
    await declare('adopted-vm', { template: 'medium' });
    await says('adopted-vm', /vitistack\.io\/adopt.*AdoptionRefused/);
    await harness.kubectl(`apply -f ${samplesFolder}/machine-adopting.yaml`);
    await ready('adopted-vm');
  });

  test('an unknown template and an unknown cluster are said, with the way out', async () => {
    assert.match(await declare('no-cluster', { template: 'small', kubevirtConfigRef: 'nowhere' }), /created/);
    await says('no-cluster', /^Failed:.*nowhere.*KubevirtConfigNotFound/);
    await declare('no-network', { template: 'small', networks: [{ name: 'eth0', networkName: 'nowhere' }] });
    await says('no-network', /create it.*NetworkConfigurationNotFound/);
    await declare('no-class', { template: 'small', disks: [{ name: 'data', size: '1Gi', storageClass: 'nowhere' }] });
    await says('no-class', /nowhere.*StorageClassNotFound/);
    await declare('no-room', { template: 'small', resources: { memory: { size: '9000Gi' } } });
    await says('no-room', /InsufficientResources/);
  });

  test('with two clusters a Machine has to say which, by field, annotation or default', async () => {
    await harness.kubectl('apply -f -', { input: kubevirtConfig('cluster-west') });
    await until(
      'it is ready',
      async () => /cluster-west +Ready/.test(await harness.kubectl('get kubevirtconfigs -n kubevirt-configs')),
      patient,
    );
    await declare('somewhere', { instanceType: 'small' });
    await says(
      'somewhere',
      /Machine has no KubevirtConfig reference and 2 configs are available - cannot determine placement/,
    );
    await harness.kubectl('annotate machine somewhere vitistack.io/kubevirt-config=cluster-west');
    await ready('somewhere');
    assert.match(await harness.kubectl('--context cluster-west get vm -n default'), /vm-somewhere .* Running/);
    await harness.kubectl(`apply -f ${samplesFolder}/machine-placed-by-annotation.yaml`);
    for (const sample of samples.filter(({ file }) => file === 'machine-placed-by-annotation.yaml')) {
      await ready(sample.machine);
      await checkSample(sample.cluster === 'cluster-west' ? west : east, sample);
    }
    await harness.operate({ DEFAULT_KUBEVIRT_CONFIG: 'cluster-west' });
    await declare('by-default', { instanceType: 'small' });
    await ready('by-default');
    assert.match(await harness.kubectl('get machine by-default'), / cluster-west /);
  });

  test('machines that are deleted take all that was made for them along', async () => {
    const all = filesOf(() => true)
      .flatMap(documentsOf)
      .filter(({ kind }) => kind === 'Machine');
    const names = all.map(({ metadata }) => metadata.name).join(' ');
    await harness.kubectl(
      `delete machine ${names} adopted-vm somewhere by-default no-cluster no-network no-class no-room --timeout 120s`,
    );
    for (const context of ['cluster-east', 'cluster-west'])
      assert.equal(
        await harness.kubectl(
          `--context ${context} get vm,vmi,pvc,dv,secret,net-attach-def -n default -l vitistack.io/managed-by -o name`,
        ),
        '',
      );
    assert.match(
      await harness.kubectl('--context cluster-east get pvc -n default -o name'),
      /^persistentvolumeclaim\/golden-data\n$/,
    );
  });
});
