/** What the definition of KubevirtConfig accepts, refuses and shows: the same on the sandbox and on a real server. */
import assert from 'node:assert/strict';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isKind } from '../../packages/kube/src/errors.ts';
import {
  kubevirtConfigs,
  type KubevirtConfig,
  type KubevirtConfigStatus,
} from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import { assess } from '../../packages/ssvirt/src/fleet/health/observation.ts';
import { statusOf } from '../../packages/ssvirt/src/fleet/kubevirtconfig/config-status.ts';
import { until } from '../runtime/until.ts';
import { definitions } from './definition.ts';

const namespace = 'default';

function config(name: string, spec: object): KubevirtConfig {
  return { metadata: { namespace, name }, spec } as KubevirtConfig;
}

const good = { name: 'East', kubeconfigSecretRef: 'east-kubeconfig' };

async function refused(client: Client, object: KubevirtConfig, pattern: RegExp): Promise<void> {
  await assert.rejects(client.create(kubevirtConfigs, object), (error) => {
    assert.ok(isKind(error, 'Invalid', 'BadRequest'), String(error));
    assert.match(error.message, pattern);
    return true;
  });
}

export interface DefinitionCase {
  readonly name: string;
  readonly run: (client: Client) => Promise<void>;
}

export const definitionCases: readonly DefinitionCase[] = [
  {
    name: 'its schema has nothing that the server finds fault with',
    async run(client) {
      await until('the definition is established', async () => {
        const { status } = (await client.get(definitions, { name: 'kubevirtconfigs.vitistack.io' })) as unknown as {
          status?: { conditions?: { type: string; status: string }[] };
        };
        const conditions = status?.conditions ?? [];
        assert.ok(!conditions.some(({ type, status: is }) => type === 'NonStructuralSchema' && is === 'True'));
        return conditions.some(({ type, status: is }) => type === 'Established' && is === 'True');
      });
    },
  },
  {
    name: 'the example of the seed is accepted',
    async run(client) {
      const made = await client.create(kubevirtConfigs, config('cluster-east', good));
      assert.equal(made.spec.kubeconfigSecretRef, 'east-kubeconfig');
    },
  },
  {
    name: 'bad ones are refused with the field that is wrong',
    async run(client) {
      await refused(client, config('no-ref', { name: 'x' }), /kubeconfigSecretRef.*Required/i);
      await refused(client, config('no-name', { kubeconfigSecretRef: 'x' }), /spec\.name.*Required/i);
      await refused(client, config('bad-ref', { ...good, kubeconfigSecretRef: 'A_b' }), /kubeconfigSecretRef/);
      await refused(client, config('bad-namespace', { ...good, secretNamespace: 'a.b' }), /secretNamespace/);
      await refused(client, config('unknown', { ...good, provider: 'x' }), /provider/);
      await refused(client, config('local', good), /the name of the cluster that the operator itself runs in/);
      await refused(client, config('n'.repeat(64), good), /name/);
    },
  },
  {
    name: 'every status that we write is accepted, by the subresource alone',
    async run(client) {
      const made = await client.create(kubevirtConfigs, config('with-status', good));
      const seen = { connection: 'answers', identity: 'a', otherIdentity: 'b', duplicateOf: 'c' } as const;
      const status = statusOf(made, seen, assess('with-status', seen), new Date());
      const patch = { type: 'merge', body: { status } } as const;
      const key = { namespace, name: 'with-status' };
      const unchanged = await client.patch(kubevirtConfigs, key, patch);
      assert.equal(unchanged.status, undefined);
      const written = await client.patch(kubevirtConfigs, key, patch, { subresource: 'status' });
      assert.deepEqual(written.status, status satisfies KubevirtConfigStatus);
      assert.equal(written.metadata.generation, 1);
    },
  },
  {
    name: 'kubectl get shows name, phase, status and version',
    async run(client) {
      const { body } = await client.request({
        method: 'GET',
        path: `/apis/vitistack.io/v1alpha1/namespaces/${namespace}/kubevirtconfigs`,
        accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      });
      const table = body as { columnDefinitions: { name: string; priority: number }[]; rows: { cells: unknown[] }[] };
      const columns = table.columnDefinitions.filter(({ priority }) => priority === 0).map(({ name }) => name);
      assert.deepEqual(columns, ['Name', 'Phase', 'Status', 'Version', 'Age']);
      const row = table.rows.find(({ cells }) => cells[0] === 'with-status');
      assert.deepEqual(row?.cells.slice(0, 3), ['with-status', 'Failed', 'IdentityChanged']);
    },
  },
];
