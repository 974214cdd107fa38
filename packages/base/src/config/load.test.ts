import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig, type Loaded, type Places } from './load.ts';
import { key, section, type Infer } from './schema.ts';
import { ConfigError, showSource } from './setting.ts';
import { bool, duration, int, list, path, secretFile, text } from './values.ts';

const schema = section('A schema for these tests.', {
  log: section('Messages.', { level: key(text, { default: 'info', doc: 'How much.' }) }),
  machineOperator: section(
    'An operator.',
    {
      reconcileInterval: key(duration, {
        default: '30s',
        doc: 'How often.',
        aliases: [{ env: 'RECONCILE_INTERVAL', process: 'machine-operator' }],
      }),
      maxConcurrentReconciles: key(int(1), {
        default: '5',
        doc: 'How many.',
        aliases: [{ env: 'MAX_CONCURRENT_RECONCILES', process: 'machine-operator' }],
      }),
      leaderElection: key(bool, { default: 'true', doc: 'Whether.' }),
      namespaces: key(list(text), { default: '', doc: 'Which.' }),
      kubeconfig: key(path, { doc: 'Where.' }),
      password: key(secretFile, { doc: 'Secret.' }),
    },
    'machine-operator',
  ),
  apiServer: section('A server.', { database: key(text, { required: true, doc: 'Its database.' }) }, 'api-server'),
});

const folder = mkdtempSync(join(tmpdir(), 'ssvirt-config-'));
after(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const empty = write('empty.yaml', '');

function load(places: Places): Loaded<Infer<typeof schema>> {
  return loadConfig(schema, { file: empty, cwd: '/work-folder', ...places });
}

function problemsOf(places: Places): readonly string[] {
  try {
    load(places);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => problem.replaceAll(`${folder}/`, ''));
    throw error;
  }
  return [];
}

test('without anything set every key has its default, and optional ones are undefined', () => {
  const { config, sources } = load({});
  assert.deepEqual(config, {
    log: { level: 'info' },
    machineOperator: {
      reconcileInterval: 30_000,
      maxConcurrentReconciles: 5,
      leaderElection: true,
      namespaces: [],
      kubeconfig: undefined,
      password: undefined,
    },
    apiServer: { database: undefined },
  });
  assert.equal(sources.get('log.level')?.kind, 'default');
  assert.equal(sources.get('machineOperator.kubeconfig'), undefined);
});

test('the type of the config follows from the schema', () => {
  const { config } = load({});
  const interval: number = config.machineOperator.reconcileInterval;
  const kubeconfig: string | undefined = config.machineOperator.kubeconfig;
  // @ts-expect-error an optional key may be absent
  const wrong: string = config.machineOperator.kubeconfig;
  // @ts-expect-error there is no such key
  const absent: unknown = config.machineOperator.nothing;
  assert.deepEqual([interval, kubeconfig, wrong, absent], [30_000, undefined, undefined, undefined]);
});

test('the environment wins over the file, and a flag over both', () => {
  const file = write(
    'order.yaml',
    'log:\n  level: file\nmachineOperator:\n  maxConcurrentReconciles: 1\n  reconcileInterval: 1s\n',
  );
  const { config, sources } = load({
    file,
    env: { SSVIRT_MACHINE_OPERATOR_MAX_CONCURRENT_RECONCILES: '2', SSVIRT_MACHINE_OPERATOR_RECONCILE_INTERVAL: '2s' },
    flags: { 'machineOperator.reconcileInterval': '3s' },
  });
  assert.equal(config.log.level, 'file');
  assert.equal(config.machineOperator.maxConcurrentReconciles, 2);
  assert.equal(config.machineOperator.reconcileInterval, 3000);
  const shown = ['log.level', 'machineOperator.maxConcurrentReconciles', 'machineOperator.reconcileInterval'].map(
    (name) => showSource(sources.get(name) ?? { kind: 'default' }),
  );
  assert.deepEqual(shown, [
    `${file}:2:10`,
    'SSVIRT_MACHINE_OPERATOR_MAX_CONCURRENT_RECONCILES',
    '--reconcile-interval',
  ]);
});

test('an alias counts for its own process only, and the SSVIRT_ name wins over it', () => {
  const env = { RECONCILE_INTERVAL: '7s' };
  assert.equal(load({ process: 'machine-operator', env }).config.machineOperator.reconcileInterval, 7000);
  assert.equal(load({ process: 'sandbox', env }).config.machineOperator.reconcileInterval, 30_000);
  assert.equal(load({ env }).config.machineOperator.reconcileInterval, 30_000);
  const both = { ...env, SSVIRT_MACHINE_OPERATOR_RECONCILE_INTERVAL: '8s' };
  assert.equal(load({ process: 'machine-operator', env: both }).config.machineOperator.reconcileInterval, 8000);
});

test('an empty variable counts as unset', () => {
  const env = { SSVIRT_LOG_LEVEL: '', SSVIRT_NOTHING_OF_THE_KIND: '' };
  assert.equal(load({ env }).config.log.level, 'info');
});

test('the variables that Kubernetes sets for Services named ssvirt-… are no settings', () => {
  const env = {
    SSVIRT_API_SERVER_SERVICE_HOST: '10.0.0.1',
    SSVIRT_API_SERVER_SERVICE_PORT: '443',
    SSVIRT_API_SERVER_SERVICE_PORT_HTTPS: '443',
    SSVIRT_API_SERVER_PORT: 'tcp://10.0.0.1:443',
    SSVIRT_API_SERVER_PORT_443_TCP: 'tcp://10.0.0.1:443',
    SSVIRT_API_SERVER_PORT_443_TCP_ADDR: '10.0.0.1',
  };
  assert.deepEqual(problemsOf({ env }), []);
  assert.equal(problemsOf({ env: { SSVIRT_API_SERVER_PORT: '443' } }).length, 1);
});

test('the variables of the tests and tools are no settings', () => {
  assert.deepEqual(problemsOf({ env: { SSVIRT_NOT_RUN: '/x', SSVIRT_KUBECTL: '/y', SSVIRT_TOOLS_CACHE: '/z' } }), []);
  assert.equal(problemsOf({ env: { SSVIRT_KUBECTLS: '/y' } }).length, 1);
});

test('a shell that has read the file env of ssvirt dev can run ssvirt', () => {
  const env = { SSVIRT_URL: 'https://x', SSVIRT_CA: '/ca', SSVIRT_PASSWORDS: '/p', SSVIRT_SESSION: '/s' };
  assert.deepEqual(problemsOf({ env }), []);
});

test('a required key is missed by the process that reads it and by no other', () => {
  assert.deepEqual(problemsOf({ process: 'api-server' }), [
    'apiServer.database is not set: set it in the config file, in SSVIRT_API_SERVER_DATABASE or by --database',
  ]);
  assert.deepEqual(problemsOf({ process: 'sandbox' }), []);
  assert.deepEqual(problemsOf({ process: 'api-server', env: { SSVIRT_API_SERVER_DATABASE: 'x' } }), []);
});

test('a list is a YAML list in the file, where an item may hold a comma, and a text elsewhere', () => {
  const file = write('list.yaml', 'machineOperator: {namespaces: ["a,b", 1, c]}\n');
  assert.deepEqual(load({ file }).config.machineOperator.namespaces, ['a,b', '1', 'c']);
  const env = { SSVIRT_MACHINE_OPERATOR_NAMESPACES: 'a, b' };
  assert.deepEqual(load({ file, env }).config.machineOperator.namespaces, ['a', 'b']);
});

test('a relative path is relative to the file that holds it, elsewhere to the working folder', () => {
  const file = write('path.yaml', 'machineOperator:\n  kubeconfig: x\n');
  assert.equal(load({ file }).config.machineOperator.kubeconfig, join(folder, 'x'));
  const env = { SSVIRT_MACHINE_OPERATOR_KUBECONFIG: 'x' };
  assert.equal(load({ file, env }).config.machineOperator.kubeconfig, '/work-folder/x');
});

test('what was written counts, not what YAML makes of it', () => {
  assert.equal(load({ file: write('octal.yaml', 'log: {level: 0123}\n') }).config.log.level, '0123');
  assert.equal(load({ file: write('quoted.yaml', 'log: {level: "a\\tb"}\n') }).config.log.level, 'a\tb');
  assert.equal(
    load({ file: write('anchor.yaml', 'log: {level: &x why}\napiServer: {database: *x}\n') }).config.apiServer.database,
    'why',
  );
});

test('an absent default file is fine, an absent named one is not', () => {
  assert.deepEqual(problemsOf({ file: join(folder, 'absent.yaml') }), [
    'absent.yaml: cannot read the config file: it does not exist',
  ]);
  assert.equal(loadConfig(schema, { env: {} }).config.log.level, 'info');
});

test('all problems are reported together, each with its place', () => {
  const file = write('all.yaml', 'machineOperator:\n  reconcileInterval: 30\n  leaderElektion: true\n');
  const env = { SSVIRT_MACHINE_OPERATOR_MAX_CONCURRENT_RECONCILES: 'many', SSVIRT_LOG_LEVL: 'x' };
  assert.deepEqual(problemsOf({ file, env, flags: { 'machineOperator.leaderElection': 'maybe' } }).toSorted(), [
    '--leader-election: machineOperator.leaderElection: "maybe" is neither true nor false: write true or false',
    'SSVIRT_LOG_LEVL is not the variable of any key: did you mean SSVIRT_LOG_LEVEL?',
    'SSVIRT_MACHINE_OPERATOR_MAX_CONCURRENT_RECONCILES: machineOperator.maxConcurrentReconciles: "many" is not a whole number of 1 or more: write such a number',
    'all.yaml:2:22: machineOperator.reconcileInterval: "30" is not a duration: write a number with a unit, such as 500ms, 30s or 1m30s',
    'all.yaml:3:3: machineOperator.leaderElektion is not a key: did you mean machineOperator.leaderElection?',
  ]);
});

test('a secret that was written where its file belongs does not show up in the complaint', () => {
  const file = write('secret.yaml', 'machineOperator:\n  password: hunter2\n');
  const [problem = ''] = problemsOf({ file });
  assert.match(problem, /^secret\.yaml:2:13: machineOperator\.password: names a file that does not exist/);
  assert.doesNotMatch(problem, /hunter2/);
});

const brokenFiles: readonly (readonly [name: string, content: string, problem: RegExp])[] = [
  ['a list at the top', '- a\n', /^x\.yaml:1:1: the file must have keys/],
  ['a text for a section', 'log: info\n', /^x\.yaml:1:6: log must have keys/],
  [
    'a section for a key',
    'log:\n  level:\n    deep: 1\n',
    /^x\.yaml:3:5: log\.level is a key, not a section: write a string/,
  ],
  ['a list for a single value', 'log: {level: [a]}\n', /^x\.yaml:1:14: log\.level takes one value, not a list/],
  ['a key without a value', 'log:\n  level:\n', /^x\.yaml:2:3: log\.level has no value/],
  ['a list with a map in it', 'machineOperator: {namespaces: [{a: 1}]}\n', /has a list item that is not a plain value/],
  ['a key twice', 'log: {level: a}\nlog: {level: b}\n', /^x\.yaml:2:1: Map keys must be unique/],
  ['no YAML', 'log: {level: [\n', /^x\.yaml:\d+:\d+: /],
  [
    'a key that is near to nothing',
    'zzzzzz: 1\n',
    /^x\.yaml:1:1: zzzzzz is not a key: the keys here are log, machineOperator, apiServer/,
  ],
  ['a key without its section', 'level: 1\n', /level is not a key: did you mean log\.level\?/],
  ["a name of JavaScript's own", 'constructor: 1\n__proto__: 2\n', /constructor is not a key/],
];

for (const [name, content, problem] of brokenFiles) {
  test(`a file with ${name} is refused with its place`, () => {
    const problems = problemsOf({ file: write('x.yaml', content) });
    assert.match(problems[0] ?? 'accepted', problem);
  });
}

test('an empty section and a file of comments only are fine', () => {
  assert.deepEqual(problemsOf({ file: write('x.yaml', 'log:\n') }), []);
  assert.deepEqual(problemsOf({ file: write('x.yaml', '# nothing yet\n') }), []);
});
