/**
 * The life of a vm-controller: VMs are created and deleted in another cluster, which is reported on, loses its history,
 * and leaves.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { schema } from '../../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../../packages/base/src/config/load.ts';
import {
  dataVolumes,
  instances,
  namespaces,
  templateInstances,
  virtualMachines,
} from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { runVmController } from '../../../packages/ssvirt/src/processes/vm-controller/process.ts';
import { kubevirtConfigs } from '../../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import { kubeconfigText } from '../../cluster/cluster.ts';
import { startTestDatabase } from '../../database/harness.ts';
import { makeOrganization, makeVapp, makeVdc, unique } from '../../database/rows.ts';
import { install, kubevirtConfigDefinition } from '../../fleet/definition.ts';
import { configsNamespace, putConfig, putSecret } from '../../fleet/harness.ts';
import { create, power, remove } from '../../vm-status/machines.ts';
import { manifests } from '../../vm-status/manifests.ts';
import { Rows } from '../../vm-status/rows.ts';
import { nowhere, vanish } from '../decoys.ts';
import { withoutRoles } from '../right.ts';
import { storyTimes, type Stage } from '../stage.ts';
import type { Story } from '../story.ts';

const name = 'elsewhere';

async function tell(stage: Stage): Promise<void> {
  const { client } = stage.own;
  const { elsewhere } = stage;
  await install(client, kubevirtConfigDefinition());
  const database = await startTestDatabase();
  stage.onClear(database.stop);
  const { db, pool } = database.database;
  await stage.run((controller, signal) => {
    const config = { controller, database: { url: database.url } };
    writeFileSync(stage.file('config.yaml'), JSON.stringify(config), { mode: 0o600 });
    const loaded = loadConfig(schema, { process: 'vm-controller', file: stage.file('config.yaml') });
    return runVmController(loaded.config, pino({ level: 'silent' }), signal, storyTimes);
  });
  await putConfig({ client }, name, elsewhere.credentials);
  const namespace = unique('vdc');
  await elsewhere.client.create(namespaces, { metadata: { name: namespace } });
  const organization = await makeOrganization(db);
  const vdc = await makeVdc(db, { organization_id: organization.id, cluster: name, namespace });
  const vapp = await makeVapp(db, { vdc_id: vdc.id });
  const rows = new Rows(pool);
  const reaches = (status: string): Promise<void> =>
    stage.until(`it is ${status}`, async () => {
      const found = await rows.vms(namespace);
      if (found.some((row) => row.status === status)) return true;
      throw new Error(JSON.stringify(found));
    });
  await stage.until('its details are recorded', async () => {
    const found = await db.selectFrom('cluster_details').select('cluster').where('cluster', '=', name).execute();
    return found.length > 0;
  });
  await create(elsewhere.client, { namespace, vappId: vapp.id });
  await reaches('POWERED_ON');
  // Power off and on again: a repeated Event is counted.
  for (const [verb, status] of [
    ['stop', 'POWERED_OFF'],
    ['start', 'POWERED_ON'],
  ] as const) {
    await power(elsewhere.client, namespace, verb);
    await reaches(status);
  }
  const halted = { runStrategy: 'Halted', template: { spec: { domain: nowhere.domain } } };
  await vanish(stage, elsewhere, [
    { type: virtualMachines, namespace, rest: { spec: halted } },
    { type: instances, namespace, rest: { spec: nowhere } },
    {
      type: dataVolumes,
      namespace,
      rest: { spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Mi' } } } } },
    },
    {
      type: templateInstances,
      namespace,
      rest: {
        spec: {
          template: {
            apiVersion: 'template.openshift.io/v1',
            kind: 'Template',
            metadata: { name: 'none' },
            objects: [],
          },
        },
      },
    },
  ]);
  await vanish(stage, stage.own);
  // The cluster gets a wrong token, twice: a repeated Event about the cluster is counted.
  const at = { namespace: configsNamespace, name };
  for (const [token, phase] of [
    ['not-its-token', 'Degraded'],
    [elsewhere.credentials.token, 'Ready'],
    ['not-its-token', 'Degraded'],
  ] as const) {
    await putSecret({ client }, name, kubeconfigText({ ...elsewhere.credentials, token }));
    await stage.until(`the cluster is ${phase}`, async () => {
      const { status } = await client.get(kubevirtConfigs, at);
      if (status?.phase === phase) return true;
      throw new Error(JSON.stringify(status));
    });
  }
  await remove(elsewhere.client, namespace);
  await reaches('DELETED');
  assert.equal(await stage.scraped(), 200);
  await client.delete(kubevirtConfigs, { namespace: configsNamespace, name });
}

export const vmController: Story = {
  process: 'vm-controller',
  // No VM runs here.
  own: withoutRoles(manifests('vm-controller.yaml'), 'ssvirt-vm-controller'),
  elsewhere: manifests('vm-controller-member.yaml'),
  parts: ['kubevirt', 'nodes', 'storage', 'cdi', 'templates'],
  tell,
};
