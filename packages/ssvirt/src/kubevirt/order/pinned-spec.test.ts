/** When a pinned version hides a change of the order. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { configVersion } from './config-version.ts';
import { pinnedSpec, type PinnedInput } from './pinned-spec.ts';

const spec = { templateID: 'a', templateParameters: '{}', desiredConfigVersion: 'one' };
const now = configVersion(spec);
const webhook = {
  action: 'create',
  configVersion: 'one',
  specVersion: 'sent',
  attempts: 1,
  lastAttemptTime: '',
} as const;
const former = configVersion({ templateID: 'a', templateParameters: '{"former":1}' });
/** The call for a version that was computed. */
const computed = { action: 'create', configVersion: former, attempts: 1, lastAttemptTime: '' } as const;
const base: PinnedInput = { spec, reconciled: 'one', status: undefined, applied: false };
const told = { reconciledConfigVersion: 'one', reconciledSpecVersion: 'before' };

suite('an order with a pinned version', () => {
  const cases: readonly (readonly [string, Partial<PinnedInput>, string | undefined, boolean])[] = [
    ['that was applied before this was remembered begins with what it asks for now', {}, now, false],
    ['is stale where AAP was sent another spec for that version', { status: { webhook } }, 'sent', true],
    [
      'is stale where it was pinned to the computed version and changed in the same edit',
      { spec: { ...spec, desiredConfigVersion: former }, reconciled: former, status: { webhook: computed } },
      former,
      true,
    ],
    [
      'is not stale where it was pinned to the computed version and is unchanged',
      {
        spec: { ...spec, desiredConfigVersion: now },
        reconciled: now,
        status: { webhook: { ...computed, configVersion: now } },
      },
      now,
      false,
    ],
    [
      'begins with what it asks for now where a call from before this was remembered had a version that was chosen',
      { status: { webhook: { ...computed, configVersion: 'one' } } },
      now,
      false,
    ],
    ['is stale where another spec was applied', { status: { ...told, webhook } }, 'before', true],
    ['is not stale where the controller has applied it', { status: told, applied: true }, now, false],
    ['is not stale while it asks for another version', { status: told, reconciled: 'zero' }, now, false],
    [
      'forgets what it knows of an older version',
      { status: { ...told, reconciledConfigVersion: 'zero', webhook: { ...webhook, specVersion: now } } },
      now,
      false,
    ],
    ['has nothing to remember before it is applied', { reconciled: undefined, status: told }, undefined, false],
    [
      'whose version is computed has nothing to remember',
      { spec: { templateID: 'a' }, status: told },
      undefined,
      false,
    ],
  ];
  for (const [name, changes, version, isStale] of cases)
    test(name, () => {
      const found = pinnedSpec({ ...base, ...changes });
      assert.deepEqual([found.reconciledSpecVersion, found.isStale], [version, isStale]);
    });
});
