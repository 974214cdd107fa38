/** Copies of the repository in which defects are planted: the work tree itself is never touched. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plant } from './defect.ts';
import type { Defect } from './defect.ts';

export class Copy {
  readonly path: string;

  constructor(root: string) {
    this.path = mkdtempSync(join(tmpdir(), 'ssvirt-mutate-'));
    for (const file of filesOf(root)) {
      const target = join(this.path, file);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(root, file), target);
    }
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'));
  }

  /** Runs the work with the defect in place, and takes it out again. */
  async with<T>(defect: Defect, work: () => Promise<T>): Promise<T> {
    const file = join(this.path, 'src/sandbox', defect.file);
    const source = readFileSync(file, 'utf8');
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

/** What git knows, and what is new and not ignored, as it stands in the work tree. */
function filesOf(root: string): string[] {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
  return names.split('\0').filter((name) => {
    const file = join(root, name);
    return name !== '' && existsSync(file) && statSync(file).isFile();
  });
}
