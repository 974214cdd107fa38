/** The controller on Go's controller-runtime, built from bench/go where there is a Go to build it with. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const sources = join(import.meta.dirname, '../go');

export interface Rival {
  readonly path?: string;
  readonly missing?: string;
}

/** Kept outside the repository under a name that changes with its sources, like the tools of the suites. */
export async function buildRival(): Promise<Rival> {
  const env = process.env;
  const cache = env['SSVIRT_TOOLS_CACHE'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ssvirt/tools');
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum', 'main.go', 'shapes.go']) hash.update(readFileSync(join(sources, name)));
  const path = join(cache, `bench-go-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(path)) return { path };
  mkdirSync(cache, { recursive: true });
  try {
    await promisify(execFile)('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', path, '.'], { cwd: sources });
    return { path };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { missing: code === 'ENOENT' ? 'there is no Go on the PATH' : `it could not be built: ${message}` };
  }
}
