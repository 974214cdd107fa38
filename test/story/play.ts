/**
 * Types the scenes of a page into one shell, from top to bottom, as its reader would, and returns the output of each.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../cluster/ports.ts';
import type { Block } from '../docs/blocks.ts';
import { clone, startServer, stopGroup } from '../docs/pages.ts';
import { startChild } from '../runner/child.ts';
import { scenesOf, serverOf, type Scene } from './page.ts';

const limitMs = 300_000;
/**
 * If this process is killed, the shell has to end itself and everything that it has started: it leads a process group
 * of its own.
 */
const watchdog = `parent=$PPID
( while kill -0 "$parent" 2> /dev/null; do sleep 1; done; kill -KILL -- -$$ ) > /dev/null 2>&1 &
`;

/**
 * The story needs neither templates nor sample VMs, which take time, and must not wait long for the cluster that it
 * makes unavailable.
 */
const settings = {
  SSVIRT_SANDBOX_PARTS: 'kubevirt,nodes,storage,cdi,load-balancers',
  SSVIRT_CONTROLLER_STALE_AFTER: '3s',
};

export async function play(name: string, page: string): Promise<readonly string[]> {
  const folder = clone();
  const servers: ChildProcess[] = [];
  try {
    const block: Block = { treatment: 'server', script: serverOf(page), line: 1 };
    await startServer(block, name, folder, (child) => servers.push(child), settings);
    return await typed(name, scenesOf(page), folder);
  } finally {
    for (const server of servers) await stopGroup(server);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function typed(name: string, scenes: readonly Scene[], folder: string): Promise<readonly string[]> {
  const outputs = join(folder, 'outputs');
  mkdirSync(outputs);
  const file = (at: number): string => join(outputs, String(at));
  const played = scenes.map((scene, at) => `exec > '${file(at)}' 2>&1\n${scene.script}`).join('\n');
  const [port = 0] = await freePorts(1);
  const shell = startChild('sh', ['-euc', `${watchdog}${played}`], {
    cwd: folder,
    env: { ...process.env, NORTH: `127.0.0.1:${port}`, SSVIRT_SANDBOX_SPEED: '10' },
    limitMs,
  });
  const { code, timedOut } = await shell.ended;
  const texts = scenes.flatMap((_, at) => read(file(at)) ?? []);
  if (code === 0) return texts;
  const last = scenes[texts.length - 1];
  const how = timedOut ? `it did not end in ${limitMs / 1000} s` : `exit code ${code}`;
  throw new Error(`${name}:${last?.line}: ${how}\n${last?.script}\n${texts.at(-1)}`);
}

/** Undefined if the shell has not reached this scene. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
