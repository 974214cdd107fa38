import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldSelector, labelSelector } from './selectors.ts';

const labels = { app: 'web', tier: 'front', 'kubevirt.io/domain': 'vm-1', empty: '' };

const rows: readonly (readonly [selector: string, matches: boolean])[] = [
  ['', true],
  ['app=web', true],
  ['app==web', true],
  ['app = web , tier=front', true],
  ['app=db', false],
  ['app!=db', true],
  ['app!=web', false],
  ['missing!=x', true],
  ['missing=x', false],
  ['empty=', true],
  ['missing=', false],
  ['app in (db, web)', true],
  ['app in (db)', false],
  ['app in (db),tier=front', false],
  ['tier=front,app in (web,db),missing notin (a,b)', true],
  ['app notin (web)', false],
  ['missing notin (web)', true],
  ['app', true],
  ['!app', false],
  ['!missing', true],
  ['constructor', false],
  ['kubevirt.io/domain=vm-1', true],
];

for (const [selector, matches] of rows) {
  test(`I6: the label selector "${selector}" ${matches ? 'takes' : 'leaves'} the object`, () => {
    assert.equal(labelSelector(selector)(labels), matches);
  });
}

test('I6: an object without labels has none', () => {
  assert.equal(labelSelector('app')(undefined), false);
  assert.equal(labelSelector('!app')(undefined), true);
});

test('I6: what is no label selector is refused', () => {
  for (const text of ['=x', 'a>1', 'a in b', 'a in (b', 'a=b=c', 'a,,b', '!'])
    assert.throws(() => labelSelector(text), /cannot parse the label selector/, text);
});

test('I6: field selectors know the name and the namespace', () => {
  const metadata = { name: 'a', namespace: 'n' };
  assert.equal(fieldSelector()(metadata), true);
  assert.equal(fieldSelector('metadata.name=a')(metadata), true);
  assert.equal(fieldSelector('metadata.name=a,metadata.namespace!=n')(metadata), false);
  assert.equal(fieldSelector('metadata.namespace==n')({ name: 'cluster-wide' }), false);
  assert.throws(() => fieldSelector('spec.nodeName=x'), /cannot evaluate the field selector/);
});
