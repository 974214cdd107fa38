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
  { from: 'packages/sandbox/src/watch/x.ts', to: '../json.ts' },
  { from: 'packages/sandbox/src/watch/x.ts', to: '../api/status.ts' },
  { from: 'packages/sandbox/src/x.ts', to: '@ssvirt/kube/client' },
  { from: 'packages/sandbox/src/x.ts', to: '@ssvirt/base/config/load' },
  {
    from: 'packages/sandbox/src/x.ts',
    to: '@ssvirt/ssvirt/kubevirt/size',
    refused: /packages\/sandbox\/src may not import packages\/ssvirt\/src\/kubevirt: a simulator/,
  },
  {
    from: 'packages/sandbox/src/a/b/x.ts',
    to: '@ssvirt/ssvirt/kubevirt/size',
    refused: /packages\/sandbox\/src may not import packages\/ssvirt\/src\/kubevirt/,
  },
  {
    from: 'packages/sandbox/src/x.test.ts',
    to: '@ssvirt/ssvirt/kubevirt/size',
    refused: /may not import packages\/ssvirt\/src\/kubevirt/,
  },
  {
    from: 'packages/sandbox/src/x.ts',
    to: '@ssvirt/ssvirt/api/routes',
    refused: /may not import packages\/ssvirt\/src\/api/,
  },
  { from: 'packages/sandbox/src/x.ts', to: '@ssvirt/ssvirt/main', refused: /nothing imports it/ },
  { from: 'packages/ssvirt/src/cli/x.ts', to: '../commands.ts', refused: /nothing imports it/ },
  {
    from: 'packages/base/src/config/x.ts',
    to: '@ssvirt/sandbox/json',
    refused: /packages\/base\/src\/config may not import packages\/sandbox\/src/,
  },
  { from: 'packages/kube/src/x.ts', to: '@ssvirt/base/config/load', refused: /settings are passed in/ },
  {
    from: 'packages/kube/src/x.ts',
    to: '@ssvirt/ssvirt/kubevirt/size',
    refused: /packages\/kube\/src may not import packages\/ssvirt\/src\/kubevirt/,
  },
  { from: 'packages/ssvirt/src/kubevirt/x.ts', to: '@ssvirt/kube/client', refused: /no I\/O/ },
  {
    from: 'packages/ssvirt/src/kubevirt/x.ts',
    to: 'node:fs',
    refused: /packages\/ssvirt\/src\/kubevirt may not import node:fs/,
  },
  {
    from: 'packages/ssvirt/src/kubevirt/x.ts',
    to: 'undici',
    refused: /packages\/ssvirt\/src\/kubevirt may not import undici/,
  },
  { from: 'packages/ssvirt/src/kubevirt/x.test.ts', to: 'node:fs' },
  { from: 'packages/ssvirt/src/fleet/x.ts', to: '../kubevirt/size.ts' },
  {
    from: 'packages/ssvirt/src/fleet/x.ts',
    to: '../db/vms.ts',
    refused: /packages\/ssvirt\/src\/fleet may not import packages\/ssvirt\/src\/db/,
  },
  { from: 'packages/ssvirt/src/controllers/machine/x.ts', to: '../../db/vms.ts', refused: /has no database/ },
  { from: 'packages/ssvirt/src/controllers/tenancy/x.ts', to: '../../db/vms.ts' },
  { from: 'packages/ssvirt/src/controllers/machine/x.ts', to: '../operator/y.ts' },
  { from: 'packages/ssvirt/src/controllers/cloudkit/aap/x.ts', to: '../../operator/y.ts' },
  { from: 'packages/ssvirt/src/controllers/operator/x.ts', to: '../machine/y.ts', refused: /knows neither Machines/ },
  {
    from: 'packages/ssvirt/src/controllers/tenancy/x.ts',
    to: '../operator/y.ts',
    refused: /may not import packages\/ssvirt\/src\/controllers\/operator/,
  },
  {
    from: 'packages/ssvirt/src/controllers/tenancy/x.ts',
    to: '../machine/y.ts',
    refused: /may not import packages\/ssvirt\/src\/controllers\/machine/,
  },
  {
    from: 'packages/ssvirt/src/api/x.ts',
    to: '@ssvirt/kube/client',
    refused: /packages\/ssvirt\/src\/api may not import packages\/kube\/src/,
  },
  { from: 'packages/ssvirt/src/cli/x.ts', to: '@ssvirt/api-client/client' },
  {
    from: 'packages/ssvirt/src/api/x.ts',
    to: '@ssvirt/api-client/client',
    refused: /packages\/ssvirt\/src\/api may not import packages\/api-client\/src/,
  },
  {
    from: 'packages/api-client/src/x.ts',
    to: '@ssvirt/base/values/defined',
    refused: /packages\/api-client\/src may not import packages\/base\/src\/values/,
  },
  { from: 'packages/api-client/src/x.ts', to: 'undici', refused: /packages\/api-client\/src may not import undici/ },
  { from: 'packages/ssvirt/src/processes/dev/x.ts', to: '../../controllers/tenancy/y.ts' },
  { from: 'packages/ssvirt/src/processes/dev/x.ts', to: '@ssvirt/base/tls/authority' },
  {
    from: 'packages/ssvirt/src/processes/x.ts',
    to: '@ssvirt/sandbox/cluster',
    refused: /packages\/ssvirt\/src\/processes may not import packages\/sandbox\/src/,
  },
  {
    from: 'packages/ssvirt/src/api/x.ts',
    to: '../processes/y.ts',
    refused: /packages\/ssvirt\/src\/api may not import packages\/ssvirt\/src\/processes/,
  },
  { from: 'packages/ssvirt/src/main.ts', to: './commands.ts' },
  { from: 'packages/ssvirt/src/commands.ts', to: '@ssvirt/sandbox/command' },
  { from: 'packages/ssvirt/src/main.ts', to: '../../../package.json' },
  {
    from: 'packages/ssvirt/src/elsewhere/x.ts',
    to: '@ssvirt/base/config/load',
    refused: /no folder of the architecture/,
  },
  { from: 'packages/base/src/config/x.ts', to: '@ssvirt/ssvirt/elsewhere/y', refused: /no folder of the architecture/ },
  {
    from: 'packages/base/src/config/x.ts',
    to: '../../../../test/not-run.ts',
    refused: /production code is in packages/,
  },
  { from: 'packages/base/src/config/x.test.ts', to: '../../../../test/not-run.ts' },
  { from: 'packages/kube/src/x.ts', to: '@kubernetes/client-node', refused: /only tests may import/ },
  { from: 'packages/kube/src/x.test.ts', to: '@kubernetes/client-node' },
  {
    from: 'packages/sandbox/src/x.ts',
    to: '../../kube/src/client.ts',
    refused: /is in another package: import it as @ssvirt\/kube/,
  },
  { from: 'test/anything.ts', to: '../packages/ssvirt/src/kubevirt/size.ts' },
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
  plant('packages/ssvirt/src/kubevirt/size.ts', 'export type Size = number;\nexport const one: Size = 1;\n');
  plant('packages/sandbox/src/value.ts', "export { one } from '@ssvirt/ssvirt/kubevirt/size';\n");
  plant('packages/sandbox/src/all.ts', "export * from '@ssvirt/ssvirt/kubevirt/size';\n");
  plant(
    'packages/sandbox/src/type.ts',
    "import type { Size } from '@ssvirt/ssvirt/kubevirt/size';\nexport const two: Size = 2;\n",
  );
  plant('packages/sandbox/src/inline.ts', "export const two: import('@ssvirt/ssvirt/kubevirt/size').Size = 2;\n");
  plant(
    'packages/sandbox/src/dynamic.ts',
    "export const later: Promise<unknown> = import('@ssvirt/ssvirt/kubevirt/size');\n",
  );
  plant('packages/ssvirt/src/fleet/right.ts', "export { one } from '../kubevirt/size.ts';\n");

  const oxlint = join(repository, 'node_modules/.bin/oxlint');
  const { status, stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', 'packages'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 1, stdout);
  const refused = stdout
    .split('\n')
    .filter((line) => line.includes('packages/sandbox/src may not import packages/ssvirt/src/kubevirt'));
  const files = refused.map((line) => /sandbox\/src\/([a-z]+)\.ts/.exec(line)?.[1] ?? line).toSorted();
  assert.deepEqual(files, ['all', 'dynamic', 'inline', 'type', 'value'], stdout);
  assert.doesNotMatch(stdout, /fleet/);
});
