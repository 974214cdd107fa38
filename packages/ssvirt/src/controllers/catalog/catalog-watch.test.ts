/** The catalog entries of two clusters, while the clusters come, change and leave. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Registry } from 'prom-client';
import {
  configsNamespace,
  putConfig,
  startFleetHarness,
  testTimes,
  type FleetHarness,
} from '../../../../../test/fleet/harness.ts';
import { install, looseDefinition } from '../../../../../test/fleet/definition.ts';
import { startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { kubevirtConfigs } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { OfferedEntry } from '../../kubevirt/catalog/entry.ts';
import { createCatalogWatch, type CatalogWatch } from './catalog-watch.ts';

const namespaced = { namespaced: true } as const;
const templates: ResourceType = {
  group: 'template.openshift.io',
  version: 'v1',
  kind: 'Template',
  plural: 'templates',
  ...namespaced,
};
const machineTemplates: ResourceType = {
  group: 'template.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachineTemplate',
  plural: 'virtualmachinetemplates',
  ...namespaced,
};
const dataSources: ResourceType = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'DataSource',
  plural: 'datasources',
  ...namespaced,
};
const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

const instancetypes: ResourceType = {
  group: 'instancetype.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachineClusterInstancetype',
  plural: 'virtualmachineclusterinstancetypes',
  namespaced: false,
};
const preferences: ResourceType = {
  ...instancetypes,
  kind: 'VirtualMachineClusterPreference',
  plural: 'virtualmachineclusterpreferences',
};

const storageClasses: ResourceType = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
};

const machine = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', spec: {} };

function template(name: string, description: string): Unstructured {
  const annotations = { description };
  return { metadata: { namespace: 'openshift', name, annotations }, objects: [machine] };
}

function image(name: string, status: 'True' | 'False', message = ''): Unstructured {
  return {
    metadata: { namespace: 'kubevirt-os-images', name },
    status: { conditions: [{ type: 'Ready', status, message }] },
  };
}

function definitionOf({ group, version, kind, plural, namespaced: isNamespaced }: ResourceType): Unstructured {
  const definition = looseDefinition(group, version, kind, plural);
  const scope = isNamespaced ? 'Namespaced' : 'Cluster';
  return { ...definition, spec: { ...(definition['spec'] as object), scope } };
}

async function prepare({ client }: MemberCluster, ...kinds: readonly ResourceType[]): Promise<void> {
  await install(client, ...kinds.map(definitionOf));
  for (const name of ['openshift', 'kubevirt-os-images']) await client.create(namespaces, { metadata: { name } });
}

suite('what the clusters offer', { timeout: 180_000 }, () => {
  let harness: FleetHarness;
  let east: MemberCluster;
  let west: MemberCluster;
  let fleet: Fleet;
  let catalog: CatalogWatch;
  const registry = new Registry();

  const find = (kind: string, name: string): OfferedEntry | undefined =>
    catalog.entries().find(({ entry }) => entry.kind === kind && entry.name === name);
  const offersOf = (kind: string, name: string): readonly string[] =>
    (find(kind, name)?.offers ?? []).map(({ cluster, available }) => `${cluster} ${available}`);
  const offered = (kind: string, name: string, ...expected: readonly string[]): Promise<void> =>
    until(`${kind} ${name} is offered: ${expected.join()}`, () => {
      const now = offersOf(kind, name);
      if (now.join() === expected.join()) return true;
      throw new Error(`it is ${now.join()}; unavailable: ${JSON.stringify(catalog.unavailable())}`);
    });

  before(async () => {
    [harness, east, west] = await Promise.all([
      startFleetHarness(),
      startMemberCluster('east'),
      startMemberCluster('west'),
    ]);
    // West is plain Kubernetes: it serves neither OpenShift's templates nor KubeVirt's.
    await Promise.all([prepare(east, templates, machineTemplates, dataSources), prepare(west, dataSources)]);
    await east.client.create(templates, template('fedora', 'of the east'));
    await east.client.create(templates, {
      metadata: { namespace: 'openshift', name: 'jenkins' },
      objects: [{ apiVersion: 'v1', kind: 'Service' }],
    });
    await east.client.create(templates, {
      ...template('elsewhere', ''),
      metadata: { namespace: 'default', name: 'elsewhere' },
    });
    await east.client.create(dataSources, image('debian', 'True'));
    await west.client.create(dataSources, image('debian', 'False', 'PVC not found'));
    // Tests with an unavailable cluster wait for this whole deadline. It is long enough for clusters that answer.
    ({ fleet } = harness.fleet({ times: { ...testTimes, deadlineMs: 3000 } }));
    catalog = createCatalogWatch({
      fleet,
      defaultCluster: 'west',
      log: harness.log,
      registry,
      lookMs: 20,
      lookAgainMs: 100,
      awayAfterMs: 300,
    });
    fleet.serve(catalog);
    await putConfig(harness.supervisor, 'east', east);
    await putConfig(harness.supervisor, 'west', west);
  });
  after(async () => {
    await catalog?.stop();
    await harness?.stop();
    await Promise.all([east?.stop(), west?.stop()]);
  });

  test('is found in the namespaces for it; what makes no machine is not', async () => {
    await offered('Template', 'fedora', 'east true');
    await until('both are read', () => catalog.unavailable().length === 0);
    assert.equal(find('Template', 'jenkins'), undefined);
    assert.equal(find('Template', 'elsewhere'), undefined);
    const { entry } = find('Template', 'fedora') ?? {};
    assert.deepEqual([entry?.namespace, entry?.description], ['openshift', 'of the east']);
    assert.doesNotMatch(JSON.stringify(catalog.entries()), /"objects"/);
  });

  test('is one entry for all clusters that have it; one that is not ready there says why', async () => {
    await offered('DataSource', 'debian', 'east true', 'west false');
    assert.deepEqual(find('DataSource', 'debian')?.offers[1]?.message, 'PVC not found');
    await west.client.update(dataSources, {
      ...(await west.client.get(dataSources, { namespace: 'kubevirt-os-images', name: 'debian' })),
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    await offered('DataSource', 'debian', 'east true', 'west true');
  });

  test('is the same array as long as nothing has changed', () => {
    assert.equal(catalog.entries(), catalog.entries());
  });

  test('is what a new template adds, and a deleted one takes away', async () => {
    await east.client.create(templates, template('arch', ''));
    await offered('Template', 'arch', 'east true');
    await east.client.delete(templates, { namespace: 'openshift', name: 'arch' });
    await offered('Template', 'arch');
  });

  test('is looked for where the kind was not served before; the default cluster says what it is', async () => {
    await west.client.create(
      {
        group: 'apiextensions.k8s.io',
        version: 'v1',
        kind: 'CustomResourceDefinition',
        plural: 'customresourcedefinitions',
        namespaced: false,
      },
      definitionOf(templates),
    );
    await until('it is created', async () => {
      await west.client.create(templates, template('fedora', 'of the west'));
      return true;
    });
    await offered('Template', 'fedora', 'east true', 'west true');
    assert.equal(find('Template', 'fedora')?.entry.description, 'of the west');
    const fedora = { kind: 'Template', namespace: 'openshift', name: 'fedora' } as const;
    assert.equal(catalog.entryIn('east', fedora)?.description, 'of the east', 'each has its own');
    assert.equal(catalog.entryIn('nowhere', fedora), undefined);
  });

  test('is also what machines can be sized by there, as soon as that is served', async () => {
    await until('the east is read', () => catalog.known('east'));
    assert.deepEqual([catalog.instancetypes('east'), catalog.preference('east', 'fedora')], [[], false]);
    assert.equal(catalog.known('nowhere'), false);
    await install(east.client, ...[instancetypes, preferences].map(definitionOf));
    const spec = { cpu: { guest: 2 }, memory: { guest: '4Gi' } };
    await east.client.create(instancetypes, { metadata: { name: 'u1.medium' }, spec });
    await east.client.create(instancetypes, { metadata: { name: 'without' }, spec: {} });
    await east.client.create(preferences, { metadata: { name: 'fedora' } });
    await until(
      'both are read',
      () => catalog.preference('east', 'fedora') && catalog.instancetypes('east').length > 0,
    );
    const medium = { name: 'u1.medium', cpus: 2, memoryMb: 4096 };
    assert.deepEqual([catalog.instancetypes('east'), catalog.preferences('east')], [[medium], [{ name: 'fedora' }]]);
    assert.deepEqual(catalog.instancetype('east', 'u1.medium'), medium);
    assert.deepEqual([catalog.instancetypes('west'), catalog.instancetype('west', 'u1.medium')], [[], undefined]);
  });

  test('are also the storage classes, as they are now; nothing is known of them while they may be old', async () => {
    const names = (cluster: string): string =>
      catalog
        .storageClasses(cluster)
        ?.map(({ name }) => name)
        .join() ?? '?';
    const become = (cluster: string, expected: string): Promise<void> =>
      until(`the ${cluster} has ${expected}`, () => names(cluster) === expected);
    await become('east', '');
    assert.equal(catalog.storageClasses('nowhere'), undefined);
    const provisioner = 'csi.example';
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await east.client.create(storageClasses, { metadata: { name: 'slow' }, provisioner });
    await east.client.create(storageClasses, { metadata: { name: 'fast', annotations }, provisioner });
    await become('east', 'fast,slow');
    assert.equal(catalog.storageClasses('east')?.[0]?.isDefault, true);
    await east.client.delete(storageClasses, { name: 'slow' });
    await become('east', 'fast');
    west.faults.add({ kind: 'reset' });
    await become('west', '?');
    west.faults.clear();
    await become('west', '');
    await until('all is well', () => catalog.unavailable().length === 0);
  });

  test('is shown in metrics', async () => {
    const text = await registry.metrics();
    assert.match(text, /^ssvirt_catalog_entries\{cluster="east",kind="Template"\} 1$/m);
    assert.match(text, /^ssvirt_catalog_cluster_available\{cluster="west"\} 1$/m);
  });

  test('is kept, and cannot be used, while a cluster is unavailable', async () => {
    west.faults.add({ kind: 'reset' });
    await offered('Template', 'fedora', 'east true', 'west false');
    await until('it is said', () => catalog.unavailable().some(({ cluster }) => cluster === 'west'));
    assert.match(find('Template', 'fedora')?.offers[1]?.message ?? '', /does not answer/);
    assert.match(catalog.unavailable()[0]?.message ?? '', /does not answer/);
    west.faults.clear();
    await offered('Template', 'fedora', 'east true', 'west true');
    await until('all is well', () => catalog.unavailable().length === 0);
  });

  test('is said to be incomplete where a namespace may not be read', async () => {
    const path = '/apis/template.kubevirt.io/v1beta1/namespaces/openshift/virtualmachinetemplates';
    east.faults.add({ kind: '403', path });
    const other = createCatalogWatch({
      fleet,
      virtualMachineTemplateNamespaces: ['openshift', 'kubevirt-os-images'],
      defaultCluster: 'east',
      log: harness.log,
      registry: new Registry(),
      lookMs: 20,
    });
    // A second watch would share the cache of the running one. The new watch must get the refusal at its first read.
    await catalog.stop();
    fleet.serve(other);
    try {
      await until('it is said', () =>
        other
          .unavailable()
          .some(({ message }) => /virtualmachinetemplates\S* in openshift may not be read/.test(message)),
      );
      const debian = other.entries().find(({ entry }) => entry.name === 'debian');
      assert.equal(debian?.offers.find(({ cluster }) => cluster === 'east')?.available, true);
    } finally {
      east.faults.clear();
      await other.stop();
    }
  });

  test('is not known of a cluster that has never been reached, and is forgotten with the cluster', async () => {
    const other = createCatalogWatch({
      fleet,
      defaultCluster: 'east',
      log: harness.log,
      registry: new Registry(),
      lookMs: 20,
    });
    fleet.serve(other);
    try {
      await putConfig(harness.supervisor, 'nowhere', { url: 'https://127.0.0.1:1', ca: east.ca, token: 'x' });
      await until('nowhere is named', () => other.unavailable().some(({ cluster }) => cluster === 'nowhere'));
      await until('west is read', () => other.entries().some(({ offers }) => offers.some((o) => o.cluster === 'west')));
      await harness.supervisor.client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'west' });
      await until('west is gone', () => !JSON.stringify([other.entries(), other.unavailable()]).includes('west"'));
      assert.ok(other.entries().length > 0);
    } finally {
      await other.stop();
    }
  });
});
