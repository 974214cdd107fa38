/**
 * Makes a compiled tree independent of node_modules/@ssvirt, which leads to the sources: imports of our own packages
 * become relative paths, in declarations too.
 *   node deploy/build/link-packages.ts dist
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node deploy/build/link-packages.ts FOLDER');

/** The specifier of `import … from`, `export … from`, `import '…'` and `import('…')`, as the compiler writes them. */
const specifier = /(\bfrom |\bimport |\bimport\()(['"])@ssvirt\/([^/'"]+)\/([^'"]+)\2/g;

for (const file of globSync('**/*.{js,d.ts}', { cwd: folder })) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const linked = text.replace(specifier, (_all, before: string, quote: string, name: string, inside: string) => {
    const target = join(name, 'src', `${inside}.js`);
    if (!existsSync(join(folder, target))) throw new Error(`${file} imports ${target}, which was not compiled`);
    const path = relative(dirname(file), target);
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
  if (linked !== text) writeFileSync(path, linked);
}
