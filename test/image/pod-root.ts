/** A root file system like the image's, and processes in it as in pods, without a container engine. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { getuid } from 'node:process';

const repository = resolve(import.meta.dirname, '../..');
const inRoot = join(import.meta.dirname, 'in-root');

/** Why such a root cannot be built here, or undefined if it can. */
export function whyNot(folder: string): string | undefined {
  if (getuid?.() !== 0) return 'needs root, to make a root file system of its own';
  const empty = mkdtempSync(join(folder, 'try-'));
  try {
    execFileSync('unshare', ['--mount', '--propagation', 'private', 'mount', '-t', 'tmpfs', 'tmpfs', empty], {
      stdio: 'pipe',
    });
    return undefined;
  } catch {
    return 'needs the right to mount, which root has not here';
  }
}

/** Builds the command if necessary, and assembles what the image adds to its base. */
export function assemble(folder: string): string {
  const assembled = join(folder, 'assembled');
  if (!existsSync(join(repository, 'dist/ssvirt/src/main.js')))
    execFileSync('make', ['build'], { cwd: repository, stdio: 'pipe' });
  execFileSync(process.execPath, ['deploy/image/assemble.ts', assembled], { cwd: repository, stdio: 'pipe' });
  return assembled;
}

/** Files as a pod mounts them, by their path in it; every user can read them. */
export function mountedFiles(folder: string, files: Readonly<Record<string, string>>): string {
  const mounted = mkdtempSync(join(folder, 'files-'));
  for (const name of ['etc', 'secrets', 'var']) mkdirSync(join(mounted, name));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(mounted, path)), { recursive: true });
    writeFileSync(join(mounted, path), text);
  }
  cpSync('/etc/hosts', join(mounted, 'etc/hosts'));
  return mounted;
}

export interface InRoot {
  readonly child: ChildProcess;
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  readonly said: () => string;
}

export interface Place {
  readonly folder: string;
  readonly assembled: string;
  readonly files: string;
}

export function runInRoot(
  { folder, assembled, files }: Place,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): InRoot {
  const root = mkdtempSync(join(folder, 'root-'));
  const args = ['--mount', '--propagation', 'private', inRoot, root, assembled, files, ...command];
  const child = spawn('unshare', args, {
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  return { child, exited: once(child, 'exit') as unknown as InRoot['exited'], said: () => said };
}
