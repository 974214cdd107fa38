import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { StorageClassFacts } from '../../machine/storage-class.ts';
import { chooseStorageClass } from './storage-class.ts';

const old = { name: 'old', isDefault: true, createdAt: '2025-01-01T00:00:00Z' } as const;
const young = { name: 'young', isDefault: true, createdAt: '2026-01-01T00:00:00Z' } as const;
const plain = { name: 'plain', createdAt: '2026-06-01T00:00:00Z' } as const;
const forMachines = { name: 'virt', isDefaultForMachines: true, createdAt: '2026-07-01T00:00:00Z' } as const;

suite('the storage class of an order', () => {
  const cases: readonly (readonly [string, string | undefined, readonly StorageClassFacts[], string])[] = [
    ['is the configured one, also where there is a default', 'plain', [old, plain], 'plain'],
    ['is the default where none is configured', undefined, [plain, old], 'old'],
    ['is the default where an empty one is configured', '', [plain, old], 'old'],
    ['is the youngest of several defaults', undefined, [old, young, plain], 'young'],
    [
      'is the first by name of defaults of the same age',
      undefined,
      [
        { ...old, name: 'b' },
        { ...old, name: 'a' },
      ],
      'a',
    ],
    ['is the default of Kubernetes, as for AAP, before that for machines', undefined, [forMachines, old], 'old'],
    ['is the default for machines where there is no other', undefined, [plain, forMachines], 'virt'],
    ['is the same where one class is both', undefined, [{ ...forMachines, isDefault: true }, old], 'virt'],
  ];
  for (const [what, configured, classes, expected] of cases)
    test(what, () => {
      assert.deepEqual(chooseStorageClass(configured, classes), { name: expected });
    });

  test('that is configured and not there is never replaced by another', () => {
    const choice = chooseStorageClass('gone', [old, plain]);
    assert.ok('problem' in choice);
    assert.equal(choice.problem.reason, 'StorageClassNotFound');
    assert.match(choice.problem.message, /"gone" that is configured .* does not exist; there are "old", "plain"/);
  });

  test('that cannot be found is reported in words that people search for, and with what to do', () => {
    const choice = chooseStorageClass(undefined, [plain]);
    assert.ok('problem' in choice);
    assert.equal(choice.problem.reason, 'NoDefaultStorageClass');
    assert.match(
      choice.problem.message,
      /^no default storage class found; there are "plain"\. Mark one .*is-default-class: "true"/,
    );
    const none = chooseStorageClass(undefined, []);
    assert.match('problem' in none ? none.problem.message : '', /the cluster has none at all/);
  });

  test('is said with a few names where there are many', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ name: `class-${index}` }));
    const choice = chooseStorageClass(undefined, many);
    assert.match('problem' in choice ? choice.problem.message : '', /and 40 more/);
  });
});
