/** Lists of Machines and orders, as the process provides them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import { noSupervisor, type MachineEntry, type OrderEntry, type SupervisorSource } from './source.ts';

const common = {
  createdAt: '2026-02-01T12:00:00Z',
  isBeingDeleted: false,
  reason: 'Running',
  message: 'it runs',
  vmName: 'web-vm',
  ipAddresses: ['10.0.0.4'],
};

function machine(namespace: string, name: string): MachineEntry {
  const rest = { phase: 'Running', isReady: true, restartRequired: false, cluster: 'east', nodeName: 'n1' };
  return { ...common, ...rest, namespace, name };
}

const order: OrderEntry = {
  ...common,
  namespace: 'orders',
  name: 'web',
  templateId: 'osac.templates.ocp_virt_vm',
  phase: 'Ready',
  provisionedBy: 'controller',
  isAvailable: true,
  desiredConfigVersion: 'v2',
  reconciledConfigVersion: 'v2',
  vmNamespace: 'tenant-a',
};

suite('the provider is shown, from the supervisor,', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let provider: Person;
  let source: SupervisorSource;
  before(async () => {
    api = await startApi({ supervisor: { machines: () => source.machines(), orders: () => source.orders() } });
    provider = await api.person('System Administrator');
  });
  after(() => api.stop());

  const get = (path: string) => api.ask('GET', `/cloudapi/1.0.0/${path}`, { token: provider.token });

  test('Machines by namespace and name, in pages, and whether they are current', async () => {
    const entries = [machine('b', 'web'), machine('a', 'web'), machine('a', 'db')];
    source = { ...noSupervisor, machines: () => ({ entries, stale: true }) };
    const { status, body, text } = await get('machines?pageSize=2');
    assert.equal(status, 200, text);
    assert.deepEqual([body['resultTotal'], body['pageCount']], [3, 2]);
    assert.deepEqual(body['values'], [
      { ...machine('a', 'db'), stale: true },
      { ...machine('a', 'web'), stale: true },
    ]);
    assert.equal((await get('machines?filter=name==web')).status, 400);
    assert.equal((await get('machines?sortAsc=name')).status, 400);
  });

  test('orders', async () => {
    source = { ...noSupervisor, orders: () => ({ entries: [order], stale: false }) };
    assert.deepEqual((await get('orders')).body['values'], [{ ...order, stale: false }]);
  });

  test('why there is no list, if there is none', async () => {
    source = noSupervisor;
    const { status, body } = await get('machines');
    assert.deepEqual([status, body['minorErrorCode']], [503, 'SERVICE_UNAVAILABLE']);
    assert.equal(body['message'], 'The Machines cannot be listed: this server is not connected to a supervisor.');
    assert.match((await get('orders')).text, /The orders cannot be listed: /);
  });

  test('nothing of this to tenants', async () => {
    const { token } = await api.person('Organization Administrator');
    for (const path of ['machines', 'orders'])
      assert.equal((await api.ask('GET', `/cloudapi/1.0.0/${path}`, { token })).status, 403);
  });
});
