/** The manifests of the packages agree with what their sources import, and with the versions of the repository. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const repository = resolve(import.meta.dirname, '../..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as Manifest;
}

const root = manifest('.');
const workspaces = root.workspaces ?? [];

test('every folder of packages is a workspace', () => {
  assert.deepEqual(globSync('packages/*', { cwd: repository }).toSorted(), [...workspaces].toSorted());
});

for (const folder of workspaces) {
  const { name, dependencies = {}, devDependencies = {} } = manifest(folder);
  const isTest = (file: string): boolean => /\.(test|fixture)\.ts$|\/testdata\//.test(file);

  test(`${name} declares every package that its sources import`, () => {
    const undeclared = new Set<string>();
    // Nothing of the sandbox is shipped, so what only it needs is a development dependency. The product loads it for `ssvirt dev`.
    const shipped = folder === 'packages/sandbox' ? { ...dependencies, ...devDependencies } : dependencies;
    for (const file of globSync(`${folder}/src/**/*.ts`, { cwd: repository })) {
      const allowed =
        isTest(file) || file.endsWith('ssvirt/src/commands.ts') ? { ...shipped, ...devDependencies } : shipped;
      const source = readFileSync(join(repository, file), 'utf8');
      for (const [, specifier = ''] of source.matchAll(
        /^(?:import|export)\b[^'"`;]*?\bfrom '([^'.][^']*)';$|\bimport\('([^'.][^']*)'\)/gm,
      )) {
        if (specifier === '' || specifier.startsWith('node:')) continue;
        const imported = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        if (imported !== name && !Object.hasOwn(allowed, imported)) undeclared.add(`${imported} (${file})`);
      }
    }
    assert.deepEqual([...undeclared], []);
  });

  test(`${name} has the versions of the repository`, () => {
    const known = { ...root.dependencies, ...root.devDependencies, ...root.optionalDependencies };
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies }))
      assert.equal(version, dependency.startsWith('@ssvirt/') ? root.version : known[dependency], dependency);
  });
}
