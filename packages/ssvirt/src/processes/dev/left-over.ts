/** Children that a killed `ssvirt dev` has left on the same folder. The guard of each is about to end it. */
import { ConfigError } from '@ssvirt/base/config/setting';
import { haveEnded, listProcesses, type ProcessInfo } from '../../db/embedded/processes.ts';

/** Part of each guard's command line: `guardName OWNER keep FOLDER …`. */
export const guardName = 'ssvirt-dev-guard';

/** Longer than a guard waits before it kills. */
const deadlineMs = 40_000;

/** `untilFree` resolves when no process uses the folder any more; throws when its owner is still alive. */
export async function untilFree(folder: string, say: (line: string) => void): Promise<void> {
  const guards = guardsOn(folder);
  const owned = guards.find((guard) => ownerOf(guard) === guard.parent);
  if (owned !== undefined)
    throw new ConfigError([
      `dev.data: "${folder}" is in use by another ssvirt dev (process ${owned.parent}): stop it, or choose another folder with --data DIR`,
    ]);
  if (guards.length === 0) return;
  say('waiting for processes of an earlier run to end');
  const all = guards.map(({ pid }) => pid);
  if (await haveEnded(all, deadlineMs)) return;
  throw new ConfigError([
    `dev.data: processes of an earlier run still use "${folder}": end them (${all.join(', ')}), or choose another folder with --data DIR`,
  ]);
}

function guardsOn(folder: string): readonly ProcessInfo[] {
  return listProcesses().filter(
    ({ command }) => command.includes(` ${guardName} `) && command.includes(` keep ${folder} `),
  );
}

function ownerOf({ command }: ProcessInfo): number {
  return Number(command.split(` ${guardName} `)[1]?.split(' ')[0]);
}
