import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { KubeObject } from '../values/json.ts';
import { StartError } from '../cli/start-error.ts';
import { Journal, type JournalOptions } from './journal.ts';
import { Store } from './store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'ssvirt-journal-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
let folders = 0;
const newFolder = (): string => join(scratch, String(folders++));

const open = (folder: string, options?: JournalOptions): Store =>
  new Store({ eventWindow: 100, journal: new Journal(folder, options) });
const objectOf = (name: string, data: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'K',
  metadata: { name, uid: `uid-${name}` },
  data,
});

/** Everything that must survive a restart, as one comparable text. */
function stateOf(store: Store): string {
  const filled = [...store.tables()].filter(({ size }) => size > 0).map(({ name }) => name);
  const entries = filled.toSorted().map((name) => [name, [...store.table(name).range('')]]);
  return JSON.stringify({ revision: store.revision, entries });
}

interface Operation {
  readonly what: 'put' | 'remove' | 'reset';
  readonly table: string;
  readonly name: string;
  readonly data: string;
}

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.record({
    what: fc.oneof(
      { weight: 12, arbitrary: fc.constant('put' as const) },
      { weight: 5, arbitrary: fc.constant('remove' as const) },
      { weight: 1, arbitrary: fc.constant('reset' as const) },
    ),
    table: fc.constantFrom('/pods', 'apps/deployments'),
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    data: fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('\n', '"', '\u2028', 'x'.repeat(500))),
  }),
  { maxLength: 40 },
);

function run(store: Store, { what, table, name, data }: Operation): void {
  const expected = store.table(table).get(name)?.revision ?? 0;
  if (what === 'put') store.put(table, objectOf(name, data), expected);
  else if (what === 'remove') store.remove(table, name, expected);
  else store.resetRevision(Math.max(1, store.revision - 3));
}

for (const [name, options] of [
  ['a store on disk', {}],
  ['a store whose journal is rewritten all the time', { rewriteAbove: 300 }],
] as const) {
  test(`${name} is the same after it was opened again`, () => {
    fc.assert(
      fc.property(operations, fc.nat(40), (all, restart) => {
        const folder = newFolder();
        let store = open(folder, options);
        for (const [i, one] of all.entries()) {
          run(store, one);
          if (i !== restart) continue;
          const before = stateOf(store);
          // The store is not closed, because a killed process does not close it either.
          store = open(folder, options);
          assert.equal(stateOf(store), before);
        }
        const before = stateOf(store);
        store.close();
        assert.equal(stateOf(open(folder, options)), before);
      }),
      { numRuns: 100 },
    );
  });
}

test('a record that was cut short anywhere is dropped, and all before it is kept', () => {
  const folder = newFolder();
  const store = open(folder);
  store.put('/pods', objectOf('a', 'é\n"'), 0);
  store.remove('/pods', 'a', 2);
  store.put('/pods', objectOf('b', 'x'), 0);
  const before = stateOf(store);
  const kept = statSync(join(folder, 'journal')).size;
  store.put('/pods', objectOf('c', 'much 💥 of it'), 0);
  store.close();
  const whole = readFileSync(join(folder, 'journal'));
  for (let size = kept; size < whole.length; size++) {
    const torn = newFolder();
    mkdirSync(torn);
    writeFileSync(join(torn, 'journal'), whole.subarray(0, size));
    const again = open(torn);
    assert.equal(stateOf(again), before, `cut at ${size} of ${whole.length}`);
    again.put('/pods', objectOf('d', 'after'), 0);
    const next = stateOf(again);
    again.close();
    assert.equal(stateOf(open(torn)), next, `written to after a cut at ${size}`);
  }
});

test('a last record whose bytes never reached the disk is dropped', () => {
  const folder = newFolder();
  const store = open(folder);
  store.put('/pods', objectOf('a', 'x'), 0);
  const before = stateOf(store);
  store.close();
  appendFileSync(join(folder, 'journal'), Buffer.alloc(300));
  assert.equal(stateOf(open(folder)), before);
});

test('damage in the middle is refused instead of losing what follows', () => {
  const folder = newFolder();
  const store = open(folder);
  for (const name of ['a', 'b', 'c']) store.put('/pods', objectOf(name, 'x'), 0);
  store.close();
  const whole = readFileSync(join(folder, 'journal'));
  for (const at of [0, 9, 20, Math.floor(whole.length / 2)]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] as number) ^ 0x55;
    writeFileSync(join(folder, 'journal'), damaged);
    assert.throws(
      () => open(folder),
      (error: unknown) => error instanceof StartError && /journal": it is damaged at byte \d+/.test(error.message),
      `byte ${at}`,
    );
  }
  writeFileSync(join(folder, 'journal'), 'this is\nno journal\n');
  assert.throws(() => open(folder), StartError);
});

test('a journal that grows is rewritten, smaller, and a leftover of that does no harm', () => {
  const folder = newFolder();
  const store = open(folder, { rewriteAbove: 10_000 });
  for (let i = 0; i < 1000; i++) {
    store.put('/pods', objectOf('a', `${i}`), store.table('/pods').get('a')?.revision ?? 0);
    assert.ok(statSync(join(folder, 'journal')).size < 21_000);
  }
  const before = stateOf(store);
  store.close();
  writeFileSync(join(folder, 'journal.new'), 'half of it');
  assert.equal(stateOf(open(folder)), before);
  assert.equal(existsSync(join(folder, 'journal.new')), false);
});

test('a journal is rewritten although its process never lives long enough to double it', () => {
  const folder = newFolder();
  for (let life = 0; life < 40; life++) {
    const store = open(folder, { rewriteAbove: 10_000 });
    for (let i = 0; i < 20; i++) {
      store.put('/pods', objectOf('a', `${i}`), store.table('/pods').get('a')?.revision ?? 0);
    }
    assert.ok(statSync(join(folder, 'journal')).size < 21_000, `after ${life} restarts`);
  }
});

test('the newest revision survives although its object is gone and the journal was rewritten', () => {
  const folder = newFolder();
  const store = open(folder, { rewriteAbove: 1 });
  store.put('/pods', objectOf('a', 'x'), 0);
  store.remove('/pods', 'a', 2);
  store.put('/pods', objectOf('b', 'x'), 0);
  store.remove('/pods', 'b', 4);
  store.close();
  assert.equal(open(folder, { rewriteAbove: 1 }).revision, 5);
});

for (const [name, padding, rewriteAbove] of [
  ['a full disk', '900', '1000000000'],
  ['a disk that is too full to rewrite the journal', '50', '8000'],
] as const) {
  test(`${name} refuses writes and loses none that it took`, () => {
    const folder = newFolder();
    const fill = join(import.meta.dirname, 'testdata/fill.ts');
    // A limit on the file size interrupts a write in the middle, like a full disk, and needs no privileges.
    const script = `trap '' XFSZ; ulimit -f 32; exec "$0" "$@"`;
    const child = spawnSync('/bin/sh', ['-c', script, process.execPath, fill, folder, padding, rewriteAbove], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(child.status, 0, child.stderr);
    assert.match(child.stderr, /cannot write to ".*journal": /);
    const { acknowledged, revision, refusals } = JSON.parse(child.stdout) as {
      acknowledged: string[];
      revision: number;
      refusals: number;
    };
    assert.equal(refusals, 3);
    assert.ok(acknowledged.length > 5);
    const store = open(folder);
    assert.equal(store.revision, revision);
    assert.deepEqual(
      [...store.table('things').range('')].map((entry) => entry.name).toSorted(),
      acknowledged.toSorted(),
    );
  });
}

test('a closed store refuses writes', () => {
  const store = open(newFolder());
  store.close();
  assert.throws(() => store.put('/pods', objectOf('a', 'x'), 0), /it is closed/);
  assert.equal(store.revision, 1);
});

test('a folder that cannot be had is said in a sentence', () => {
  const file = newFolder();
  writeFileSync(file, '');
  assert.throws(() => open(join(file, 'below')), {
    name: 'StartError',
    message: `cannot use the data folder "${join(file, 'below')}": not a directory`,
  });
  const folder = newFolder();
  mkdirSync(join(folder, 'journal'), { recursive: true });
  assert.throws(() => open(folder), {
    name: 'StartError',
    message: `cannot read "${join(folder, 'journal')}": illegal operation on a directory`,
  });
  truncateSync(file);
});
