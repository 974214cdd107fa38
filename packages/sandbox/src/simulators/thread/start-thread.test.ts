/** Tests the messages between the threads: all other behavior is covered by every start of `ssvirt sandbox`. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DefinitionsError } from '../definitions-error.ts';
import { startSimulatorsThread } from './start-thread.ts';

const connection = { server: 'https://127.0.0.1:1', tls: {}, headers: {} };
const log = { level: 'silent', format: 'text' } as const;

test('the thread reports a folder without definitions as such', async (t) => {
  const crds = mkdtempSync(join(tmpdir(), 'ssvirt-thread-'));
  t.after(() => rmSync(crds, { recursive: true, force: true }));
  const started = startSimulatorsThread({ name: 'test', connection, log, crds });
  await assert.rejects(started, (error: Error) => error instanceof DefinitionsError && error.message.includes(crds));
});

test('a server that is not there keeps the simulators from starting, and the thread ends', async () => {
  const started = startSimulatorsThread({ name: 'test', connection, log, parts: ['nodes'] });
  await assert.rejects(started, { name: 'ApiError', message: /cannot .* in cluster test/ });
});
