/** Credentials that change while a controller works. */
import assert from 'node:assert/strict';
import type { RuntimeCase } from '../case.ts';
import type { Credential } from '../credential.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Harness } from '../harness.ts';
import { WorkRecord } from '../matrix/record.ts';
import { startReplica } from '../matrix/replica.ts';
import { settle } from '../matrix/settle.ts';
import { Writer } from '../matrix/writer.ts';

/** Works through several rotations, and checks that no reconcile failed and nothing was missed. */
async function workThrough(
  harness: Harness,
  rotate: (proxy: FaultProxy, credential: Credential) => Promise<void>,
): Promise<void> {
  const proxy = await harness.newProxy();
  const namespace = await harness.namespace('rotation');
  const credential = harness.credential(proxy);
  const client = harness.client({ source: credential });
  const record = new WorkRecord();
  const writer = new Writer(harness.direct, namespace);
  const replica = startReplica({ name: 'rotated', client, namespace, record });
  try {
    await writer.create(8);
    for (let turn = 0; turn < 4; turn++) {
      const changes = writer.change();
      await rotate(proxy, credential);
      await changes;
      await writer.change();
      await settle({ harness, namespace, writer, record, replicas: [replica], since: performance.now() });
    }
    const { values } = await replica.metrics.reconcile.errors.get();
    assert.deepEqual(
      values.map(({ value }) => value),
      [0],
      'no reconcile failed',
    );
    assert.deepEqual(record.violations, []);
  } finally {
    await replica.stop();
    await client.close();
    await proxy.stop();
  }
}

export const rotationCases: readonly RuntimeCase[] = [
  {
    id: 'token rotation',
    name: 'a token that is replaced in time fails no reconcile',
    run: (harness) =>
      workThrough(harness, (proxy, credential) => {
        const old = credential.token;
        credential.renewToken();
        proxy.expireToken(old);
        proxy.strike({ kind: 'end' });
        return Promise.resolve();
      }),
  },
  {
    id: 'token rotation',
    name: 'a token that is refused is asked for again, and fails no reconcile',
    run: (harness) =>
      workThrough(harness, (proxy, credential) => {
        credential.renewsWhenRefused = true;
        proxy.expireToken(credential.token);
        proxy.strike({ kind: 'end' });
        return Promise.resolve();
      }),
  },
  {
    id: 'token rotation',
    name: 'an authority that is replaced, after it was announced, fails no reconcile',
    run: (harness) =>
      workThrough(harness, async (proxy, credential) => {
        const old = proxy.ca;
        const next = await proxy.announceAuthority();
        credential.trust(old, next.certificate);
        await proxy.showAuthority(next);
        proxy.strike({ kind: 'end' });
        credential.trust(next.certificate);
      }),
  },
];
