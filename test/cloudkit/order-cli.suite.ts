/** `ssvirt order …` as a user types it, against a cluster with orders, an operator and AAP. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  orderTemplates,
  type OrderTemplate,
} from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { namespaces, services, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { annotations } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { password, token, DualHarness } from './aap/harness.ts';
import { samples } from './definitions.ts';
import { ordersNamespace, tenant } from './harness.ts';

const launcher = resolve(import.meta.dirname, '../../bin/ssvirt');
const userData = 'user-data-that-nobody-may-see';
const parameters = {
  cpu_cores: '4',
  memory: '4096Mi',
  cloud_init_config: Buffer.from(`#cloud-config\n# ${userData}\n`).toString('base64'),
  ssh_public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me@example.com',
  exposed_ports: '80/tcp,22/tcp',
};

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

suite('ssvirt order', { timeout: 300_000 }, () => {
  let harness: DualHarness;
  let folder = '';
  before(async () => {
    harness = await DualHarness.start();
    folder = mkdtempSync(join(tmpdir(), 'order-cli-'));
    const { url, ca, token: bearer } = harness.cloudkit.sandbox;
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'here',
      clusters: [
        { name: 'here', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
      ],
      users: [{ name: 'me', user: { token: bearer } }],
      contexts: [{ name: 'here', context: { cluster: 'here', user: 'me' } }],
    };
    writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(config));
    harness.operate();
  });
  after(async () => {
    await harness.stop();
    rmSync(folder, { recursive: true });
  });

  function order(args: readonly string[], input = ''): Promise<Outcome> {
    const env = { PATH: process.env['PATH'] ?? '', KUBECONFIG: join(folder, 'kubeconfig') };
    return new Promise((done) => {
      const child = execFile(launcher, ['order', ...args], { env }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 99;
        for (const secret of [token, password, userData, parameters.cloud_init_config])
          assert.ok(
            args.includes('--show-secrets') || !`${stdout}${stderr}`.includes(secret),
            `${args.join(' ')} shows ${secret}`,
          );
        assert.doesNotMatch(stderr, /\n\s+at .*\.ts:\d+/, 'a stack trace');
        done({ code, stdout, stderr });
      });
      child.stdin?.end(input);
    });
  }

  const at = ['-n', ordersNamespace] as const;

  test('what AAP has made is what the controller would make, but for what is documented; changes by users are found', async () => {
    await harness.order('by-aap', 'aap', parameters);
    await harness.ready('by-aap');
    const same = await order(['diff', 'by-aap', ...at, '--documented']);
    assert.equal(same.code, 0, `${same.stdout}${same.stderr}`);
    assert.match(same.stdout, /^same {4}VirtualMachine by-aap /m);
    assert.match(same.stdout, /^missing {1}Service by-aap-load-balancer .*\n {2}known: AAP's role creates none/m);
    const key = { namespace: tenant, name: 'by-aap' };
    const body = { spec: { template: { spec: { domain: { cpu: { cores: 3 } } } } } };
    await harness.cloudkit.client.patch(virtualMachines, key, { type: 'merge', body });
    const changed = await order(['diff', 'by-aap', ...at, '-o', 'json']);
    assert.equal(changed.code, 1, changed.stderr);
    const { children } = JSON.parse(changed.stdout) as { children: { kind: string; differences: unknown }[] };
    assert.deepEqual(
      children
        .filter(({ differences }) => (differences as unknown[]).length > 0)
        .map(({ kind, differences }) => ({ kind, differences })),
      [
        {
          kind: 'VirtualMachine',
          differences: [{ path: 'spec.template.spec.domain.cpu.cores', ours: '4', theirs: '3' }],
        },
      ],
    );
  });

  test('what the controller has made is reported as well, and is the same; a Service that is in the way is named', async () => {
    await harness.order('native', 'controller', parameters);
    await harness.ready('native');
    const page = await order(['debug', 'native', ...at]);
    assert.equal(page.code, 0, page.stdout);
    assert.match(page.stdout, /Nothing is wrong: everything matches the order\.\n$/);
    assert.match(page.stdout, /VirtualMachine +native +there +the order's +Running/);
    assert.match(page.stdout, /Normal +Created +Order\/native/);
    const same = await order(['diff', 'native', ...at]);
    assert.deepEqual([same.code, same.stderr], [0, ''], same.stdout);
    assert.equal(same.stdout.match(/^same /gm)?.length, 5, same.stdout);
    await harness.cloudkit.client.create(services, {
      metadata: { namespace: tenant, name: 'taken-load-balancer' },
      spec: { ports: [{ port: 22 }] },
    } as object as never);
    const taken = await order(['validate', '-f', '-', '--cluster', '-o', 'json'], JSON.stringify(placed('taken')));
    assert.equal(taken.code, 1, taken.stderr);
    assert.match(taken.stdout, /"reason": "NameConflict"/);
  });

  test('the problems of an order are shown with the way out: an unbound namespace, a name that does not exist or is too long', async () => {
    await harness.cloudkit.client.create(namespaces, { metadata: { name: 'foreign' } });
    await harness.cloudkit.order('unbound', { tenantNamespace: 'foreign' });
    await harness.cloudkit.condition('unbound', 'Accepted', 'False');
    const unbound = await order(['debug', 'unbound', ...at]);
    assert.equal(unbound.code, 1, unbound.stderr);
    assert.match(unbound.stdout, /NamespaceNotBound: .*"foreign" is not bound.*cloudkit\.openshift\.io\/project/);
    const missing = await order(['debug', 'unbuond', ...at]);
    assert.equal(missing.code, 4, missing.stderr);
    assert.match(missing.stdout, /did you mean "unbound"\?/);
    const long = `long-${'x'.repeat(60)}`;
    await harness.order(long, 'controller');
    await harness.cloudkit.condition(long, 'Accepted', 'False', 'InvalidName');
    const tooLong = await order(['debug', long, ...at]);
    assert.equal(tooLong.code, 1, tooLong.stderr);
    assert.match(tooLong.stdout, /InvalidName: .* has 65 characters/);
  });

  test('a machine that finds no room, AAP that takes nothing, and a blocked deletion are shown with what to do', async () => {
    await harness.order('too-large', 'controller', { ...parameters, memory: '900Gi' });
    await harness.cloudkit.condition('too-large', 'Available', 'False', 'Unschedulable');
    const large = await order(['debug', 'too-large', ...at]);
    assert.equal(large.code, 1, large.stdout);
    assert.match(
      large.stdout,
      /What is wrong and what to do\n {2}Unschedulable: No node has room for it: .*Make it smaller/,
    );
    harness.aap.dials.refuse = 1_000_000;
    await harness.order('unheard', 'aap', parameters);
    await harness.cloudkit.condition('unheard', 'Progressing', 'True', 'WebhookFailed');
    const unheard = await order(['debug', 'unheard', ...at]);
    assert.equal(unheard.code, 1, unheard.stdout);
    assert.match(
      unheard.stdout,
      /AAP could not be called .*answers 503\. The call is retried\. Check that AAP is running/,
    );
    const key = { namespace: tenant, name: 'too-large-load-balancer' };
    const hold = (finalizers: readonly string[]): Promise<unknown> =>
      harness.cloudkit.client.patch(services, key, { type: 'merge', body: { metadata: { finalizers } } });
    await hold(['example.org/held']);
    await harness.cloudkit.delete('too-large');
    await harness.cloudkit.reaches('too-large', 'waits for its Service', ({ status }) =>
      JSON.stringify(status?.conditions ?? []).includes('too-large-load-balancer'),
    );
    const held = await order(['debug', 'too-large', ...at]);
    assert.equal(held.code, 1, held.stdout);
    assert.match(held.stdout, /Service "too-large-load-balancer" is being deleted and held by example\.org\/held/);
    await hold([]);
    await harness.cloudkit.gone('too-large');
  });

  test('what was made by a template of one’s own is the same as it would be made now', async () => {
    const [template] = samples().find(({ file }) => file === 'order-custom-template.yaml')?.objects ?? [];
    await harness.cloudkit.client.create(orderTemplates, template as unknown as OrderTemplate);
    await harness.cloudkit.order('ledger', { templateID: 'team_a.database', parameters: { data_size: '50Gi' } });
    await harness.ready('ledger');
    const same = await order(['diff', 'ledger', ...at]);
    assert.equal(same.code, 0, `${same.stdout}${same.stderr}`);
    assert.match(same.stdout, /^same {4}PersistentVolumeClaim ledger-data$/m);
  });

  test('an order is rendered with the class that the cluster would choose, and Secrets are shown to who asks for them', async () => {
    const text = JSON.stringify(placed('rendered'));
    const hidden = await order(['render', '-f', '-', '--context', 'here', '-o', 'json'], text);
    assert.equal(hidden.code, 0, hidden.stderr);
    const { items } = JSON.parse(hidden.stdout) as { items: { kind: string }[] };
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['Secret', 'Secret', 'DataVolume', 'VirtualMachine', 'Service'],
    );
    assert.match(hidden.stdout, /"storageClassName": "(?!CLUSTER-DEFAULT)/);
    const shown = await order(['render', '-f', '-', '--show-secrets'], text);
    assert.ok(shown.stdout.includes(parameters.cloud_init_config), shown.stderr);
  });

  test('what cannot be asked is one sentence, and an exit code that says why', async () => {
    const cases: readonly (readonly [number, readonly string[]])[] = [
      [2, ['diff']],
      [2, ['validate', '-f', '/nowhere/order.yaml']],
      [5, ['debug', 'x', '--context', 'nowhere']],
      [4, ['diff', 'nothing', ...at]],
      [4, ['get', 'nothing', ...at]],
    ];
    for (const [code, args] of cases) {
      const ended = await order(args);
      assert.deepEqual([ended.code, ended.stdout], [code, ''], `${args.join(' ')}: ${ended.stderr}`);
      assert.notEqual(ended.stderr, '');
    }
    const page = await order(['debug', 'nothing', ...at]);
    assert.equal(page.code, 4, page.stderr);
    assert.match(page.stdout, /no order "nothing"/);
  });

  function placed(name: string): object {
    return {
      apiVersion: 'cloudkit.openshift.io/v1alpha1',
      kind: 'VirtualMachine',
      metadata: { name, namespace: ordersNamespace, annotations: { [annotations.managedBy]: 'controller' } },
      spec: {
        templateID: 'osac.templates.ocp_virt_vm',
        tenantNamespace: tenant,
        templateParameters: JSON.stringify(parameters),
      },
    };
  }
});
