import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { arrows, wrongArrow } from './arrows.ts';

const repository = resolve(import.meta.dirname, '../..');

interface Case {
  readonly from: string;
  readonly to: string;
  /** A part of the complaint; absent if the import is allowed. */
  readonly refused?: RegExp;
}

const cases: readonly Case[] = [
  { from: 'src/sandbox/watch/x.ts', to: '../json.ts' },
  { from: 'src/sandbox/watch/x.ts', to: '../api/status.ts' },
  { from: 'src/sandbox/x.ts', to: '../kube/client.ts' },
  { from: 'src/sandbox/x.ts', to: '../config/load.ts' },
  {
    from: 'src/sandbox/x.ts',
    to: '../kubevirt/size.ts',
    refused: /src\/sandbox may not import src\/kubevirt: a simulator/,
  },
  {
    from: 'src/sandbox/a/b/x.ts',
    to: '../../../kubevirt/size.ts',
    refused: /src\/sandbox may not import src\/kubevirt/,
  },
  { from: 'src/sandbox/x.test.ts', to: '../kubevirt/size.ts', refused: /may not import src\/kubevirt/ },
  { from: 'src/sandbox/x.ts', to: '../api/routes.ts', refused: /may not import src\/api/ },
  { from: 'src/sandbox/x.ts', to: '../main.ts', refused: /nothing imports it/ },
  { from: 'src/cli/x.ts', to: '../commands.ts', refused: /nothing imports it/ },
  { from: 'src/config/x.ts', to: '../sandbox/json.ts', refused: /src\/config may not import src\/sandbox/ },
  { from: 'src/kube/x.ts', to: '../config/load.ts', refused: /settings are passed in/ },
  { from: 'src/kube/x.ts', to: '../kubevirt/size.ts', refused: /src\/kube may not import src\/kubevirt/ },
  { from: 'src/kubevirt/x.ts', to: '../kube/client.ts', refused: /no I\/O/ },
  { from: 'src/kubevirt/x.ts', to: 'node:fs', refused: /src\/kubevirt may not import node:fs/ },
  { from: 'src/kubevirt/x.ts', to: 'undici', refused: /src\/kubevirt may not import undici/ },
  { from: 'src/kubevirt/x.test.ts', to: 'node:fs' },
  { from: 'src/fleet/x.ts', to: '../kubevirt/size.ts' },
  { from: 'src/fleet/x.ts', to: '../db/vms.ts', refused: /src\/fleet may not import src\/db/ },
  { from: 'src/controllers/machine/x.ts', to: '../../db/vms.ts', refused: /has no database/ },
  { from: 'src/controllers/tenancy/x.ts', to: '../../db/vms.ts' },
  { from: 'src/controllers/tenancy/x.ts', to: '../machine/y.ts', refused: /may not import src\/controllers\/machine/ },
  { from: 'src/api/x.ts', to: '../kube/client.ts', refused: /src\/api may not import src\/kube/ },
  { from: 'src/processes/dev/x.ts', to: '../../controllers/tenancy/y.ts' },
  { from: 'src/processes/dev/x.ts', to: '../../tls/authority.ts' },
  { from: 'src/processes/x.ts', to: '../sandbox/cluster.ts', refused: /src\/processes may not import src\/sandbox/ },
  { from: 'src/api/x.ts', to: '../processes/y.ts', refused: /src\/api may not import src\/processes/ },
  { from: 'src/main.ts', to: './commands.ts' },
  { from: 'src/commands.ts', to: './sandbox/command.ts' },
  { from: 'src/main.ts', to: '../package.json' },
  { from: 'src/elsewhere/x.ts', to: '../config/load.ts', refused: /no folder of the architecture/ },
  { from: 'src/config/x.ts', to: '../elsewhere/y.ts', refused: /no folder of the architecture/ },
  { from: 'src/config/x.ts', to: '../../test/not-run.ts', refused: /production code is in src/ },
  { from: 'src/config/x.test.ts', to: '../../test/not-run.ts' },
  { from: 'src/kube/x.ts', to: '@kubernetes/client-node', refused: /only tests may import/ },
  { from: 'src/kube/x.test.ts', to: '@kubernetes/client-node' },
  { from: 'test/anything.ts', to: '../src/kubevirt/size.ts' },
];

for (const { from, to, refused } of cases) {
  test(`${from} ${refused === undefined ? 'may' : 'may not'} import ${to}`, () => {
    const message = wrongArrow(repository, join(repository, from), to);
    if (refused === undefined) assert.equal(message, undefined);
    else assert.match(message ?? 'allowed', refused);
  });
}

test('no folder of the table is listed after one that contains it', () => {
  const folders = Object.keys(arrows);
  for (const [at, folder] of folders.entries()) {
    const parent = folders.findIndex((other) => folder.startsWith(`${other}/`));
    assert.ok(parent === -1 || parent > at, folder);
  }
});

test('the linter refuses every form of a planted wrong import', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'ssvirt-arrows-'));
  t.after(() => rmSync(root, { recursive: true }));
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  cpSync(join(repository, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
  cpSync(join(repository, 'test/architecture'), join(root, 'test/architecture'), { recursive: true });
  const plant = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  plant('src/kubevirt/size.ts', 'export type Size = number;\nexport const one: Size = 1;\n');
  plant('src/sandbox/value.ts', "export { one } from '../kubevirt/size.ts';\n");
  plant('src/sandbox/all.ts', "export * from '../kubevirt/size.ts';\n");
  plant('src/sandbox/type.ts', "import type { Size } from '../kubevirt/size.ts';\nexport const two: Size = 2;\n");
  plant('src/sandbox/inline.ts', "export const two: import('../kubevirt/size.ts').Size = 2;\n");
  plant('src/sandbox/dynamic.ts', "export const later: Promise<unknown> = import('../kubevirt/size.ts');\n");
  plant('src/fleet/right.ts', "export { one } from '../kubevirt/size.ts';\n");

  const oxlint = join(repository, 'node_modules/.bin/oxlint');
  const { status, stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', 'src'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 1, stdout);
  const refused = stdout.split('\n').filter((line) => line.includes('src/sandbox may not import src/kubevirt'));
  const files = refused.map((line) => /src\/sandbox\/([a-z]+)\.ts/.exec(line)?.[1] ?? line).toSorted();
  assert.deepEqual(files, ['all', 'dynamic', 'inline', 'type', 'value'], stdout);
  assert.doesNotMatch(stdout, /fleet/);
});
