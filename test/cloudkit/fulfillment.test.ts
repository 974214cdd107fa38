/** What the fulfillment service writes and reads: its view of an order is right at each step, in both modes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { annotations, type Mode } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { isMachineReady } from '../../packages/ssvirt/src/kubevirt/order/observation.ts';
import { until } from '../runtime/until.ts';
import { children, DualHarness } from './aap/harness.ts';
import { look, nativeTemplate, ordersNamespace, patient } from './harness.ts';

const uuidLabel = 'cloudkit.openshift.io/virtualmachine-uuid';
const tenantAnnotation = 'cloudkit.openshift.io/tenant';
const addressAnnotation = 'cloudkit.openshift.io/floating-ip-address';

/** In the form of the API, by the names of its own schema. */
interface View {
  readonly state: 'PROGRESSING' | 'READY' | 'FAILED';
  readonly progressing: boolean | undefined;
  readonly ready: boolean | undefined;
  readonly address: string | undefined;
}

type Parameters = Readonly<Record<string, string>>;

/** Parameters in JSON as protobuf encodes them: integers of 64 bits are strings, and names are sorted. */
const full: Parameters = {
  cloud_init_config: Buffer.from('#cloud-config\n').toString('base64'),
  cpu_cores: '2',
  disk_size: '10Gi',
  exposed_ports: '22/tcp',
  image_source: 'quay.io/containerdisks/fedora:latest',
  memory: '2Gi',
};

class FulfillmentService {
  readonly #client: Client;
  readonly #known = new Map<string, View>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Annotations are written here and never again. */
  async create(id: string, templateID: string, parameters: Parameters, by: Mode): Promise<string> {
    const { metadata } = await this.#client.create(orders, {
      metadata: {
        namespace: ordersNamespace,
        generateName: 'vm-',
        labels: { [uuidLabel]: id },
        annotations: { [tenantAnnotation]: 'team-a', [annotations.managedBy]: by },
      },
      spec: { templateID, templateParameters: JSON.stringify(parameters) },
    });
    return metadata.name ?? '';
  }

  async update(id: string, templateID: string, parameters: Parameters): Promise<void> {
    const { metadata } = await this.#find(id);
    const body = { spec: { templateID, templateParameters: JSON.stringify(parameters) } };
    const key = { namespace: ordersNamespace, name: metadata.name ?? '' };
    await this.#client.patch(orders, key, { type: 'merge', body });
  }

  async delete(id: string): Promise<void> {
    const { metadata } = await this.#find(id);
    await this.#client.delete(orders, { namespace: ordersNamespace, name: metadata.name ?? '' });
  }

  /** The status that the operator's feedback has produced; during deletion, the status before it. */
  async read(id: string): Promise<View> {
    const order = await this.#find(id);
    const before = this.#known.get(id) ?? {
      state: 'PROGRESSING',
      progressing: false,
      ready: false,
      address: undefined,
    };
    if (order.metadata.deletionTimestamp !== undefined) return before;
    const view = viewOf(order, before);
    this.#known.set(id, view);
    return view;
  }

  async #find(id: string): Promise<Order> {
    const labelSelector = `${uuidLabel}=${id}`;
    const { items } = await this.#client.list(orders, { namespace: ordersNamespace, labelSelector });
    assert.equal(items.length, 1);
    const [order] = items;
    assert.ok(order !== undefined);
    return order;
  }
}

function viewOf(order: Order, before: View): View {
  const says = (type: string): boolean | undefined => {
    const status = findCondition(order.status?.conditions, type)?.status;
    return status === undefined ? undefined : status === 'True';
  };
  const address = order.metadata.annotations?.[addressAnnotation] ?? '';
  return {
    state: stateOf(order) ?? before.state,
    progressing: says('Progressing') === true ? true : says('Accepted'),
    ready: says('Available'),
    address: address === '' ? before.address : address,
  };
}

function stateOf({ status }: Order): View['state'] | undefined {
  switch (status?.phase) {
    case 'Progressing':
      return 'PROGRESSING';
    case 'Ready':
      return 'READY';
    case 'Failed':
      return 'FAILED';
    default:
      return undefined;
  }
}

let harness: DualHarness;
let service: FulfillmentService;
before(async () => {
  harness = await DualHarness.start({ stepMs: 30 });
  harness.operate();
  service = new FulfillmentService(harness.cloudkit.client);
});
after(() => harness.stop());

/** The states until it is ready, each once. */
async function passes(id: string, what: string, isThere: (view: View) => boolean): Promise<readonly string[]> {
  const states: string[] = [];
  await until(
    `the service sees that ${id} ${what}`,
    async () => {
      const view = await service.read(id);
      if (states.at(-1) !== view.state) states.push(view.state);
      if (isThere(view)) return true;
      throw new Error(JSON.stringify(view));
    },
    patient,
  );
  return states;
}

const isReady = ({ state, ready }: View): boolean => state === 'READY' && ready === true;

for (const mode of ['controller', 'aap'] as const)
  test(`the fulfillment service sees an order of mode ${mode} progress, become ready, change and go`, async () => {
    const id = `0198-${mode}`;
    const name = await service.create(id, nativeTemplate, full, mode);
    assert.match(name, /^vm-/);
    assert.deepEqual(await passes(id, 'is ready', isReady), ['PROGRESSING', 'READY']);
    const key = { namespace: ordersNamespace, name };
    const vm = await look(harness.cloudkit.client, virtualMachines, key);
    assert.ok(isMachineReady(vm));
    assert.equal((await service.read(id)).progressing, true);
    // The controller shows the address of the Service there; the role that AAP runs for this template creates none.
    if (mode === 'controller') await passes(id, 'has an address', ({ address }) => address !== undefined);
    else assert.equal((await service.read(id)).address, undefined);

    await service.update(id, nativeTemplate, { ...full, cpu_cores: '4' });
    await harness.cloudkit.reaches(
      name,
      'is seen',
      ({ metadata, status }) => status?.observedGeneration === metadata.generation,
    );
    const changed = await passes(id, 'is ready again', isReady);
    assert.ok(!changed.includes('FAILED'));
    await harness.ready(name);
    assert.match(JSON.stringify(await look(harness.cloudkit.client, virtualMachines, key)), /"cores":4/);
    // What the service has written is unchanged.
    const { metadata } = await harness.cloudkit.read(name);
    assert.equal(metadata.labels?.[uuidLabel], id);
    assert.equal(metadata.annotations?.[tenantAnnotation], 'team-a');

    if (mode === 'controller') {
      await service.update(id, nativeTemplate, { ...full, cpu_cores: 'many' });
      await passes(id, 'has failed', ({ state }) => state === 'FAILED');
      const refused = await service.read(id);
      // The VM continues to run unchanged.
      assert.deepEqual([refused.progressing, refused.ready], [false, true]);
      await service.update(id, nativeTemplate, { ...full, cpu_cores: '4' });
      await passes(id, 'is ready after that', isReady);
    }

    await service.delete(id);
    await harness.cloudkit.gone(name);
    for (const { type, suffix } of children)
      assert.equal(await look(harness.cloudkit.client, type, { ...key, name: `${name}${suffix}` }), undefined);
  });

test('the fulfillment service sees the floating IP that AAP has given', async () => {
  const id = '0198-float';
  await service.create(id, 'osac.massopencloud.ocp_virt_vm', full, 'aap');
  await passes(id, 'is ready', isReady);
  await passes(id, 'has its address', ({ address }) => address === '192.0.2.77');
  assert.equal((await service.read(id)).state, 'READY');
});
