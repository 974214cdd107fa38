/** The rivals on Go's controller-runtime, built if Go is installed. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Rival {
  readonly path?: string;
  readonly missing?: string;
}

export function buildRival(): Promise<Rival> {
  return buildGo('bench-go', join(import.meta.dirname, '../go'));
}

/** Stored outside the repository under a name that depends on its sources, like the tools of the suites. */
export async function buildGo(name: string, sources: string): Promise<Rival> {
  const env = process.env;
  const cache = env['SSVIRT_TOOLS_CACHE'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ssvirt/tools');
  const hash = createHash('sha256');
  for (const file of readdirSync(sources).toSorted()) hash.update(readFileSync(join(sources, file)));
  const path = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
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
