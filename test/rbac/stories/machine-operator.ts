/**
 * The life of a machine-operator: Machines on another cluster with networks, disks and user data, disturbances, a
 * cluster that loses its history, and their deletion.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { schema } from '../../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../../packages/base/src/config/load.ts';
import {
  claims,
  dataVolumes,
  instances,
  namespaces,
  networkAttachments,
  secrets,
  storageClasses,
  virtualMachines,
} from '../../../packages/ssvirt/src/fleet/kinds.ts';
import {
  machines,
  networkConfigurations,
  subresources,
  type Machine,
} from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { runMachineOperator } from '../../../packages/ssvirt/src/processes/machine-operator/process.ts';
import { roleBindings } from '../../../packages/ssvirt/src/fleet/identity/account.ts';
import { kubevirtConfigs } from '../../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import type { Unstructured } from '../../../packages/kube/src/object.ts';
import type { MachineSpec } from '../../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { install, kubevirtConfigDefinition } from '../../fleet/definition.ts';
import { configsNamespace, putConfig } from '../../fleet/harness.ts';
import { definitionOf } from '../../machine-operator/definitions.ts';
import { look } from '../../machine-operator/harness.ts';
import { prerequisites } from '../../machine-operator/samples.ts';
import { manifests } from '../../vm-status/manifests.ts';
import { nowhere, vanish } from '../decoys.ts';
import { boundIn, withoutRoles } from '../right.ts';
import { storyTimes, type Stage } from '../stage.ts';
import type { Story } from '../story.ts';

const team = 'team-a';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

class Machines {
  readonly stage: Stage;
  constructor(stage: Stage) {
    this.stage = stage;
  }

  get client(): Client {
    return this.stage.own.client;
  }

  async declare(name: string, spec: MachineSpec, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.client.create(machines, { metadata: { namespace: team, name, annotations }, spec });
  }

  async change(name: string, body: object): Promise<void> {
    await this.client.patch(machines, { namespace: team, name }, { type: 'merge', body });
  }

  reaches(name: string, what: string, isThere: (machine: Machine) => boolean): Promise<void> {
    return this.stage.until(`${name} ${what}`, async () => {
      const machine = await this.client.get(machines, { namespace: team, name });
      if (isThere(machine)) return true;
      throw new Error(JSON.stringify(machine.status));
    });
  }

  phase(name: string, phase: string): Promise<void> {
    return this.reaches(
      name,
      `is ${phase}`,
      ({ metadata, status }) => status?.phase === phase && status.observedGeneration === metadata.generation,
    );
  }

  gone(name: string): Promise<void> {
    return this.stage.until(`${name} is gone`, async () => {
      const found = await look(this.client, machines, { namespace: team, name });
      if (found === undefined) return true;
      throw new Error(JSON.stringify(found.status));
    });
  }
}

async function operate(stage: Stage): Promise<Machines> {
  const { client } = stage.own;
  await install(client, kubevirtConfigDefinition(), definitionOf('machines'), definitionOf('networkconfigurations'));
  await look(client, namespaces, { name: team }).then(
    (found) => found ?? client.create(namespaces, { metadata: { name: team } }),
  );
  await stage.run((operator, signal) => {
    const images = { allowedHosts: ['*'] };
    writeFileSync(stage.file('config.yaml'), JSON.stringify({ operator, images }), { mode: 0o600 });
    const { config } = loadConfig(schema, { process: 'machine-operator', file: stage.file('config.yaml') });
    return runMachineOperator(config, pino({ level: 'silent' }), signal, storyTimes);
  });
  return new Machines(stage);
}

async function tell(stage: Stage): Promise<void> {
  const { client } = stage.elsewhere;
  for (const object of prerequisites)
    await client.apply(await client.typeOf(object.apiVersion ?? '', object.kind ?? ''), object, { force: true });
  const all = await operate(stage);
  await putConfig(stage.own, 'elsewhere', stage.elsewhere.credentials);
  await furnished(all);
  await rebound(stage);
  await found(all);
  await forgetting(stage);
  await end(all);
  assert.equal(await stage.scraped(), 200);
}

/**
 * A Machine with a network, a disk that grows, an image from another namespace, and user data from a Secret; and it
 * stops by itself, and is restarted.
 */
async function furnished(all: Machines): Promise<void> {
  const { stage } = all;
  const { client } = stage.elsewhere;
  await all.client.create(networkConfigurations, {
    metadata: { namespace: team, name: 'prod' },
    spec: { vlan: 100, bridge: 'br0' },
  });
  await all.client.create(secrets, { metadata: { namespace: team, name: 'words' }, data: { guest: base64('first') } });
  await all.declare('web', {
    template: 'small',
    networks: [{ name: 'eth0', networkName: 'prod' }],
    cloudInit: { secretRef: { name: 'words', key: 'guest' } },
    disks: [
      { name: 'root', size: '20Gi', source: { dataSource: { name: 'debian-12', namespace: 'boot-images' } } },
      { name: 'data', size: '1Gi' },
    ],
  });
  await all.phase('web', 'Running');
  const disks = [{ name: 'data', size: '2Gi' }];
  await all.change('web', {
    spec: {
      disks: [
        { name: 'root', size: '20Gi', source: { dataSource: { name: 'debian-12', namespace: 'boot-images' } } },
        ...disks,
      ],
    },
  });
  await stage.until('the disk grows', async () => {
    const claim = await client.get(claims, { namespace: team, name: 'web-data' });
    const { resources } = claim['spec'] as { resources: { requests: { storage: string } } };
    return resources.requests.storage === '2Gi';
  });
  await all.phase('web', 'Running');
  const path = `${subresources}/namespaces/${team}/virtualmachines/vm-web/stop`;
  await client.request({ method: 'PUT', path, body: {} });
  await all.phase('web', 'Stopped');
  await all.change('web', { spec: { resources: { cpu: { cores: 2 } } } });
  await all.phase('web', 'Running');
  const instance = { namespace: team, name: 'vm-web' };
  const { metadata } = await client.get(instances, instance);
  await all.change('web', { metadata: { annotations: { 'vitistack.io/restart-requested-at': 'now' } } });
  await stage.until('it is restarted', async () => {
    const found = await look(client, instances, instance);
    return found !== undefined && found.metadata.uid !== metadata.uid;
  });
  await all.phase('web', 'Running');
}

/** The RoleBinding of the namespace is deleted, and later replaced: ours comes back. */
async function rebound(stage: Stage): Promise<void> {
  const { client } = stage.elsewhere;
  const key = { namespace: team, name: 'ssvirt-machine-operator-secrets' };
  const { metadata, ...rest } = (await client.get(roleBindings, key)) as Unstructured;
  const roleOf = async (): Promise<unknown> =>
    ((await look(client, roleBindings, key)) as { roleRef?: { name: string } } | undefined)?.roleRef?.name;
  await client.delete(roleBindings, key);
  await stage.until('it is bound again', async () => (await roleOf()) === key.name);
  await client.delete(roleBindings, key);
  const other = {
    ...rest,
    metadata: { ...key, labels: metadata.labels ?? {} },
    roleRef: { ...(rest['roleRef'] as object), name: 'view' },
  };
  await stage.until('another RoleBinding has its name', async () => {
    await client.delete(roleBindings, key).catch(() => undefined);
    return client.create(roleBindings, other).then(
      () => true,
      () => false,
    );
  });
  await stage.until('ours is back', async () => (await roleOf()) === key.name);
}

/** A VM that existed before its Machine, with its own disk, and runs. */
async function found(all: Machines): Promise<void> {
  const { stage } = all;
  const { client } = stage.elsewhere;
  const key = { namespace: team, name: 'vm-found' };
  const disk = { namespace: team, name: 'found-root' };
  const pvc = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
  await client.create(dataVolumes, { metadata: disk, spec: { source: { blank: {} }, pvc } });
  const domain = { ...nowhere.domain, devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] } };
  const volumes = [{ name: 'root', dataVolume: { name: disk.name } }];
  const spec = { running: true, template: { spec: { domain, volumes } } };
  await client.create(virtualMachines, { metadata: key, spec });
  await stage.until('it runs', async () => (await look(client, instances, key)) !== undefined);
  await all.declare('found', { template: 'small' }, { 'vitistack.io/adopt': 'true' });
  await all.reaches('found', 'has an address', ({ status }) => (status?.ipAddresses ?? []).length > 0);
  await stage.until('its disk is taken over, too', async () => {
    const taken = await look(client, dataVolumes, disk);
    return taken?.metadata.labels?.['vitistack.io/machine'] === 'found';
  });
}

async function forgetting(stage: Stage): Promise<void> {
  const [vm] = (await stage.elsewhere.client.list(virtualMachines, { namespace: team })).items;
  const marks = { labels: { ...vm?.metadata.labels, 'ssvirt.io/parent-uid': 'nobody' } };
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
  await vanish(stage, stage.elsewhere, [
    { type: storageClasses, rest: { provisioner: 'example.com/none' } },
    { type: namespaces },
    { type: instances, namespace: team, metadata: marks, rest: { spec: nowhere } },
    { type: claims, namespace: team, metadata: marks, rest: { spec: claim } },
    { type: dataVolumes, namespace: team, metadata: marks, rest: { spec: { source: { blank: {} }, pvc: claim } } },
  ]);
  await vanish(stage, stage.own, [
    {
      type: machines,
      namespace: team,
      metadata: { annotations: { 'vitistack.io/paused': 'true' } },
      rest: { spec: { template: 'small' } },
    },
    { type: networkConfigurations, namespace: team, rest: { spec: { bridge: 'br0' } } },
  ]);
}

async function end(all: Machines): Promise<void> {
  const { stage } = all;
  const { client } = stage.elsewhere;
  // An instance without its VM: only the VM was deleted.
  await client.delete(virtualMachines, { namespace: team, name: 'vm-found' }, { propagationPolicy: 'Orphan' });
  for (const name of ['web', 'found']) await all.client.delete(machines, { namespace: team, name });
  for (const name of ['web', 'found']) await all.gone(name);
  const left = await look(client, networkAttachments, { namespace: team, name: 'prod' });
  assert.equal(left, undefined);
  await all.client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'elsewhere' });
  await stage.until('the cluster has left', async () => {
    const { items } = await all.client.list(kubevirtConfigs, { namespace: configsNamespace });
    return items.length === 0;
  });
}

export const machineOperator: Story = {
  process: 'machine-operator',
  // No VM runs here, and Secrets belong to the Machines of one namespace.
  own: [
    ...withoutRoles(manifests('machine-operator.yaml'), 'ssvirt-machine-operator'),
    ...boundIn('ssvirt-machine-operator', team),
  ],
  elsewhere: manifests('machine-operator-member.yaml'),
  parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
  tell,
};

/** If its own cluster runs the VMs, their Machines own them. */
export const machineOperatorAlone: Story = {
  process: 'machine-operator',
  own: [...manifests('machine-operator.yaml'), ...boundIn('ssvirt-machine-operator', team)],
  parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
  async tell(stage) {
    const all = await operate(stage);
    await all.declare('home', { template: 'small', running: false });
    await all.phase('home', 'Stopped');
    await all.client.delete(machines, { namespace: team, name: 'home' });
    await all.gone('home');
  },
};
