import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mebibytes } from '@ssvirt/base/values/quantity';
import { defaultClusterNamespaces, type IpBlock, type VdcAccess, type VdcDescription } from './description.ts';
import { labels } from './labels.ts';
import { desiredObjects, newNamespace } from './objects.ts';
import { quotaOf } from './quota.ts';

const vdc: VdcDescription = {
  id: '7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11',
  name: 'production',
  description: 'Of the web team',
  namespace: 'acme-production-7d6a3c6e',
  enabled: true,
  organizationId: '0c0b2f14-9a0f-4b8e-8a0f-2f9d5a1c0b22',
  organizationName: 'acme',
  installationId: 'f3b1d7a2-0000-4000-8000-000000000001',
  vmQuota: 10,
  memoryLimitMb: 8192,
  storageLimitMb: 102_400,
};
const subject = { kind: 'ServiceAccount', namespace: 'ssvirt-system', name: 'ssvirt-api-server' };
const desired = (
  changes: Partial<VdcDescription> = {},
  access: Partial<VdcAccess> = {},
): ReturnType<typeof desiredObjects> =>
  desiredObjects({ ...vdc, ...changes }, defaultClusterNamespaces, { subject, servesTemplates: false, ...access });

suite('the namespace of a virtual data center', () => {
  const ids = [labels.installationId, labels.organizationId, labels.vdcId] as const;

  test('bears bare uuids as labels, URNs and names as annotations', () => {
    const { metadata } = desired().Namespace;
    assert.deepEqual(
      ids.map((key) => metadata.labels[key]),
      [vdc.installationId, vdc.organizationId, vdc.id],
    );
    assert.equal(metadata.labels['app.kubernetes.io/managed-by'], 'ssvirt');
    assert.equal(metadata.annotations?.['ssvirt.io/vdc-urn'], `urn:vcloud:vdc:${vdc.id}`);
    assert.equal(metadata.annotations?.['ssvirt.io/organization-urn'], `urn:vcloud:org:${vdc.organizationId}`);
    assert.equal(metadata.annotations?.['ssvirt.io/vdc'], 'production');
  });

  test('enforces the level of Pod Security that is set, `baseline` by default', () => {
    const enforce = 'pod-security.kubernetes.io/enforce';
    assert.equal(desired().Namespace.metadata.labels[enforce], 'baseline');
    const privileged = { ...defaultClusterNamespaces, podSecurity: 'privileged' } as const;
    const { Namespace } = desiredObjects(vdc, privileged, { subject, servesTemplates: false });
    assert.equal(Namespace.metadata.labels[enforce], 'privileged');
  });

  test('shows whose it is from its first moment', () => {
    const { metadata } = newNamespace(vdc);
    assert.equal(metadata.name, vdc.namespace);
    for (const key of ids) assert.equal(metadata.labels[key], desired().Namespace.metadata.labels[key]);
  });

  const names: readonly (readonly [reason: string, name: string, label: string | undefined])[] = [
    ['a plain name is a label too', 'web_1.prod', 'web_1.prod'],
    ['63 characters are one', 'x'.repeat(63), 'x'.repeat(63)],
    ['64 are none', 'x'.repeat(64), undefined],
    ['a space makes it none', 'Web team', undefined],
    ['letters of other scripts make it none', 'Übung', undefined],
    ['a dash at the end makes it none', 'web-', undefined],
    ['a newline makes it none', 'web\n', undefined],
  ];
  for (const [reason, name, label] of names)
    test(`of a name: ${reason}`, () => {
      const { metadata } = desired({ name, organizationName: name }).Namespace;
      assert.equal(metadata.labels[labels.vdc], label);
      assert.equal(metadata.labels[labels.organization], label);
      assert.equal(metadata.annotations?.[labels.vdc], name);
    });

  test('says whether it is enabled', () => {
    const enabled = (on: boolean): unknown =>
      desired({ enabled: on }).Namespace.metadata.annotations?.['ssvirt.io/vdc-enabled'];
    assert.deepEqual([enabled(true), enabled(false)], ['true', 'false']);
  });
});

suite('the quota of a virtual data center', () => {
  const cases: readonly (readonly [string, Partial<VdcDescription>, Readonly<Record<string, string>>])[] = [
    ['unlimited has no keys', { vmQuota: 0, memoryLimitMb: 0, storageLimitMb: 0 }, {}],
    [
      'machines alone are counted',
      { memoryLimitMb: 0, storageLimitMb: 0 },
      { 'count/virtualmachines.kubevirt.io': '10' },
    ],
    [
      'memory has room for the overhead of each machine, twice',
      { storageLimitMb: 0 },
      { 'count/virtualmachines.kubevirt.io': '10', 'requests.memory': `${2 * (8192 + 512 + 10 * 512)}Mi` },
    ],
    [
      'memory without a count has room for many small machines',
      { vmQuota: 0, memoryLimitMb: 1024, storageLimitMb: 0 },
      { 'requests.memory': `${2 * (1024 + 64 + 16 * 512)}Mi` },
    ],
    [
      'storage has room for file systems, and for the claims of an import',
      { vmQuota: 0, memoryLimitMb: 0, storageLimitMb: 1000 },
      { 'requests.storage': '3375Mi' },
    ],
  ];
  for (const [reason, changes, expected] of cases)
    test(reason, () => assert.deepEqual(quotaOf({ ...vdc, ...changes }), expected));

  test('is enough for one guest as recorded, migrating: 557 MiB for 256', () => {
    const memory = quotaOf({ ...vdc, vmQuota: 1, memoryLimitMb: 256 })['requests.memory'];
    assert.ok((mebibytes(memory) ?? 0) >= 2 * 557, memory);
  });

  test('never names a limit: KubeVirt would set limits on its launchers', () => {
    const keys = Object.keys(quotaOf(vdc));
    assert.ok(keys.length > 0);
    assert.deepEqual(
      keys.filter((key) => key.startsWith('limits.')),
      [],
    );
  });
});

test('the limits have a default request, and neither default, max nor min, which KubeVirt would take for its guests', () => {
  assert.deepEqual(desired().LimitRange.spec, {
    limits: [{ type: 'Container', defaultRequest: { cpu: '10m', memory: '64Mi' } }],
  });
});

suite('the isolation of a virtual data center', () => {
  test('lets in its own pods, CDI and the images, and says nothing of what goes out', () => {
    const clusterNamespaces = {
      ...defaultClusterNamespaces,
      importNamespaces: ['cdi'],
      imageNamespaces: ['images', 'cdi'],
    };
    const { spec } = desiredObjects(vdc, clusterNamespaces, { subject, servesTemplates: false }).NetworkPolicy;
    assert.deepEqual(spec, {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [
        { from: [{ podSelector: {} }] },
        {
          from: [
            {
              namespaceSelector: {
                matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['cdi', 'images'] }],
              },
            },
          ],
        },
      ],
    });
  });

  test('lets in no others where no namespace is named: an empty list would select all', () => {
    const clusterNamespaces = { ...defaultClusterNamespaces, importNamespaces: [], imageNamespaces: [] };
    const { spec } = desiredObjects(vdc, clusterNamespaces, { subject, servesTemplates: false }).NetworkPolicy;
    assert.deepEqual(spec?.['ingress'], [{ from: [{ podSelector: {} }] }]);
  });
});

suite('the pods that import disks', () => {
  const policy = (importNetworks?: readonly IpBlock[]): Readonly<Record<string, unknown>> => {
    const namespacesOf = { ...defaultClusterNamespaces, ...(importNetworks === undefined ? {} : { importNetworks }) };
    return desiredObjects(vdc, namespacesOf, { subject, servesTemplates: false }).ImporterPolicy.spec ?? {};
  };

  test('reach public networks, those that are allowed, and DNS', () => {
    const networks = [{ cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] }, { cidr: '10.1.0.0/16' }];
    const { policyTypes, egress } = policy(networks);
    assert.deepEqual(policyTypes, ['Egress']);
    const [to, dns, ...more] = egress as readonly { readonly to?: unknown; readonly ports?: readonly object[] }[];
    assert.deepEqual(to, { to: networks.map((ipBlock) => ({ ipBlock })) });
    assert.deepEqual(more, []);
    assert.deepEqual([dns?.to, dns?.ports?.[0]], [undefined, { protocol: 'UDP', port: 53 }]);
  });

  test('are selected, and not the pods that clone or upload', () => {
    assert.deepEqual(policy([])['podSelector'], {
      matchLabels: { app: 'containerized-data-importer', 'cdi.kubevirt.io': 'importer' },
    });
  });

  test('reach everything where they are not restricted', () => {
    assert.deepEqual(policy()['egress'], [{}]);
  });
});

suite('the rights in the namespace of a virtual data center', () => {
  const roleOf = (kind: 'RoleBinding' | 'TemplatesRoleBinding', servesTemplates: boolean): unknown =>
    desired({}, { servesTemplates })[kind]?.roleRef?.name;

  test('are bound to the account of the api-server, and to no other', () => {
    const { metadata, roleRef, subjects } = desired().RoleBinding;
    assert.deepEqual([metadata.namespace, metadata.name], [vdc.namespace, 'vdc-secrets']);
    assert.deepEqual(roleRef, {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'ssvirt-api-server-vdc',
    });
    assert.deepEqual(subjects, [subject]);
  });

  test('include those for templates only where the cluster serves templates', () => {
    assert.equal(roleOf('TemplatesRoleBinding', false), undefined);
    assert.equal(roleOf('TemplatesRoleBinding', true), 'ssvirt-api-server-templates');
    assert.equal(roleOf('RoleBinding', true), 'ssvirt-api-server-vdc');
  });
});
