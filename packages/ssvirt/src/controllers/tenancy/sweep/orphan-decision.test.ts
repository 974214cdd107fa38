import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SweptPlace } from '../../../db/vms/swept-places.ts';
import type { ObjectMeta } from '@ssvirt/kube/object';
import { rowNamed, decideOn } from './orphan-decision.ts';

const harness = { installationId: 'here', cluster: 'east' };
const object: ObjectMeta = {
  name: 'web',
  namespace: 'shop',
  uid: 'first',
  creationTimestamp: '2026-01-01T13:00:00Z',
  labels: { 'ssvirt.io/installation-id': 'here' },
};
const row: SweptPlace = {
  id: 'row',
  cluster: 'east',
  namespace: 'shop',
  deletedAt: new Date('2026-01-01T12:00:00Z'),
  uid: 'first',
};

describe('an object with the label of an installation', () => {
  const cases: readonly [what: string, object: ObjectMeta, row: SweptPlace | undefined, verdict: string][] = [
    ['whose row is deleted is unwanted', object, row, 'unwanted'],
    ['whose row was deleted before it was put down is unwanted', object, { ...row, uid: null }, 'unwanted'],
    ['whose row is there is wanted', object, { ...row, deletedAt: undefined }, 'wanted'],
    ['that is about to go is left alone', { ...object, deletionTimestamp: 'now' }, row, 'wanted'],
    ['without a row is kept', object, undefined, 'no row of that id is known'],
    ['whose row was of another object is kept', { ...object, uid: 'second' }, row, 'was of another object'],
    [
      'whose row was of another object, and that came right after its end, is unwanted: it was on its way before',
      { ...object, uid: 'second', creationTimestamp: '2026-01-01T12:01:30Z' },
      row,
      'unwanted',
    ],
    ['whose row is of another cluster is kept', object, { ...row, cluster: 'west' }, 'in cluster "west"'],
    ['whose row is of another namespace is kept', object, { ...row, namespace: 'lab' }, 'in namespace "lab"'],
    [
      'of another installation is kept',
      { ...object, labels: { 'ssvirt.io/installation-id': 'there' } },
      row,
      'another installation',
    ],
  ];
  for (const [what, seen, place, decision] of cases)
    test(what, () => {
      const said = decideOn(seen, place, harness);
      assert.match(said.decision === 'orphan' ? said.why : said.decision, new RegExp(`${decision}$`));
    });

  test('names its row by a uuid, and by nothing else', () => {
    const id = '0b5a4f6e-1c1f-4c53-9c55-5e2f8c7f3a11';
    assert.equal(rowNamed({ labels: { a: id } }, 'a'), id);
    assert.equal(rowNamed({ labels: { a: 'urn:vcloud:vm:1' } }, 'a'), undefined);
    assert.equal(rowNamed({}, 'a'), undefined);
  });
});
