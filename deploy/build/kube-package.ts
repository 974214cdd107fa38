/**
 * Assembles `@ssvirt/kube` as others install it: compiled, with declarations, and with what it needs of the other
 * packages of this repository inside. Only `packages/kube/src/index.ts` can be imported from it.
 *   tsc -p packages/kube && node deploy/build/link-packages.ts dist-kube && node deploy/build/kube-package.ts dist-kube
 */
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node deploy/build/kube-package.ts FOLDER');

const { name, version, description, license, type, dependencies } = JSON.parse(
  readFileSync(join(root, 'packages/kube/package.json'), 'utf8'),
) as Readonly<Record<string, unknown>> & { readonly dependencies: Readonly<Record<string, string>> };
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

// Declarations name each other as the sources do; outside, only the compiled files exist.
for (const file of globSync('**/*.d.ts', { cwd: folder })) {
  const path = join(folder, file);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(['"]\.\.?\/[^'"]*)\.ts(['"])/g, '$1.js$2'));
}
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
cpSync(join(root, 'packages/kube/README.md'), join(folder, 'README.md'));
const manifest = {
  name,
  version,
  description,
  license,
  type,
  engines: { node: '>=24' },
  exports: { '.': { types: './kube/src/index.d.ts', default: './kube/src/index.js' } },
  files: ['base', 'kube'],
  sideEffects: false,
  dependencies: {
    ...Object.fromEntries(Object.entries(dependencies).filter(([dependency]) => !dependency.startsWith('@ssvirt/'))),
    // The declarations name its types, and ws has none of its own.
    '@types/ws': devDependencies['@types/ws'],
  },
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
