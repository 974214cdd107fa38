/**
 * The samples of orders by kubectl and `ssvirt cloudkit-operator`, with KubeVirt and CDI simulated, on the sandbox and
 * on a real kube-apiserver alike.
 */
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { throwAwayFolder, writeKubeconfig, type Credentials, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { processGroup, type ProcessGroup } from '../cluster/processes.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { printOutcome, startKubectl, words } from '../kubectl/command.ts';
import { kubectls } from '../kubectl/kubectls.ts';
import { until } from '../runtime/until.ts';
import { deploy, samplesFolder } from './definitions.ts';

const command = resolve(import.meta.dirname, '../../bin/ssvirt');
const patient = { deadlineMs: 120_000, everyMs: 200 };
const kinds = 'vm,vmi,dv,pvc,svc,secret,configmap';

/** The two samples that the controller fulfills. */
const made = [
  ...['web', 'shop'].flatMap((name) => [
    `datavolume.cdi.kubevirt.io/${name}-root-disk`,
    `persistentvolumeclaim/${name}-root-disk`,
    `secret/${name}-cloud-init`,
    `service/${name}-load-balancer`,
    `virtualmachine.kubevirt.io/${name}`,
    `virtualmachineinstance.kubevirt.io/${name}`,
  ]),
  'secret/shop-ssh-public-key',
];

export function storyCases(start: () => Promise<Credentials & { stop(): Promise<void> }>): void {
  describe('the samples of orders', () => {
    let cluster: Awaited<ReturnType<typeof start>>;
    let simulators: Simulators;
    let folder: ThrowAwayFolder;
    let group: ProcessGroup;
    let kubeconfig: string;

    before(async () => {
      cluster = await start();
      simulators = await startSimulators({
        source: fixedSource(cluster),
        name: 'story',
        parts: ['kubevirt', 'nodes', 'storage', 'cdi', 'load-balancers'],
        dials: { speed: 50 },
        log: createLogger({ level: 'error', format: 'text' }),
      });
      folder = await throwAwayFolder('ssvirt-orders-');
      group = processGroup(folder.path);
      kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), cluster);
    });
    after(async () => {
      await group?.stop();
      await simulators?.stop({ leaveRegistered: true });
      await cluster?.stop();
      await folder?.remove();
    });

    async function kubectl(line: string, input = ''): Promise<string> {
      const [first = ''] = kubectls();
      const target = { kubectl: first, kubeconfig, folder: folder.path };
      const outcome = await startKubectl({ args: words(line), input }, target).done;
      assert.equal(outcome.code, 0, `kubectl ${line}\n${printOutcome(outcome)}`);
      return outcome.out;
    }
    const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
    /** The objects of these orders in the tenant namespace, with their uids. */
    const standing = async (): Promise<readonly string[]> => {
      const columns =
        'custom-columns=KIND:.kind,NAME:.metadata.name,UID:.metadata.uid,DELETED:.metadata.deletionTimestamp';
      const selector = 'cloudkit.openshift.io/virtualmachine in (web,shop)';
      return lines(await kubectl(`get ${kinds} -n tenant-a -l '${selector}' --no-headers -o ${columns}`)).toSorted();
    };
    const config = (name: string, owner: object): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'tenant-a', name, ownerReferences: [owner] },
      });

    test('the operator is installed and started as it is written', async () => {
      for (const plural of ['virtualmachines', 'ordertemplates'])
        await kubectl(`apply -f ${deploy}/crds/${plural}.cloudkit.openshift.io.yaml`);
      await kubectl('create namespace ssvirt-system');
      const [health = 0, metrics = 0] = await freePorts(2);
      const env = {
        PATH: process.env['PATH'],
        KUBECONFIG: kubeconfig,
        NAMESPACE: 'ssvirt-system',
        // The images are simulated: no DNS has to know their hosts.
        SSVIRT_IMAGES_ALLOWED_HOSTS: '*',
        HEALTH_PROBE_BIND_ADDRESS: `127.0.0.1:${health}`,
        METRICS_BIND_ADDRESS: `127.0.0.1:${metrics}`,
      };
      const operator = group.start('operator', command, ['cloudkit-operator', '--log-format', 'json'], env);
      await until(
        'the operator is ready',
        async () => {
          assert.equal(operator.child.exitCode, null, operator.tail());
          return (await fetch(`http://127.0.0.1:${health}/readyz`)).ok;
        },
        patient,
      );
    });

    test('orders become virtual machines in the namespace of their tenant', async () => {
      await kubectl(`apply -f ${samplesFolder}/bound-namespace.yaml`);
      await kubectl(`apply -f ${samplesFolder}`);
      await kubectl('wait -n orders vmorder/web vmorder/shop --for jsonpath={.status.phase}=Ready --timeout 120s');
      await kubectl('wait -n orders vmorder/web vmorder/shop --for condition=Available --timeout 120s');
      const found = lines(await kubectl(`get ${kinds} -n tenant-a -o name`));
      assert.deepEqual(
        made.filter((name) => !found.includes(name)),
        [],
      );
      assert.match(await kubectl('get vmorder -n orders'), /^web +osac\.templates\.ocp_virt_vm .*Ready/m);
      const said = `get vmorder by-aap -n orders -o 'jsonpath={.status.conditions[?(@.type=="Progressing")].reason}'`;
      await until(
        'the order for AAP says that AAP is not known here',
        async () => (await kubectl(said)) === 'WebhookNotConfigured',
        patient,
      );
    });

    test('the garbage collector, which takes whatever has an owner elsewhere, leaves them alone', async () => {
      const before = await standing();
      assert.ok(before.length >= made.length, before.join('\n'));
      const uid = await kubectl('get vmorder web -n orders -o jsonpath={.metadata.uid}');
      const order = { apiVersion: 'cloudkit.openshift.io/v1alpha1', kind: 'VirtualMachine', name: 'web', uid };
      const missing = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'missing',
        uid: '00000000-0000-4000-8000-000000000001',
      };
      await kubectl('apply -f -', config('owned-from-elsewhere', order));
      await kubectl('apply -f -', config('orphan', missing));
      await kubectl('wait -n tenant-a configmap/orphan configmap/owned-from-elsewhere --for delete --timeout 120s');
      assert.deepEqual(await standing(), before);
      assert.ok(
        before.every((line) => line.endsWith('<none>')),
        before.join('\n'),
      );
    });

    test('orders that are deleted take all of it along', async () => {
      await kubectl('delete vmorder --all -n orders --timeout 120s');
      assert.deepEqual(await standing(), []);
      assert.equal(await kubectl(`get ${kinds} -n tenant-a -l ssvirt.io/parent-kind -o name`), '');
    });
  });
}
