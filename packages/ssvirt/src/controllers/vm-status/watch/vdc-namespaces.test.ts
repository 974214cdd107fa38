import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VdcNamespaces } from './vdc-namespaces.ts';

type Found = readonly { readonly cluster: string; readonly namespace: string }[];

test('an answer that was overtaken does not take a new namespace away again', async () => {
  const answers = [Promise.withResolvers<Found>(), Promise.withResolvers<Found>()] as const;
  let asked = 0;
  const namespaces = new VdcNamespaces({ vdcNamespaces: () => answers[asked++]!.promise });
  const early = namespaces.refresh();
  const late = namespaces.refresh();
  answers[1].resolve([{ cluster: 'local', namespace: 'new' }]);
  assert.deepEqual([...(await late)], [['local', new Set(['new'])]]);
  answers[0].resolve([]);
  assert.equal((await early).size, 0);
  assert.ok(namespaces.has('local', 'new'));
});

test('only those that were not known before are reported', async () => {
  const found = [{ cluster: 'local', namespace: 'one' }];
  const namespaces = new VdcNamespaces({ vdcNamespaces: () => Promise.resolve([...found]) });
  await namespaces.refresh();
  found.push({ cluster: 'east', namespace: 'two' });
  assert.deepEqual([...(await namespaces.refresh())], [['east', new Set(['two'])]]);
  assert.deepEqual(namespaces.of('local'), ['one']);
});
