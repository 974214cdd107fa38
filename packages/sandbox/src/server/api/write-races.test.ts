/** Concurrent writers during a slow admission: others write between the read and the write of one of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Admission, type AdmissionPlugin } from '../../control-plane/admission/admission.ts';
import { configMap, TestCluster } from '../../control-plane/admission/cluster.fixture.ts';
import type { KubeObject } from '../../values/json.ts';
import type { StatusError } from './status.ts';
import { Writer, type UpdateRequest } from './write/write.ts';

/** Milliseconds, taken in turn: writers overtake each other, in the same way in every run. */
const pauses = [3, 0, 5, 1, 4, 2, 0];
let validations = 0;

const slow: AdmissionPlugin = {
  name: 'slow',
  validate: () => new Promise((resolve) => void setTimeout(resolve, pauses[validations++ % pauses.length])),
};

interface Harness {
  readonly writer: Writer;
  readonly request: Omit<UpdateRequest, 'change'>;
  readonly read: () => KubeObject;
}

async function harness(existing: boolean): Promise<Harness> {
  const cluster = new TestCluster();
  await cluster.namespace('n');
  const object = configMap('n', 'c');
  if (existing) await cluster.create(object);
  return {
    writer: new Writer(cluster.store, () => new Admission([slow])),
    request: {
      resource: cluster.resource(object),
      subresource: '',
      namespace: 'n',
      name: 'c',
      dryRun: false,
      manager: 'm',
      user: { name: 'u', uid: '', groups: [] },
      options: {},
      warn: () => {},
      allowCreate: false,
      managed: false,
      retry: true,
      uid: undefined,
    },
    read: () => cluster.get(object),
  };
}

const withKey = (live: KubeObject | undefined, key: string): KubeObject => {
  const object = live ?? configMap('n', 'c');
  return { ...object, data: { ...(object['data'] as { [key: string]: string }), [key]: 'x' } };
};

const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
const dataKeys = (object: KubeObject): string[] => Object.keys(object['data'] as object).sort();

test('patches that name no version all get through, however many meet', async () => {
  const { writer, request, read } = await harness(true);
  await Promise.all(keys.map((key) => writer.update({ ...request, change: (live) => withKey(live, key) })));
  assert.deepEqual(dataKeys(read()), keys.toSorted());
});

test('an update that names its version loses against whoever was faster', async () => {
  const { writer, request } = await harness(true);
  const outcomes = await Promise.allSettled(
    keys.slice(0, 3).map((key) => writer.update({ ...request, retry: false, change: (live) => withKey(live, key) })),
  );
  const reasons = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? '' : (outcome.reason as StatusError).reason,
  );
  assert.deepEqual(reasons.toSorted(), ['', 'Conflict', 'Conflict']);
});

test('of several that would create an object one does, and the others update it', async () => {
  const { writer, request, read } = await harness(false);
  const written = await Promise.all(
    keys.map((key) => writer.update({ ...request, allowCreate: true, change: (live) => withKey(live, key) })),
  );
  assert.equal(written.filter(({ created }) => created).length, 1);
  assert.deepEqual(dataKeys(read()), keys.toSorted());
});
