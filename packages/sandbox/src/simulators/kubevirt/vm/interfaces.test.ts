import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { VmiSpec } from '../objects.ts';
import { template, vmi } from './builders.fixture.ts';
import { interfaceChange } from './interfaces.ts';

interface Nic {
  readonly [field: string]: string | Record<string, never>;
  readonly name: string;
}
const pod: Nic = { name: 'default', masquerade: {} };
const blue: Nic = { name: 'blue', bridge: {} };
const spec = (...interfaces: readonly Nic[]): VmiSpec =>
  template({
    domain: { devices: { interfaces: [...interfaces] } },
    networks: interfaces.map(({ name }) => (name === 'default' ? { name, pod: {} } : { name, multus: {} })),
  });
const running = (has: VmiSpec, ...inGuest: readonly string[]) =>
  vmi('Running', { spec: has, status: { interfaces: inGuest.map((name) => ({ name })) } });
const interfacesIn = ({ operations }: ReturnType<typeof interfaceChange>): unknown =>
  operations.find(({ op, path }) => op === 'add' && path.endsWith('interfaces'))?.value;

suite('interfaces of a VMI that runs', () => {
  test('nothing is written where nothing differs', () => {
    assert.deepEqual(interfaceChange(spec(pod), running(spec(pod), 'default')).operations, []);
  });

  test('a bridge is plugged in with its network', () => {
    const change = interfaceChange(spec(pod, blue), running(spec(pod), 'default'));
    assert.deepEqual(interfacesIn(change), [pod, blue]);
    assert.deepEqual(change.operations.find(({ op, path }) => op === 'add' && path === '/spec/networks')?.value, [
      { name: 'default', pod: {} },
      { name: 'blue', multus: {} },
    ]);
  });

  test('another binding is not', () => {
    const change = interfaceChange(spec(pod, { name: 'second', masquerade: {} }), running(spec(pod), 'default'));
    assert.deepEqual(change.operations, []);
  });

  test('one that is to be absent goes from the guest first, and from both specs then', () => {
    const absent: Nic = { ...blue, state: 'absent' };
    const going = interfaceChange(spec(pod, absent), running(spec(pod, blue), 'default', 'blue'));
    assert.deepEqual(interfacesIn(going), [pod, absent]);
    const gone = interfaceChange(spec(pod, absent), running(spec(pod, absent), 'default'));
    assert.deepEqual(interfacesIn(gone), [pod]);
    assert.deepEqual(gone.template.networks, [{ name: 'default', pod: {} }]);
  });

  test('a link goes down and up', () => {
    const down: Nic = { ...pod, state: 'down' };
    assert.deepEqual(interfacesIn(interfaceChange(spec(down), running(spec(pod), 'default'))), [down]);
    assert.deepEqual(interfacesIn(interfaceChange(spec(pod), running(spec(down), 'default'))), [pod]);
  });
});
