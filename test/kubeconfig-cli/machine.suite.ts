/** `ssvirt machine …` against a supervisor with an operator and two clusters, one of which runs VMs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { claims, secrets, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { machines, type Machine } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { changesTo, type AdoptionChange } from '../../packages/ssvirt/src/cli/machine/adoption-changes.ts';
import type { MachineAdvice } from '../../packages/ssvirt/src/cli/machine/advice.ts';
import type { MachineCase } from '../../packages/ssvirt/src/cli/machine/machine-case.ts';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { configsNamespace, secretNameOf } from '../fleet/harness.ts';
import { OperatorHarness, patient, team } from '../machine-operator/harness.ts';
import { until } from '../runtime/until.ts';
import { CommandLine } from './command.ts';

const password = 'password-that-nobody-may-see';
/** Long enough to be put into a Secret. */
const userData = `#cloud-config\n# ${password}\n${'#'.repeat(3000)}\n`;

describe('ssvirt machine', { timeout: 300_000 }, () => {
  let harness: OperatorHarness;
  let folder: ThrowAwayFolder;
  let cli: CommandLine;
  const at = ['-n', team] as const;

  before(async () => {
    [harness, folder] = await Promise.all([
      OperatorHarness.start({ clusters: ['east', 'west'] }),
      throwAwayFolder('machine-cli-'),
    ]);
    const kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), harness.supervisor);
    const tokens = [harness.supervisor.token, harness.member('east').token];
    cli = new CommandLine({ KUBECONFIG: kubeconfig }, [password, ...tokens]);
    await harness.operate();
    const spec = { template: 'small', kubevirtConfigRef: 'east', cloudInit: { userData } } as const;
    await harness.declare('web', spec, { labels: { tier: 'web' } });
    await harness.declare('lost', { template: 'small' });
    await harness.condition('lost', 'Ready', 'False', 'PlacementAmbiguous');
  });
  after(async () => {
    cli?.stop();
    await harness?.stop();
    await folder?.remove();
  });

  const debug = async (name: string): Promise<MachineCase & MachineAdvice & { readonly code: number }> => {
    const { code, out, err } = await cli.run('machine', 'debug', name, ...at, '-o', 'json');
    assert.notEqual(out, '', err);
    return { ...(JSON.parse(out) as MachineCase & MachineAdvice), code };
  };

  test('wait says how far it is on stderr and ends when the Machine is ready', async () => {
    const { code, out, err } = await cli.run('machine', 'wait', 'web', ...at, '--timeout', '1m');
    assert.deepEqual([code, out], [0, ''], err);
    assert.match(err, /^machine web: Running, Running: The virtual machine runs\.$/m);
  });

  test('wait ends with 7 when the time is up, and with 4 where there is none, with the one that is meant', async () => {
    const late = await cli.run('machine', 'wait', 'lost', ...at, '--timeout', '1500ms');
    assert.deepEqual([late.code, late.out], [7, ''], late.err);
    assert.match(late.err, /^machine lost: Pending, PlacementAmbiguous: Machine has no KubevirtConfig reference/m);
    assert.match(late.err, /is not ready after 1 s: .*ssvirt machine debug lost -n team-a"$/m);
    const none = await cli.run('machine', 'wait', 'wev', ...at);
    assert.deepEqual([none.code, none.out], [4, '']);
    assert.match(none.err, /there is no Machine "wev" in namespace "team-a": did you mean "web"\?/);
  });

  test('list and get print the same in five formats, and nothing but that on stdout', async () => {
    const [table, wide, json, yaml, name, one] = await Promise.all([
      cli.run('machine', 'list', ...at),
      cli.run('machine', 'list', '-A', '-o', 'wide'),
      cli.run('machine', 'list', ...at, '-l', 'tier=web', '-o', 'json'),
      cli.run('machine', 'get', 'web', ...at, '-o', 'yaml'),
      cli.run('machine', 'list', '-A', '-o', 'name'),
      cli.run('machine', 'get', `${team}/web`, '-o', 'json', '--show-secrets'),
    ]);
    assert.match(
      table.out,
      /^NAME +PHASE +READY +CLUSTER +VM +IPS +NODE +AGE\nlost +Pending +False +- .*\nweb +Running +True +east +vm-web /,
    );
    assert.match(wide.out, /^NAMESPACE +NAME .* REASON +TEMPLATE +AGE\nteam-a +lost .* PlacementAmbiguous +small /);
    const listed = JSON.parse(json.out) as Machine[];
    assert.deepEqual(
      listed.map(({ metadata }) => metadata.name),
      ['web'],
    );
    assert.equal(listed[0]?.metadata.managedFields, undefined);
    assert.match(json.err, /--show-secrets/);
    const { cloudInit } = (parse(yaml.out) as Machine).spec;
    assert.equal(cloudInit?.userData, `(${userData.length} bytes, not shown)`);
    assert.equal(name.out, 'team-a/lost\nteam-a/web\n');
    assert.equal((JSON.parse(one.out) as Machine).spec.cloudInit?.userData, userData);
    for (const { code, err } of [table, wide, json, yaml, name, one]) assert.equal(code, 0, err);
  });

  test('a namespace without Machines is an empty list, and a bad selector or context a sentence with its own code', async () => {
    const [none, bad, context, silent] = await Promise.all([
      cli.run('machine', 'list', '-n', 'default', '-o', 'json'),
      cli.run('machine', 'list', '-l', 'a b'),
      cli.run('machine', 'list', '--context', 'elsewhere'),
      (async () => {
        const away = { ...harness.supervisor, url: 'https://127.0.0.1:1' };
        const file = await writeKubeconfig(join(folder.path, 'silent'), away);
        return cli.run('machine', 'list', '--kubeconfig', file);
      })(),
    ]);
    assert.deepEqual([none.code, none.out], [0, '[]\n']);
    assert.deepEqual([bad.code, bad.out], [2, ''], bad.err);
    assert.match(bad.err, /cannot parse the label selector "a b"/);
    assert.deepEqual([context.code, context.out], [5, '']);
    assert.match(context.err, /no context "elsewhere"/);
    assert.deepEqual([silent.code, silent.out], [5, '']);
    assert.match(silent.err, /the cluster does not answer: .*--context$/m);
  });

  test('watch goes on with what changes, until the Machine is gone', async () => {
    const watch = cli.start('machine', 'list', ...at, '--watch');
    await watch.prints(/^web +Running/m);
    await harness.declare('late', { template: 'small', kubevirtConfigRef: 'east', running: false });
    await watch.prints(/^late +Stopped +True/m);
    const wait = cli.start('machine', 'wait', 'late', ...at, '--for', 'deleted', '--timeout', '1m');
    await wait.prints(/machine late: Stopped/, 'err');
    await harness.supervisor.client.delete(machines, { namespace: team, name: 'late' });
    const { code, out, err } = await wait.ended;
    assert.deepEqual([code, out], [0, ''], err);
    assert.match(err, /^machine late: gone$/m);
    await watch.prints(/^late +Deleted/m);
    await watch.stop();
  });

  test('debug of one that is well: what was asked for, where it is and why, and all that it is made of', async () => {
    await harness.told('web', ['Placed', 'Running']);
    const { code, out, err } = await cli.run('machine', 'debug', 'web', ...at);
    assert.deepEqual([code, err], [0, ''], out);
    for (const line of [
      /^Machine team-a\/web$/m,
      /^ {2}requested +template small: 1 CPU, 2Gi memory, disk root 20Gi, the pod network, cloud-init, running$/m,
      /^ {2}placed on +east \(Ready\), named by spec\.kubevirtConfigRef$/m,
      /^ {2}in its cluster +Running, on \S+, \d+\./m,
      /^Objects in cluster "east", namespace "team-a"$/m,
      /^ {2}VirtualMachine +vm-web +there +the Machine's +Running$/m,
      /^ {2}VirtualMachineInstance +vm-web +there +the Machine's +Running$/m,
      /^ {2}PersistentVolumeClaim +web-root +there +the Machine's +Bound$/m,
      /^ {2}Secret +vm-web-cloudinit +there +the Machine's$/m,
      /^ {2}Ready +True +Running /m,
      /^ {2}\d+ s ago +Normal +Placed +Machine\/web /m,
      /^What is wrong and what to do\n {2}Nothing is wrong: everything matches the Machine\.$/m,
    ])
      assert.match(out, line);
  });

  test('debug of an unplaced one lists the clusters, and how to choose', async () => {
    const { code, verdict, sentences, next, configs, member } = await debug('lost');
    assert.deepEqual([code, verdict, member], [1, 'wrong', undefined]);
    assert.match(sentences[0] ?? '', /^PlacementAmbiguous: .*cannot determine placement/);
    assert.deepEqual(next, [
      'kubectl annotate machines.vitistack.io lost -n team-a vitistack.io/kubevirt-config=CLUSTER',
    ]);
    assert.deepEqual(configs, [
      { name: 'east', phase: 'Ready' },
      { name: 'west', phase: 'Ready' },
    ]);
    const none = await cli.run('machine', 'debug', 'lots', ...at);
    assert.equal(none.code, 4);
    assert.match(none.out, /There is no Machine "lots" in namespace "team-a": did you mean "lost"\?/);
  });

  test('missing read permissions and an unreachable cluster are reported, with everything else', async () => {
    const { faults } = harness.member('east');
    const { id } = faults.add({ kind: '403', path: `/api/v1/namespaces/${team}/secrets`, verbs: ['get', 'list'] });
    const forbidden = await debug('web');
    faults.remove(id);
    assert.deepEqual([forbidden.code, forbidden.member?.found?.unread], [0, ['secrets']]);
    await harness.declare('far', { template: 'small', kubevirtConfigRef: 'west' });
    await harness.reaches('far', 'is placed', ({ status }) => status?.kubevirtConfigRef === 'west');
    const key = { namespace: configsNamespace, name: secretNameOf('west') };
    const { data } = await harness.supervisor.client.get(secrets, key);
    await harness.supervisor.client.delete(secrets, key);
    try {
      const far = await debug('far');
      assert.match(far.member?.unreached ?? '', /there is no Secret "kubevirt-configs\/west-kubeconfig"/);
      assert.match(far.sentences.join(' '), /Its cluster "west" cannot be reached from here: there is no Secret/);
      assert.notEqual(far.verdict, 'well');
    } finally {
      await harness.supervisor.client.create(secrets, { metadata: key, data } as never);
    }
  });

  test('adopt shows what would change by the code that adopts, and lets the operator do it', async () => {
    const name = 'kept';
    const key = { namespace: team, name: `vm-${name}` };
    const east = harness.member('east').client;
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await east.create(claims, { metadata: { namespace: team, name: 'legacy' }, spec } as object as never);
    const cloudInitNoCloud = { userData: `#cloud-config\n# ${password}\n` };
    const domain = {
      cpu: { cores: 2 },
      memory: { guest: '1Gi' },
      devices: {
        disks: [{ name: 'os', bootOrder: 1, disk: { bus: 'sata' } }],
        interfaces: [{ name: 'nic', macAddress: '02:00:00:00:00:01', masquerade: {} }],
      },
    };
    const volumes = [
      { name: 'os', persistentVolumeClaim: { claimName: 'legacy' } },
      { name: 'cloudinitdisk', cloudInitNoCloud },
    ];
    const template = { spec: { domain, networks: [{ name: 'nic', pod: {} }], volumes } };
    await east.create(virtualMachines, {
      metadata: key,
      spec: { runStrategy: 'Always', template },
    } as object as never);
    await harness.declare(name, {
      template: 'small',
      resources: { memory: { size: '2Gi' } },
      disks: [
        { name: 'os', existingClaim: 'legacy' },
        { name: 'more', size: '1Gi' },
      ],
      networks: [{ name: 'nic', macAddress: '02:00:00:00:00:02' }],
      cloudInit: { userData: '#cloud-config\n# other words\n' },
      kubevirtConfigRef: 'east',
    });
    await harness.condition(name, 'Ready', 'False', 'AdoptionRefused');
    const before = await harness.vm('east', name);
    const dry = await cli.run('machine', 'adopt', name, ...at, '--dry-run');
    assert.equal(dry.code, 0, dry.err);
    assert.match(dry.out, /^VirtualMachine "team-a\/vm-kept" in cluster "east" can be adopted\.\n {2}It keeps running/);
    assert.match(dry.out, /^ {2}spec\.template\.spec\.domain\.memory\.guest: 1Gi -> 2Gi$/m);
    assert.match(dry.out, /^ {2}.*interfaces\["nic"\]\.macAddress: 02:00:00:00:00:01 -> 02:00:00:00:00:02$/m);
    assert.match(dry.out, /^ {2}disk "more" is new: PersistentVolumeClaim "kept-more" of 1Gi$/m);
    assert.match(dry.out, /kept when the Machine is deleted\n {2}PersistentVolumeClaim "legacy"$/m);
    assert.doesNotMatch(dry.out, /cores|other words/);
    // No request was sent, and nothing was written.
    const unasked = await cli.run('machine', 'adopt', name, ...at);
    assert.deepEqual([unasked.code, /give --yes/.test(unasked.err)], [2, true], unasked.err);
    assert.equal((await harness.machine(name)).metadata.annotations?.['vitistack.io/adopt'], undefined);
    assert.equal((await harness.vm('east', name)).metadata.labels, undefined);
    const yes = await cli.run('machine', 'adopt', name, ...at, '--yes', '-o', 'json');
    assert.equal(yes.code, 0, yes.err);
    const { changes } = JSON.parse(yes.out) as { readonly changes: readonly AdoptionChange[] };
    await harness.reaches(
      name,
      'is what it is asked for',
      ({ status, metadata }) => status?.observedGeneration === metadata.generation,
    );
    assert.deepEqual(changesTo(before, await harness.vm('east', name)), changes, 'what was done is not what was shown');
    const done = await cli.run('machine', 'adopt', name, ...at, '--dry-run');
    assert.deepEqual(
      [done.code, done.out],
      [0, `VirtualMachine "team-a/vm-kept" in cluster "east" already belongs to the Machine.\n`],
    );
    // The operator would refuse the claim after the adoption.
    await east.create(virtualMachines, {
      metadata: { namespace: team, name: 'vm-second' },
      spec: { runStrategy: 'Halted', template: { spec: { domain: { memory: { guest: '1Gi' }, devices: {} } } } },
    } as object as never);
    const disks = [{ name: 'data', existingClaim: 'legacy' }];
    await harness.declare('second', { template: 'small', disks, kubevirtConfigRef: 'east' });
    await harness.condition('second', 'Ready', 'False', 'AdoptionRefused');
    const used = await cli.run('machine', 'adopt', 'second', ...at, '--dry-run');
    assert.equal(used.code, 1, used.out);
    assert.match(
      used.out,
      /NameConflict: spec\.disks\["data"\]\.existingClaim: .* is used by Machine "team-a\/kept": name/,
    );
    const none = await cli.run('machine', 'adopt', 'nobody', ...at, '--dry-run');
    assert.deepEqual([none.code, none.out], [4, 'There is no Machine "team-a/nobody".\n']);
    const where = await cli.run('machine', 'adopt', 'lost', ...at, '--dry-run');
    assert.deepEqual([where.code, /--in-cluster \(east, .*west\)/.test(where.out)], [1, true], where.out);
  });

  test('obstacles are explained, with the command to run', async () => {
    const east = harness.member('east').client;
    await east.create(virtualMachines, {
      metadata: { namespace: team, name: 'vm-taken' },
      spec: { runStrategy: 'Halted', template: { spec: { domain: { memory: { guest: '1Gi' }, devices: {} } } } },
    } as object as never);
    await harness.declare('taken', { template: 'small', kubevirtConfigRef: 'east' });
    await harness.condition('taken', 'Ready', 'False', 'AdoptionRefused');
    const taken = await debug('taken');
    assert.deepEqual([taken.code, taken.verdict], [1, 'wrong']);
    assert.deepEqual(taken.next, ['ssvirt machine adopt taken -n team-a --dry-run']);
    const vm = taken.member?.found?.children.find(({ kind }) => kind === 'VirtualMachine');
    assert.deepEqual([vm?.name, vm?.whose], ['vm-taken', "another's"]);
    await harness.declare('classless', {
      template: 'small',
      kubevirtConfigRef: 'east',
      disks: [{ name: 'root', storageClass: 'gold' }],
    });
    await harness.condition('classless', 'Ready', 'False', 'StorageClassNotFound');
    assert.deepEqual((await debug('classless')).next, ['kubectl get storageclass   # in cluster "east"']);
    await harness.change('web', { metadata: { annotations: { 'vitistack.io/paused': 'true' } } });
    await until(
      'it is paused',
      async () => (await debug('web')).sentences[0]?.includes('ignores the Machine') === true,
      patient,
    );
  });
});
