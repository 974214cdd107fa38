/**
 * Checks that the bench runs and still measures everything it claims. The figures mean nothing on a host that runs
 * tests.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { measurable } from './processes.ts';
import { percentile } from './percentiles.ts';
import { readOptions } from './options.ts';
import { rowsOf, table, type Row } from './report.ts';
import { ResponseReader } from './response-reader.ts';

const machine = 'VirtualMachine (own CRD)';
const writes = ['ConfigMap create', 'ConfigMap merge patch', 'ConfigMap apply'].concat(
  ['create', 'merge patch', 'apply', 'status patch'].map((kind) => `${machine} ${kind}`),
);
const forms = ['whole', 'whole, gzip', 'pages of 500', 'one in ten by label', 'as Table'];
const kinds = ['ConfigMap', machine];

const wanted = [
  'until the default ServiceAccount is there',
  ...writes.flatMap((title) => [title, `${title}, p50`, `${title}, p95`, `${title}, p99`]),
  ...kinds.flatMap((kind) => [`${kind} merge patch, p50`, `${kind} merge patch, p99`]),
  ...kinds.flatMap((kind) => forms.flatMap((form) => [`${kind} ${form}`, `${kind} ${form}, size`])),
  ...kinds.flatMap((kind) => [`${kind} all objects`, `${kind} all objects, size`]),
  'events delivered',
  'watches cut by the server and resumed',
  'from the write to the last watcher, p50',
  'from the write to the last watcher, p99',
];
const wantedOfProcesses = [...writes.map((title) => `${title}, per 1000`), 'resident after start and definition'];

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'ssvirt-bench-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('the bench measures everything of a sandbox in memory and of one on disk', async (t) => {
  const path = folder(t);
  const json = join(path, 'figures.json');
  const sizes = ['--objects', '600', '--watchers', '5', '--connections', '4', '--quick'];
  const args = [...sizes, '--sandbox-only', '--crds', path, '--json', json];
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args]);
  const { servers, rows } = JSON.parse(readFileSync(json, 'utf8')) as { servers: string[]; rows: Row[] };
  assert.deepEqual(servers, ['sandbox', 'sandbox --data']);
  assert.match(stdout, /without a real kube-apiserver: left out by --sandbox-only/);
  const names = new Set(rows.map(({ name }) => name));
  for (const name of [...wanted, ...(measurable ? wantedOfProcesses : [])]) {
    assert.ok(names.has(name), `there is no figure "${name}"`);
    assert.ok(stdout.includes(name), `"${name}" is not printed`);
  }
  // Some figures may be 0: counts, the memory of a few objects (less than what was collected meanwhile), and a little
  // work (less than one tick).
  const mayVanish = ({ name, unit }: Row): boolean => name.startsWith('growth by') || unit === 'CPU s' || unit === '';
  for (const row of rows) {
    for (const server of servers) {
      const value = row.values[server] ?? Number.NaN;
      assert.ok(Number.isFinite(value) && (value > 0 || mayVanish(row)), `${row.name} of ${server}: ${value}`);
    }
  }
});

test('figures of several servers stand in one row, with their ratio to the real one', () => {
  const figure = (value: number) => [{ section: 'writes', name: 'create', unit: '/s', value }] as const;
  const rows = rowsOf([
    { server: 'sandbox', figures: figure(300) },
    { server: 'real', figures: figure(200) },
  ]);
  assert.deepEqual(rows[0]?.ratios, { sandbox: 1.5 });
  assert.match(table(rows, ['sandbox', 'real']), /\| create +\| \/s +\| +300 \| +200 \| +1\.50× \|/);
});

test('a percentile is a value that was measured', () => {
  const values = [5, 1, 4, 2, 3];
  assert.deepEqual([percentile(values, 0.5), percentile(values, 0.99), percentile([7], 0.5)], [3, 5, 7]);
  assert.throws(() => percentile([], 0.5));
});

test('answers are read whole wherever the network cuts them', () => {
  const text =
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
    'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n' +
    'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
  for (const size of [1, 2, 3, 7, text.length]) {
    const seen: string[] = [];
    let body = '';
    const reader = new ResponseReader({
      head: (status) => seen.push(String(status)),
      body: (part) => (body += part.toString()),
      end: () => {
        seen.push(body);
        body = '';
      },
    });
    for (let at = 0; at < text.length; at += size) reader.push(Buffer.from(text.slice(at, at + size)));
    assert.deepEqual(seen, ['200', 'hello', '201', 'abcde', '404', ''], `in parts of ${size}`);
  }
});

test('a size that is no number is refused by name', () => {
  assert.throws(() => readOptions(['--objects', 'many']), /--objects: "many"/);
});
