/**
 * What a kube-apiserver with the roles of deploy/rbac and its policies refuses to the accounts of ssvirt: every way by
 * which one of them could become an administrator of the cluster. Each attack runs once with the roles as shipped, and
 * once with accounts that are cluster administrators: what is refused then is refused by the policies alone. The same
 * server shows which pods the namespaces of VDCs admit.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { install } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { installManifests, manifests } from '../vm-status/manifests.ts';
import type { Attack } from './attack.ts';
import {
  accountVolume,
  attackedKinds,
  claim,
  claimsOf,
  cloudInit,
  dataVolume,
  disk,
  disksOf,
  objectAttacks,
  virtualMachine,
  vmsOf,
} from './object-attacks.ts';
import { podSecurityCases } from './pod-security.ts';

const home = 'ssvirt-system';
const vdc = 'acme-web';
const machines = 'team-made';
const tenant = 'tenant-a';
const foreign = 'foreign';
/** Marked for Machines, with a value that does not allow them. */
const closed = 'closed';
/** An administrator allows Machines in it. */
const opened = 'opened';
const fleet = 'kubevirt-configs';
const processes = ['api-server', 'vm-controller', 'machine-operator', 'cloudkit-operator'] as const;
type Process = (typeof processes)[number];

const secretsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/secrets`;
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const marks = { 'ssvirt.io/vm-id': 'any', 'ssvirt.io/parent-uid': 'any' };
const secret = (type: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type,
  metadata: { generateName: 'attack-', labels: marks, ...more },
});
const token = secret('kubernetes.io/service-account-token', {
  annotations: { 'kubernetes.io/service-account.name': 'default' },
});
const binding = (process: Process, role: string, account = `ssvirt-${process}`): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { generateName: 'attack-' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'ServiceAccount', namespace: home, name: account }],
});
interface TakenSecret {
  readonly process: Process;
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}
/** Secrets that exist before an account takes them over, and those that it has created. */
const takenSecrets: readonly TakenSecret[] = [
  { process: 'api-server', namespace: vdc, name: 'of-vm', labels: { 'ssvirt.io/vm-id': 'any' } },
  { process: 'api-server', namespace: vdc, name: 'of-vapp', labels: { 'vapp.ssvirt.io/vapp-id': 'any' } },
  { process: 'machine-operator', namespace: machines, name: 'own', labels: { 'ssvirt.io/parent-uid': 'any' } },
  {
    process: 'machine-operator',
    namespace: machines,
    name: 'of-original-operator',
    labels: { 'vitistack.io/managed-by': 'kubevirt-operator', 'vitistack.io/machine': 'web' },
  },
  {
    process: 'machine-operator',
    namespace: machines,
    name: 'without-labels',
    annotations: { 'ssvirt.io/parent': `${machines}/web` },
  },
  ...['cloudkit.openshift.io/virtualmachine', 'cloudkit.openshift.io/computeinstance'].map((label, at) => ({
    process: 'cloudkit-operator' as const,
    namespace: tenant,
    name: `of-aap-${at}`,
    labels: { [label]: 'web' },
  })),
  { process: 'cloudkit-operator', namespace: tenant, name: 'of-order', labels: { 'ssvirt.io/parent-uid': 'any' } },
];
/** A role that the account may bind, if it may bind any. */
const ownRole: Readonly<Record<Process, string>> = {
  'api-server': 'ssvirt-api-server-vdc',
  'vm-controller': 'ssvirt-api-server-vdc',
  'machine-operator': 'ssvirt-machine-operator-secrets',
  'cloudkit-operator': 'ssvirt-cloudkit-operator-secrets',
};

function attacksOf(process: Process): readonly Attack[] {
  const account = `ssvirt-${process}`;
  const all = [vdc, machines, tenant, foreign, 'kube-system', home];
  return [
    ...['kube-system', foreign, home].flatMap((namespace): readonly Attack[] => [
      {
        what: `a Secret in ${namespace} without our label`,
        method: 'POST',
        path: secretsOf(namespace),
        body: secret('Opaque', { labels: {} }),
      },
      {
        what: `a Secret in ${namespace}`,
        method: 'POST',
        path: secretsOf(namespace),
        body: secret('Opaque'),
        isByRoles: true,
      },
      { what: `reading Secrets of ${namespace}`, method: 'GET', path: secretsOf(namespace), isByRoles: true },
      {
        what: `reading one Secret of ${namespace}`,
        method: 'GET',
        path: `${secretsOf(namespace)}/any`,
        isByRoles: true,
      },
    ]),
    ...all.map((namespace): Attack => ({
      what: `a service-account-token Secret in ${namespace}`,
      method: 'POST',
      path: secretsOf(namespace),
      body: token,
    })),
    ...[vdc, machines, tenant].flatMap((namespace): readonly Attack[] => [
      {
        what: `a change of a Secret of others in ${namespace}`,
        method: 'PATCH',
        path: `${secretsOf(namespace)}/of-another`,
        body: { metadata: { labels: marks }, stringData: { any: 'any' } },
      },
      {
        what: `the end of a Secret of others in ${namespace}`,
        method: 'DELETE',
        path: `${secretsOf(namespace)}/of-another`,
      },
    ]),
    ...objectAttacks({ system: ['kube-system', home, fleet, 'openshift-any'], foreign, vdc, machines, tenant }),
    ...['kube-system', foreign, tenant, closed, 'openshift-any'].map((namespace): Attack => ({
      what: `a RoleBinding of our role in ${namespace}`,
      method: 'POST',
      path: `${rbac}/namespaces/${namespace}/rolebindings`,
      body: binding(process, ownRole[process]),
    })),
    {
      what: 'a RoleBinding of cluster-admin in a namespace of ours',
      method: 'POST',
      path: `${rbac}/namespaces/${vdc}/rolebindings`,
      body: binding(process, 'cluster-admin'),
    },
    {
      what: 'a RoleBinding of our role to another account',
      method: 'POST',
      path: `${rbac}/namespaces/${vdc}/rolebindings`,
      body: binding(process, ownRole[process], 'default'),
    },
    ...[foreign, 'kube-system'].flatMap((namespace): readonly Attack[] => [
      {
        what: `our label on ${namespace}`,
        method: 'PATCH',
        path: `/api/v1/namespaces/${namespace}`,
        body: { metadata: { labels: { 'ssvirt.io/vdc-id': 'any', 'vitistack.io/supervisor': 'any' } } },
      },
      {
        what: `our annotation on ${namespace}`,
        method: 'PATCH',
        path: `/api/v1/namespaces/${namespace}`,
        body: {
          metadata: { annotations: { 'ssvirt.io/vdc-urn': 'any', 'vitistack.io/allow-machines': 'true' } },
        },
      },
    ]),
    { what: 'the end of a foreign namespace', method: 'DELETE', path: `/api/v1/namespaces/${foreign}` },
    {
      what: 'a namespace without our label',
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'attack-' } },
    },
    {
      what: 'an edit of its own ClusterRole',
      method: 'PATCH',
      path: `${rbac}/clusterroles/${account}`,
      body: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
    },
    {
      what: 'an edit of the role that is bound in namespaces',
      method: 'PATCH',
      path: `${rbac}/clusterroles/${ownRole[process]}`,
      body: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
    },
    {
      what: 'a ClusterRoleBinding',
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body: { ...binding(process, ownRole[process]), kind: 'ClusterRoleBinding' },
    },
    {
      what: 'a token of another account',
      method: 'POST',
      path: `/api/v1/namespaces/kube-system/serviceaccounts/default/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    },
  ];
}

describe('the accounts of ssvirt on a kube-apiserver', () => {
  let cluster: Cluster;
  let admin: Client;
  const clients = new Map<Process, Client>();

  async function tokenOf(process: Process): Promise<string> {
    const { body } = await admin.request({
      method: 'POST',
      path: `/api/v1/namespaces/${home}/serviceaccounts/ssvirt-${process}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
    });
    return (body as { readonly status: { readonly token: string } }).status.token;
  }

  /** The code and the text of the answer. It is a dry run. */
  async function tried(client: Client, { method, path, body }: Attack): Promise<string> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    try {
      const query = method === 'GET' ? {} : { dryRun: 'All' };
      const { code } = await client.request({
        method,
        path,
        query,
        contentType,
        ...defined({ body }),
      });
      return String(code);
    } catch (error) {
      if (error instanceof KubeError && error.code !== undefined) return `${error.code} ${error.message}`;
      throw error;
    }
  }

  before(async () => {
    cluster = await startRealCluster();
    admin = createClient({ cluster: 'real', source: fixedSource(cluster), userAgent: 'rbac-admin' });
    await install(admin, ...attackedKinds);
    const labelled: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      [home]: {},
      [fleet]: {},
      'openshift-any': { 'vitistack.io/supervisor': 'any', 'vitistack.io/allow-machines': 'true' },
      [vdc]: { 'ssvirt.io/vdc-id': 'any' },
      [machines]: { 'vitistack.io/supervisor': 'any' },
      [tenant]: { 'cloudkit.openshift.io/project': 'orders' },
      [foreign]: {},
      [closed]: { 'vitistack.io/allow-machines': 'false' },
      [opened]: {},
    };
    for (const [name, labels] of Object.entries(labelled))
      await admin.create(namespaces, { metadata: { name, labels } });
    const annotated = (name: string, value: string): Promise<unknown> =>
      admin.request({
        method: 'PATCH',
        path: `/api/v1/namespaces/${name}`,
        contentType: 'application/merge-patch+json',
        body: { metadata: { annotations: { 'vitistack.io/allow-machines': value } } },
      });
    await annotated(closed, 'no');
    await annotated(opened, '5b0b9a4e-0000-4000-8000-00000000a001');
    const others = [
      ['configmaps', tenant, { metadata: { name: 'of-another' } }],
      ['services', tenant, { metadata: { name: 'of-another' }, spec: { ports: [{ port: 80 }] } }],
      [
        'services',
        tenant,
        {
          metadata: { name: 'of-aap', labels: { 'cloudkit.openshift.io/virtualmachine': 'web' } },
          spec: { ports: [{ port: 80 }] },
        },
      ],
      ...[vdc, machines, tenant].map(
        (namespace) => ['secrets', namespace, { metadata: { name: 'of-another' } }] as const,
      ),
      ...takenSecrets.map(
        ({ namespace, name, ...marks }) => ['secrets', namespace, { metadata: { name, ...marks } }] as const,
      ),
    ] as const;
    for (const [plural, namespace, body] of others)
      await admin.request({ method: 'POST', path: `/api/v1/namespaces/${namespace}/${plural}`, body });
    await admin.request({
      method: 'POST',
      path: vmsOf(foreign),
      body: { ...virtualMachine([disk, cloudInit, accountVolume]), metadata: { name: 'adopted' } },
    });
    for (const process of processes) await installManifests(admin, manifests(`${process}.yaml`));
    const own = ['ssvirt-machine-operator-namespaces'];
    await installManifests(
      admin,
      manifests('machine-operator-member.yaml').filter(({ metadata: { name = '' } }) => own.includes(name)),
    );
    await installManifests(admin, manifests('policies.yaml'));
    // What the api-server and an administrator create: the accounts have their Secrets here, and no others.
    const bound: readonly (readonly [string, Process, string])[] = [
      [vdc, 'api-server', 'ssvirt-api-server-vdc'],
      [machines, 'machine-operator', 'ssvirt-machine-operator-secrets'],
      [tenant, 'cloudkit-operator', 'ssvirt-cloudkit-operator-secrets'],
    ];
    for (const [namespace, process, role] of bound)
      await admin.request({
        method: 'POST',
        path: `${rbac}/namespaces/${namespace}/rolebindings`,
        body: binding(process, role),
      });
    for (const process of processes) {
      const source = fixedSource({ ...cluster, token: await tokenOf(process) });
      clients.set(process, createClient({ cluster: 'real', source, userAgent: 'rbac-test' }));
    }
    const client = clientOf('api-server');
    const attack: Attack = { what: '', method: 'POST', path: secretsOf(vdc), body: token };
    // The tests name what is not refused to an account that is never bound.
    await until(
      'the policies are known',
      async () => (await tried(client, attack)).includes('ValidatingAdmissionPolicy'),
      {
        deadlineMs: 20_000,
      },
    ).catch(() => undefined);
  });
  after(async () => {
    for (const client of clients.values()) await client.close();
    await admin?.close();
    await cluster?.stop();
  });

  function clientOf(process: Process): Client {
    const client = clients.get(process);
    assert.ok(client !== undefined);
    return client;
  }

  test('each writes Secrets where it is bound, so that what follows is not refused for another reason', async () => {
    for (const [process, namespace] of [
      ['api-server', vdc],
      ['machine-operator', machines],
      ['cloudkit-operator', tenant],
    ] as const) {
      const attack: Attack = { what: '', method: 'POST', path: secretsOf(namespace), body: secret('Opaque') };
      const mayWrite = async (): Promise<boolean> => (await tried(clientOf(process), attack)) === '201';
      await until(`the ${process} writes in ${namespace}`, mayWrite, { deadlineMs: 30_000 });
    }
  });

  test('each binds its role to itself in a namespace that bears a label of ssvirt', async () => {
    for (const [process, namespace] of [
      ['api-server', vdc],
      ['machine-operator', machines],
      ['machine-operator', opened],
    ] as const) {
      const body = binding(process, ownRole[process]);
      const path = `${rbac}/namespaces/${namespace}/rolebindings`;
      assert.equal(await tried(clientOf(process), { what: '', method: 'POST', path, body }), '201', process);
    }
  });

  test('each writes what it makes where it works', async () => {
    const own = { 'ssvirt.io/parent-uid': 'any' };
    const labels = { metadata: { labels: own } };
    const http = { http: { url: 'https://images.example/disk.img' } };
    const works: readonly (readonly [Process, Attack['method'], string, object])[] = [
      ['api-server', 'POST', vmsOf(vdc), virtualMachine([disk, cloudInit])],
      ['api-server', 'POST', disksOf(vdc), dataVolume(http)],
      ['machine-operator', 'POST', vmsOf(machines), virtualMachine([disk, cloudInit])],
      ['machine-operator', 'POST', vmsOf(opened), virtualMachine([disk, cloudInit])],
      // In the supervisor, a namespace that is not bound: a Machine without cloud-init data, and an adoption.
      ['machine-operator', 'POST', vmsOf(foreign), virtualMachine([disk])],
      ['machine-operator', 'POST', disksOf(foreign), dataVolume(http)],
      ['machine-operator', 'POST', claimsOf(foreign), claim({})],
      ['machine-operator', 'PATCH', `${vmsOf(foreign)}/adopted`, labels],
      ['cloudkit-operator', 'POST', vmsOf(tenant), virtualMachine([disk, cloudInit])],
      ['cloudkit-operator', 'POST', disksOf(tenant), dataVolume(http)],
      [
        'cloudkit-operator',
        'POST',
        `/api/v1/namespaces/${tenant}/configmaps`,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-', labels: own } },
      ],
      ['cloudkit-operator', 'PATCH', `/api/v1/namespaces/${tenant}/services/of-aap`, labels],
    ];
    for (const [process, method, path, body] of works) {
      const answer = await tried(clientOf(process), { what: '', method, path, body });
      assert.match(answer, /^20[01]$/, `${process} ${method} ${path}`);
    }
  });

  for (const { process, namespace, name } of takenSecrets)
    test(`the ${process} changes and deletes the Secret ${name}`, async () => {
      const path = `${secretsOf(namespace)}/${name}`;
      const body = { metadata: { labels: marks } };
      for (const method of ['PATCH', 'DELETE'] as const) {
        const attack: Attack = { what: '', method, path, ...(method === 'PATCH' ? { body } : {}) };
        assert.equal(await tried(clientOf(process), attack), '200', method);
      }
    });

  for (const process of processes)
    for (const attack of attacksOf(process))
      test(`the ${process} is refused ${attack.what}`, async () => {
        assert.match(await tried(clientOf(process), attack), /^403 /);
      });

  describe('that were made cluster administrators', () => {
    before(async () => {
      const all = processes.map((process) => ({ kind: 'ServiceAccount', namespace: home, name: `ssvirt-${process}` }));
      await admin.request({
        method: 'POST',
        path: `${rbac}/clusterrolebindings`,
        body: {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'too-much' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
          subjects: all,
        },
      });
      const reading: Attack = { what: '', method: 'GET', path: secretsOf('kube-system') };
      for (const process of processes)
        await until(`the ${process} is one`, async () => (await tried(clientOf(process), reading)) === '200', {
          deadlineMs: 30_000,
        });
    });

    for (const process of processes)
      for (const attack of attacksOf(process).filter(({ isByRoles }) => isByRoles !== true))
        test(`the policies refuse the ${process} ${attack.what}`, async () => {
          assert.match(await tried(clientOf(process), attack), /^403 .*ValidatingAdmissionPolicy/);
        });
  });

  podSecurityCases(() => admin);

  test('an administrator is held to nothing by the policies', async () => {
    const [first] = processes;
    for (const attack of attacksOf(first).filter(({ method }) => method !== 'GET'))
      assert.match(await tried(admin, attack), /^20[01]$/, attack.what);
  });
});
