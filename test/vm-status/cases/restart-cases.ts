/** Tests that change the clock or restart the controller, so they run one after another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, power, remove } from '../machines.ts';
import type { Running, Scene } from '../scene.ts';

export function restartTests(scene: () => Scene, running: () => Running, replace: (by: Running) => void): void {
  test('a trouble that is too young shows its sentence and no failure; a restart makes an old one no younger', async () => {
    const { rows, client, clock } = scene();
    const { namespace, vapp } = await scene().place('young');
    await create(client, { namespace, vappId: vapp.id, claim: 'data' });
    const [row] = await rows.until('the tenant is told', namespace, ([one]) => one?.fault_reason === 'DISK_MISSING');
    assert.equal(row?.status, 'POWERING_ON');
    clock.leap(60_000);
    await rows.status(namespace, 'FAILED');
    await running().stop();
    replace(await scene().control());
    // The VM changes, so that its row shows when the new controller has seen it.
    const body = { spec: { template: { spec: { domain: { cpu: { cores: 1 } } } } } };
    await scene().patchMachine(namespace, body);
    await create(client, { namespace, name: 'other', vappId: vapp.id, on: false });
    const all = await rows.until('the other is there', namespace, (both) => both[1]?.status === 'POWERED_OFF');
    assert.equal(all[0]?.status, 'FAILED');
  });

  test('changes without a watcher are found: machines that went, changed, came, or were made again', async () => {
    const { rows, client } = scene();
    const { namespace, vapp } = await scene().place('unseen');
    for (const name of ['goes', 'starts', 'again'])
      await create(client, { namespace, name, vappId: vapp.id, on: false });
    const before = await rows.until('all are off', namespace, (all) => all.filter(isOff).length === 3);
    await running().stop();
    await Promise.all(['goes', 'again'].map((name) => remove(client, namespace, name)));
    await scene().untilGone(namespace, ['goes', 'again']);
    await power(client, namespace, 'start', 'starts');
    await create(client, { namespace, name: 'again', vappId: vapp.id, on: false });
    await create(client, { namespace, name: 'comes', vappId: vapp.id, on: false });
    replace(await scene().control());
    const shown = await rows.until('all is found', namespace, (all) => {
      const of = (id: string | undefined): string | undefined => all.find((row) => row.id === id)?.status;
      const [goes, starts, again] = ['goes', 'starts', 'again'].map((name) =>
        of(before.find((row) => row.vm_name === name)?.id),
      );
      return goes === 'DELETED' && starts === 'POWERED_ON' && again === 'DELETED' && all.length === 5;
    });
    const fresh = shown.filter(({ id }) => before.every((row) => row.id !== id));
    assert.deepEqual(fresh.map(({ vm_name, status }) => `${vm_name} ${status}`).sort(), [
      'again POWERED_OFF',
      'comes POWERED_OFF',
    ]);
  });
}

const isOff = ({ status }: { readonly status: string }): boolean => status === 'POWERED_OFF';
