import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Command } from 'commander';
import { explainMarkdown } from './explain.ts';
import { schema } from './keys.ts';
import { loadConfig } from './load.ts';
import { addConfigOptions, configOf } from './options.ts';
import { entriesOf, isReadBy, processNames } from './schema.ts';

const entries = entriesOf(schema);

test('no two keys share a variable, and no two keys of one process share a flag', () => {
  assert.equal(new Set(entries.map((entry) => entry.env)).size, entries.length);
  for (const process of processNames) {
    const flags = entries.filter((entry) => isReadBy(entry, process)).map((entry) => entry.flag);
    assert.equal(new Set(flags).size, flags.length, process);
    for (const taken of ['--config', '--help', '--version']) assert.ok(!flags.includes(taken), `${process} ${taken}`);
  }
});

test('every key has a sentence of documentation', () => {
  for (const { path, key } of entries) assert.match(key.doc, /^[A-Z].*\.$/, path);
});

test('every default is a value of its type', () => {
  assert.doesNotThrow(() => loadConfig(schema, { env: {} }));
});

test('docs/configuration.md is what the schema says (write it with make docs)', () => {
  const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
  assert.equal(page, explainMarkdown(schema));
});

test('KUBECONFIG is read by a command, and never written to by the sandbox', () => {
  const env = { KUBECONFIG: '/home/me/.kube/config' };
  assert.equal(loadConfig(schema, { process: 'cli', env }).config.kube.kubeconfig, '/home/me/.kube/config');
  assert.notEqual(loadConfig(schema, { process: 'sandbox', env }).config.sandbox.kubeconfig, '/home/me/.kube/config');
});

test('a process takes its flags, and those of the sections that all read', () => {
  const command = addConfigOptions(new Command('sandbox'), 'sandbox');
  command.parse(['--listen', ':9000', '--log-level=debug', '--clusters', '3'], { from: 'user' });
  const { config, sources } = configOf(command, 'sandbox');
  assert.deepEqual(config.sandbox.listen, { host: '', port: 9000 });
  assert.equal(config.log.level, 'debug');
  assert.equal(config.sandbox.clusters, 3);
  assert.deepEqual(sources.get('sandbox.clusters'), { kind: 'flag', name: '--clusters' });
});
