import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFleetHarness } from '../../../../../../test/fleet/harness.ts';
import { patient } from '../../../../../../test/machine-operator/harness.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { secrets } from '../../../fleet/kinds.ts';
import { keyOf } from '@ssvirt/kube/object';
import { SecretVersions } from './secret-versions.ts';

test('a caller that needs a Secret learns when it is known whether it exists, and no Secret is watched without a caller', async (t) => {
  const fleets = await startFleetHarness();
  t.after(() => fleets.stop());
  const { fleet, end } = fleets.fleet();
  t.after(end);
  const told: string[] = [];
  const versions = new SecretVersions(fleet.local, (key) => void told.push(keyOf(key)));
  const absent = { namespace: 'default', name: 'absent' };
  assert.equal(versions.versionOf(absent), undefined);
  await until('it is told of one that is not there', () => told.includes('default/absent'), patient);
  assert.equal(versions.versionOf(absent), null);

  const { client } = fleets.supervisor;
  await client.create(secrets, { metadata: absent });
  await until('its version is known', () => typeof versions.versionOf(absent) === 'string', patient);
  const { informers } = fleet.local;
  const watched = (): number => informers.healths().length;
  const before = watched();
  versions.release('default');
  assert.equal(watched(), before - 1);
  assert.equal(versions.versionOf(absent), undefined, 'it is asked for anew');
});
