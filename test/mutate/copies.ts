/** Copies of the repository in which defects are planted: the work tree itself is never touched. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { plant } from './defect.ts';
import type { Edit } from './defect.ts';

export class Copy {
  readonly path = mkdtempSync(join(tmpdir(), 'ssvirt-mutate-'));
  /** What the files of defects are relative to. */
  readonly #below: string;

  private constructor(below: string) {
    this.#below = below;
  }

  /** Of the work tree, with what is not committed. */
  static of(root: string, below: string): Copy {
    const copy = new Copy(below);
    for (const file of filesOf(root)) {
      const target = join(copy.path, file);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(root, file), target);
    }
    symlinkSync(join(root, 'node_modules'), join(copy.path, 'node_modules'));
    return copy;
  }

  /** The same again, whatever happens to the work tree meanwhile. */
  again(): Copy {
    const copy = new Copy(this.#below);
    cpSync(this.path, copy.path, { recursive: true, verbatimSymlinks: true });
    return copy;
  }

  source({ file }: Edit): string {
    return readFileSync(join(this.path, this.#below, file), 'utf8');
  }

  /** Runs the work with the defect in place, and takes it out again. */
  async with<T>(defect: Edit, work: () => Promise<T>): Promise<T> {
    const file = join(this.path, this.#below, defect.file);
    const source = this.source(defect);
    writeFileSync(file, plant(defect, source));
    try {
      return await work();
    } finally {
      writeFileSync(file, source);
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** As many as are worked in at a time. They go when the process ends. */
export class Copies {
  readonly #free: Copy[];

  constructor(below: string, width: number) {
    const first = Copy.of(resolve(import.meta.dirname, '../..'), below);
    const all = [first, ...Array.from({ length: width - 1 }, () => first.again())];
    this.#free = [...all];
    process.on('exit', () => all.forEach((copy) => copy.remove()));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  }

  /** To no more at a time than there are. */
  async lend<T>(work: (copy: Copy) => Promise<T>): Promise<T> {
    const copy = this.#free.pop();
    if (copy === undefined) throw new Error('more copies of the repository are asked for than there are');
    try {
      return await work(copy);
    } finally {
      this.#free.push(copy);
    }
  }
}

/** What git knows, and what is new and not ignored, as it stands in the work tree. */
function filesOf(root: string): string[] {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
  return names.split('\0').filter((name) => {
    const file = join(root, name);
    return name !== '' && existsSync(file) && statSync(file).isFile();
  });
}
