/** The architecture page and the READMEs of packages/ say what is there. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { arrows } from './arrows.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The cells of each row of the tables of a page, without their headings. */
function rowsOf(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  return lines
    .filter((line, at) => line.startsWith('| ') && !line.startsWith('| -') && lines[at + 1]?.startsWith('| -') !== true)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

test('the table of the architecture page has the arrows of arrows.ts', () => {
  const [, folders = ''] = read('docs/contributor/architecture.md').split('\n## Folders\n');
  const shown = rowsOf(folders).map(([folder = '', to = '']) => [namesIn(folder)[0], namesIn(to)] as const);
  assert.deepEqual(
    Object.fromEntries(shown),
    Object.fromEntries(Object.entries(arrows).map(([folder, { to }]) => [folder, to])),
  );
});

/** What is not for reading needs no row: recorded answers. */
const isData = /^(?:golden|testdata)$/;

function foldersIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !isData.test(entry.name) ? [entry.name] : [],
  );
}

const readmes = globSync('{packages,test,bench,deploy}/**/README.md', {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'testdata',
})
  .filter((readme) => readme !== 'deploy/chart/ssvirt/README.md') // generated, about values
  .toSorted();
const packages = foldersIn('packages');

/** The product's folders are as large as the other packages. */
const isLarge = (name: string): boolean => name === 'ssvirt';

test('every package and its folders, and the next level in the product, have a README', () => {
  const upper = packages.flatMap((name) => [
    `packages/${name}`,
    ...foldersIn(`packages/${name}/src`).flatMap((folder) => [
      `packages/${name}/src/${folder}`,
      ...(isLarge(name) ? foldersIn(`packages/${name}/src/${folder}`) : []).map(
        (inner) => `packages/${name}/src/${folder}/${inner}`,
      ),
    ]),
  ]);
  assert.ok(upper.length > 50, `${upper.length} folders are found`);
  const without = upper.filter((folder) => !existsSync(join(root, folder, 'README.md')));
  assert.deepEqual(without, []);
});

/** More than so many files of a folder and those below it cannot be taken in at a glance. */
const mostWithoutReadme = 22;

test('the folders beside the packages, and their large folders, have a README', () => {
  const tops = ['test', 'bench', 'deploy'];
  const large = tops.flatMap((top) =>
    foldersIn(top)
      .map((name) => `${top}/${name}`)
      .filter((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }).length > mostWithoutReadme),
  );
  assert.ok(large.length > 10, `${large.length} folders are found`);
  const without = [...tops, ...large].filter((folder) => !existsSync(join(root, folder, 'README.md')));
  assert.deepEqual(without, []);
});

for (const readme of readmes)
  test(`${readme} names what is there`, () => {
    const folder = contentOf(dirname(readme));
    const text = read(readme);
    const listed = rowsOf(text).flatMap(([first = '']) => namesIn(first));
    const linked = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target);
    const problems = [
      ...listed
        .filter((name) => !existsSync(join(root, folder, name)))
        .map((name) => `${name} in its table is not there`),
      ...linked
        .filter((target) => !existsSync(join(root, dirname(readme), target)))
        .map((target) => `its link ${target} is not there`),
      ...mentionedIn(text)
        .filter((name) => !isKnown(folder, name))
        .map((name) => `${name} is not there`),
      ...foldersIn(folder)
        .filter((name) => !listed.includes(`${name}/`))
        .map((name) => `the table has no row for ${name}/`),
    ];
    assert.deepEqual(problems, []);
  });

/** The README of a package is beside its sources. */
function contentOf(folder: string): string {
  return /^packages\/[^/]+$/.test(folder) ? `${folder}/src` : folder;
}

/** Names of files and folders in code spans. */
function mentionedIn(text: string): readonly string[] {
  return namesIn(text).filter((name) => /^[\w.-]+(?:\/[\w.-]+)*(?:\.ts|\/)$/.test(name));
}

/** A name is a path from the README or from the root. A bare name of a file may stand for those of several subfolders. */
function isKnown(folder: string, name: string): boolean {
  if (existsSync(join(root, folder, name)) || existsSync(join(root, name))) return true;
  if (packages.some((one) => existsSync(join(root, 'packages', one, 'src', name)))) return true;
  return basename(name) === name && globSync(`${folder}/*/${name}`, { cwd: root }).length > 0;
}
