/** Writes docs/contributor/tree.md: the folders of the repository, as `tree -d -L 4` prints them. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
export const pageFile: string = join(root, 'docs/contributor/tree.md');
const depth = 4;

const introduction = `# All folders

<!-- Written by \`make docs\` from the files that git knows. -->

For whoever looks for the code of something. [Architecture](architecture.md) says what the folders of the packages may
import, and each package and each folder in it has a README with its contents.

These are the folders with files of the repository, as \`LC_ALL=C tree -d -L ${depth} --noreport\` prints them in a new
clone:
`;

/** `page` is the whole page for these files, which are paths from the root with slashes. */
export function page(files: readonly string[]): string {
  return [introduction, '```text', '.', ...render(foldersOf(files), ''), '```', ''].join('\n');
}

/** `repositoryFiles` are the files that git knows and new ones that it does not ignore; undefined where git knows no repository. */
export function repositoryFiles(): readonly string[] | undefined {
  const git = (...args: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    return status === 0 ? stdout : undefined;
  };
  // Copies of the repository stand in folders of other repositories.
  if (git('rev-parse', '--show-prefix')?.trim() !== '') return undefined;
  return git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
    ?.split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));
}

interface Folder extends Map<string, Folder> {}

function foldersOf(files: readonly string[]): Folder {
  const top: Folder = new Map();
  for (const file of files) {
    let at = top;
    for (const name of file.split('/').slice(0, -1).slice(0, depth)) {
      // `tree` shows no hidden folders either.
      if (name.startsWith('.')) break;
      const below: Folder = at.get(name) ?? new Map();
      at.set(name, below);
      at = below;
    }
  }
  return top;
}

function render(folder: Folder, indent: string): readonly string[] {
  const names = [...folder.keys()].toSorted();
  return names.flatMap((name, at) => {
    const isLast = at === names.length - 1;
    const below = folder.get(name) ?? new Map();
    return [`${indent}${isLast ? '└── ' : '├── '}${name}`, ...render(below, `${indent}${isLast ? '    ' : '│   '}`)];
  });
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === '') {
  const files = repositoryFiles();
  if (files === undefined) throw new Error(`git does not know ${root}: run this in a clone`);
  writeFileSync(pageFile, page(files));
}
