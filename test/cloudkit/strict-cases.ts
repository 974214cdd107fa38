/**
 * The objects of orders, checked by an API server: its definitions refuse unknown fields, and KubeVirt's and CDI's
 * webhooks answer.
 */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import {
  dataVolumes,
  instances,
  namespaces,
  secrets,
  services,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import { fieldManager, orders } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { controllerReference, parentMarks } from '../../packages/kube/src/reconcile/owners.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { KubeLike } from '../../packages/ssvirt/src/kubevirt/tenant-vm/kube-like.ts';
import { buildOrder, type OrderBuildContext } from '../../packages/ssvirt/src/kubevirt/order/build.ts';
import type { OrderIdentity } from '../../packages/ssvirt/src/kubevirt/order/identity.ts';
import { readParameters } from '../../packages/ssvirt/src/kubevirt/order/parameters/parameters.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';

export interface Harness {
  readonly start: () => Promise<Credentials & { stop(): Promise<void> }>;
  /** Definitions that replace the sandbox's own. */
  readonly crds?: string;
}

interface Case {
  readonly parameters?: object;
  readonly name?: string;
  readonly around?: Partial<OrderBuildContext>;
  /** In the namespace of the order itself, which is then its owner. */
  readonly isOwn?: boolean;
}

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me@example.com';
const someoneElses = {
  sshPublicKey: { source: { secret: { secretName: 'other' } }, propagationMethod: { noCloud: {} } },
};

const cases: Readonly<Record<string, Case>> = {
  'nothing but a template': {},
  'numbers as texts': { parameters: { cpu_cores: '4', memory: '8Gi', disk_size: '50Gi' } },
  'numbers as numbers': { parameters: { cpu_cores: 64, memory: '512Gi', disk_size: '10Ti' } },
  'odd sizes': { parameters: { memory: '1536Mi', disk_size: '10737418241' } },
  'a key': { parameters: { ssh_public_key: key } },
  'a key among others': {
    parameters: { ssh_public_key: key },
    around: { live: { accessCredentials: [someoneElses] } },
  },
  'a key that was taken out': { around: { live: { accessCredentials: [someoneElses] } } },
  'user data': {
    parameters: { cloud_init_config: Buffer.from('#cloud-config\npackages: [nginx]\n').toString('base64') },
  },
  'long user data': {
    parameters: { cloud_init_config: Buffer.from(`#cloud-config\n#${'ü'.repeat(20_000)}\n`).toString('base64') },
  },
  'the same port by both protocols': { parameters: { exposed_ports: '53/tcp,53/udp' } },
  'many ports': { parameters: { exposed_ports: Array.from({ length: 40 }, (_, at) => `${1000 + at}/tcp`).join(',') } },
  'the last port': { parameters: { exposed_ports: '65535/udp' } },
  'an image with its scheme': { parameters: { image_source: 'docker://quay.io/containerdisks/fedora:42' } },
  'an image by its digest': { parameters: { image_source: `quay.io/containerdisks/fedora@sha256:${'a'.repeat(64)}` } },
  'a run strategy that a user has chosen': { around: { live: { runStrategy: 'Manual' } } },
  'a machine that is switched off': { around: { live: { running: false } } },
  'another binding': { around: { binding: 'l2bridge' } },
  "an instance of AAP's": { around: { instanceLabels: { 'cloudkit.openshift.io/computeinstance': 'web' } } },
  'the longest name': { name: `w${'e'.repeat(47)}b`, parameters: { ssh_public_key: key } },
  'the namespace of the order': { isOwn: true, parameters: { ssh_public_key: key } },
};

const namespace = 'tenant';
const strict = { dryRun: true, fieldValidation: 'Strict' } as const;
const types: ReadonlyMap<string, ResourceType<KubeObject>> = new Map(
  [dataVolumes, services, secrets as ResourceType<KubeObject>, virtualMachines].map((type) => [type.kind, type]),
);

export function strictCases({ start, crds }: Harness): void {
  let cluster: Awaited<ReturnType<Harness['start']>>;
  let client: Client;
  let simulators: Simulators;

  before(async () => {
    cluster = await start();
    client = createClient({ cluster: 'strict', source: fixedSource(cluster), userAgent: 'strict-test' });
    simulators = await startSimulators({
      source: fixedSource(cluster),
      name: 'strict',
      // Without nodes nothing ever runs; here the object only has to be accepted.
      parts: ['kubevirt', 'cdi'],
      ...defined({ crds }),
      log: pino({ level: 'silent' }),
    });
    await client.create(namespaces, { metadata: { name: namespace } });
  });
  after(async () => {
    await simulators?.stop({ leaveRegistered: true });
    await client?.close();
    await cluster?.stop();
  });

  /** As the operator sends it: the disk is created, the rest applied. */
  const check = async (object: KubeLike): Promise<void> => {
    const type = types.get(object.kind);
    assert.ok(type !== undefined, object.kind);
    await client.create<KubeObject>(type, object, strict);
    if (type !== dataVolumes) await client.apply<KubeObject>(type, object, { ...strict, fieldManager, force: true });
    if (type === virtualMachines) await client.create<KubeObject>(instances, instanceOf(object), strict);
  };

  for (const [what, asked] of Object.entries(cases))
    test(`what is made of an order is accepted: ${what}`, async () => {
      for (const object of objectsOf(asked)) await check(object);
    });

  test('each of them would be refused with one unknown field', async () => {
    const all = objectsOf({ parameters: { ssh_public_key: key } });
    assert.equal(all.length, 5);
    for (const object of all) {
      const { spec } = object as KubeLike & { readonly spec?: object };
      const odd = spec === undefined ? { odd: 1 } : { spec: { ...spec, odd: 1 } };
      await assert.rejects(check({ ...object, ...odd }), /odd/, object.kind);
    }
  });
}

function objectsOf({ parameters = {}, name = 'web', around = {}, isOwn = false }: Case): readonly KubeLike[] {
  const read = readParameters(JSON.stringify(parameters));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return buildOrder(identityOf(name, isOwn), read.parameters, {
    storageClass: 'standard',
    binding: 'masquerade',
    ...around,
  });
}

function identityOf(name: string, isOwn: boolean): OrderIdentity {
  const order = {
    metadata: { name, namespace: isOwn ? namespace : 'orders', uid: '00000000-0000-4000-8000-000000000001' },
  };
  return {
    ...order.metadata,
    tenantNamespace: namespace,
    marks: parentMarks(orders, order),
    ...(isOwn ? { owner: controllerReference(orders, order) } : {}),
  };
}

/** As KubeVirt creates it from the template in a VM: a refusal would show only when the VM starts. */
function instanceOf(vm: KubeLike): KubeObject & { readonly spec: object } {
  const { template } = vm['spec'] as { readonly template: { readonly metadata: object; readonly spec: object } };
  return { metadata: { namespace, name: vm.metadata.name, ...template.metadata }, spec: template.spec };
}
