/**
 * `ssvirt order list`, `get` and `wait` against a cluster with orders and no operator: the test writes their status.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Order, orders } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { definitionOf } from '../cloudkit/definitions.ts';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { install } from '../fleet/definition.ts';
import { startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { CommandLine } from './command.ts';

const password = 'password-that-nobody-may-see';

describe('ssvirt order list, get and wait', { timeout: 180_000 }, () => {
  let cluster: MemberCluster;
  let folder: ThrowAwayFolder;
  let cli: CommandLine;

  before(async () => {
    [cluster, folder] = await Promise.all([startMemberCluster('orders'), throwAwayFolder('order-cli-')]);
    const kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), cluster);
    cli = new CommandLine({ KUBECONFIG: kubeconfig }, [password, cluster.token]);
  });
  after(async () => {
    cli?.stop();
    await Promise.all([cluster?.stop(), folder?.remove()]);
  });

  async function place(name: string, status?: Order['status'], labels: Record<string, string> = {}): Promise<void> {
    const templateParameters = JSON.stringify({ cloud_init_config: password });
    const spec = { templateID: 'osac.templates.ocp_virt_vm', templateParameters };
    await cluster.client.create(orders, { metadata: { namespace: 'default', name, labels }, spec });
    if (status !== undefined) await say(name, status);
  }

  async function say(name: string, status: Order['status']): Promise<void> {
    const patch = { type: 'merge', body: { status } } as const;
    await cluster.client.patch(orders, { namespace: 'default', name }, patch, { subresource: 'status' });
  }

  const lastTransitionTime = '2026-02-01T12:00:00Z';
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string) =>
    ({ type, status, reason, message, lastTransitionTime }) as const;
  const done = {
    phase: 'Ready',
    observedGeneration: 1,
    provisionedBy: 'controller',
    desiredConfigVersion: 'v1',
    reconciledConfigVersion: 'v1',
    conditions: [condition('Available', 'True', 'AsExpected', 'It runs.')],
  } as const;

  test('a cluster without the kind is a sentence with the way out, and its own code', async () => {
    const { code, out, err } = await cli.run('order', 'list');
    assert.deepEqual([code, out], [4, '']);
    assert.match(
      err,
      /the cluster does not serve orders: apply deploy\/crds\/virtualmachines\.cloudkit\.openshift\.io\.yaml/,
    );
  });

  test('orders are listed by label and in all formats, without what is in their parameters', async () => {
    await install(cluster.client, definitionOf('virtualmachines'));
    await place('web', done, { tier: 'web' });
    await place('db');
    const [table, wide, json, name, yaml] = await Promise.all([
      cli.run('order', 'list'),
      cli.run('order', 'list', '-A', '-o', 'wide'),
      cli.run('order', 'list', '-l', 'tier=web', '-o', 'json'),
      cli.run('order', 'list', '-o', 'name'),
      cli.run('order', 'get', 'default/web', '-o', 'yaml', '--show-secrets'),
    ]);
    assert.match(
      table.out,
      /^NAME +TEMPLATE +PHASE +MODE +AVAILABLE +RECONCILED +AGE\ndb +osac\S+ +- +- +- +- .*\nweb +osac\S+ +Ready +controller +True +v1 /,
    );
    assert.match(wide.out, /^NAMESPACE +NAME .* DESIRED +VM-NAMESPACE +ADDRESS +REASON +AGE\n/);
    assert.deepEqual(
      (JSON.parse(json.out) as Order[]).map(({ metadata }) => metadata.name),
      ['web'],
    );
    assert.equal(name.out, 'db\nweb\n');
    assert.match(yaml.out, new RegExp(`templateParameters: .*${password}`));
    for (const { code, err } of [table, wide, json, name, yaml]) assert.equal(code, 0, err);
  });

  test('watch tells each change as a line of JSON, and wait ends when the order is ready', async () => {
    const watch = cli.start('order', 'get', 'db', '--watch', '-o', 'json');
    await watch.prints(/"name":"db"/);
    const wait = cli.start('order', 'wait', 'db', '--timeout', '1m');
    await wait.prints(/order db: not processed yet/, 'err');
    await say('db', {
      phase: 'Progressing',
      observedGeneration: 1,
      conditions: [condition('Progressing', 'True', 'Creating', 'The disk is being filled.')],
    });
    await wait.prints(/order db: Progressing, Creating: The disk is being filled\./, 'err');
    await say('db', { ...done, conditions: [...done.conditions] });
    const { code, out, err } = await wait.ended;
    assert.deepEqual([code, out], [0, ''], err);
    await watch.prints(/"phase":"Ready"/);
    await cluster.client.delete(orders, { namespace: 'default', name: 'db' });
    await watch.prints(/"phase":"Deleted"/);
    const { out: told } = await watch.stop();
    for (const line of told.trim().split('\n')) assert.equal((JSON.parse(line) as Order).metadata.name, 'db');
  });

  test('a missing one is reported with the one that was probably meant', async () => {
    const { code, out, err } = await cli.run('order', 'get', 'wev');
    assert.deepEqual([code, out], [4, '']);
    assert.match(err, /there is no order "wev" in namespace "default": did you mean "web"\?/);
  });
});
