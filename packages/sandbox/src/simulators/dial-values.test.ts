import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schema } from '@ssvirt/base/config/keys';
import { loadConfig } from '@ssvirt/base/config/load';
import { askedDials, dialPaths } from './dial-settings.ts';
import { describeProblem, dialTable, readDials, showDials } from './dial-values.ts';
import { defaultDials, type Dials } from './dials.ts';

const read = (data: Record<string, string>): ReturnType<typeof readDials> =>
  readDials(data, defaultDials, { ...defaultDials, speed: 7, bootMs: 7 });

test('each dial is read as people write it', () => {
  const cases: readonly (readonly [string, string, Partial<Dials>])[] = [
    ['speed', '0.5', { speed: 0.5 }],
    ['boot-time', '1m30s', { bootMs: 90_000 }],
    ['import-time', '0', { importMs: 0 }],
    ['nodes', '12', { nodes: { ...defaultDials.nodes, count: 12 } }],
    ['node-memory', '1Ti', { nodes: { ...defaultDials.nodes, memory: '1Ti' } }],
    ['faults', '', { faults: [] }],
    ['faults', '- crash-loop', { faults: [{ kind: 'crash-loop' }] }],
    [
      'faults',
      '[crash-loop, "crash-loop,shop"]',
      { faults: [{ kind: 'crash-loop' }, { kind: 'crash-loop', namespace: 'shop' }] },
    ],
    ['faults', '- import-fails,shop/db', { faults: [{ kind: 'import-fails', namespace: 'shop', name: 'db' }] }],
    ['faults', '- node-lost,node01', { faults: [{ kind: 'node-lost', node: 'node01' }] }],
    [
      'faults',
      '- { kind: unschedulable, namespace: shop }',
      { faults: [{ kind: 'unschedulable', namespace: 'shop' }] },
    ],
  ];
  for (const [name, text, expected] of cases) {
    const { dials, problems } = read({ [name]: text });
    assert.deepEqual(problems, [], `${name}=${text}`);
    assert.deepEqual(dials, { ...defaultDials, ...expected }, `${name}=${text}`);
  }
});

test('what breaks a rule says which one, and leaves that dial where it is', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['speed', '0', /^speed: "0" is not a number above 0/],
    ['boot-time', '90', /^boot-time: "90" is not a duration/],
    ['nodes', '1.5', /^nodes: "1\.5" is not a whole number from 1 to 1000/],
    ['node-cpu', '-1', /^node-cpu: "-1" is not a quantity above 0/],
    ['bot-time', '3s', /^bot-time: "3s" is set on an unknown dial: did you mean boot-time\?$/],
    ['constructor', '1', /^constructor: "1" is set on an unknown dial: known dials are speed, /],
    ['faults', 'crash-loop', /is not a YAML list/],
    ['faults', '- crash-lop', /is not a fault: did you mean crash-loop\?$/],
    ['faults', '- node-lost,shop/db', /a node has no namespace/],
    ['faults', '- crash-loop,a/b/c', /is not a fault: write KIND/],
    ['faults', '- crash-loop,', /is not a fault: write KIND/],
    ['faults', '- 3', /contains an item that is not a fault/],
    ['faults', '- { kind: crash-loop, vm: db }', /contains a fault with "vm"/],
    ['faults', '- { kind: crash-loop, name: 3 }', /contains a fault whose name is not a string/],
    ['faults', '- "', /is not valid YAML/],
  ];
  for (const [name, text, says] of cases) {
    const { dials, problems } = read({ [name]: text, 'import-time': '1s' });
    assert.equal(problems.length, 1, `${name}=${text}`);
    assert.match(problems.map(describeProblem).join(), says);
    const kept = name === 'speed' ? { speed: 7 } : name === 'boot-time' ? { bootMs: 7 } : {};
    assert.deepEqual(dials, { ...defaultDials, importMs: 1000, ...kept }, `${name}=${text}`);
  }
});

test('what is shown can be read back', () => {
  const dials: Dials = {
    ...defaultDials,
    speed: 2.5,
    bootMs: 61_500,
    faults: [
      { kind: 'crash-loop', namespace: 'shop', name: 'db' },
      { kind: 'node-lost', node: 'node01' },
    ],
  };
  assert.deepEqual(readDials(showDials(dials), defaultDials, defaultDials), { dials, problems: [] });
});

test('the configuration has every dial but the faults, with the same defaults, and asks for those that were set', () => {
  const { config, sources } = loadConfig(schema, {});
  assert.deepEqual(askedDials(config.sandbox, sources), {});
  assert.equal(dialPaths.size, Object.keys(dialTable).length - 1);
  const flags = Object.fromEntries(
    [...dialPaths].map((path) => [path, showDials(defaultDials)[kebab(path)] ?? ''] as const),
  );
  const given = loadConfig(schema, { flags });
  const { faults: _faults, ...others } = defaultDials;
  assert.deepEqual(askedDials(given.config.sandbox, given.sources), others);
  assert.deepEqual(config.sandbox, given.config.sandbox);
});

function kebab(path: string): string {
  return path.replace('sandbox.', '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
