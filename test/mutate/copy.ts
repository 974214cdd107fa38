/** A copy of the sources in which defects are planted: the work tree itself is never changed. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plant, type Defect } from './defect.ts';
import { linkPackages } from './packages.ts';

/** What a copy holds: the sources, and what their tests read. A name that does not exist is left out. */
const copied = ['bench', 'bin', 'deploy', 'docs', 'packages', 'test', 'package.json', 'tsconfig.json'];

export class Copy {
  readonly path: string = mkdtempSync(join(realpathSync(tmpdir()), 'ssvirt-mutate-'));

  private constructor() {
    process.once('exit', () => this.remove());
  }

  /** Copies the work tree of the repository at `root`, with what is not committed. */
  static of(root: string): Copy {
    const copy = new Copy();
    for (const file of filesOf(root)) {
      const target = join(copy.path, file);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(root, file), target);
    }
    linkPackages(root, copy.path);
    return copy;
  }

  /** Copies this copy, whatever has happened to the work tree meanwhile. */
  again(): Copy {
    const copy = new Copy();
    cpSync(this.path, copy.path, { recursive: true, verbatimSymlinks: true });
    return copy;
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8');
  }

  /** Does the work with the defect in place, and takes the defect out again. */
  async with<T>(defect: Defect, work: () => Promise<T>): Promise<T> {
    const path = join(this.path, defect.file);
    const source = this.read(defect.file);
    writeFileSync(path, plant(defect, source));
    try {
      return await work();
    } finally {
      writeFileSync(path, source);
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** What git knows, and what is new and not ignored, as the work tree has it. */
function filesOf(root: string): readonly string[] {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...copied];
  const names = execFileSync('git', args, options).split('\0');
  return names.filter((name) => name !== '' && isFile(join(root, name)));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
