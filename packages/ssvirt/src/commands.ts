/** All commands, in the order of the help. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nouns, type LoadCommand } from './cli/nouns.ts';

/** The image and the npm package do not contain the folders of these commands. */
const development = {
  dev: async () => (await import('./processes/dev/command.ts')).registerDevCommand,
  sandbox: async () => (await import('@ssvirt/sandbox/cli/command')).registerSandboxCommand,
} satisfies Readonly<Record<string, LoadCommand>>;
const makeTargets: Readonly<Record<string, string>> = { dev: 'run', sandbox: 'sandbox' };
const hasDevelopment = existsSync(join(import.meta.dirname, '../../sandbox'));

/** Each is loaded when it is asked for: the others' code costs neither time nor memory. */
export const processes: Readonly<Record<string, LoadCommand>> = {
  ...(hasDevelopment ? { dev: development.dev } : {}),
  config: async () => (await import('./processes/config/command.ts')).registerConfigCommand,
  'api-server': async () => (await import('./processes/api-server/command.ts')).registerApiServerCommand,
  'vm-controller': async () => (await import('./processes/vm-controller/command.ts')).registerVmControllerCommand,
  'machine-operator': async () =>
    (await import('./processes/machine-operator/command.ts')).registerMachineOperatorCommand,
  'cloudkit-operator': async () =>
    (await import('./processes/cloudkit-operator/command.ts')).registerCloudkitOperatorCommand,
  database: async () => (await import('./processes/database/command.ts')).registerDatabaseCommand,
  ...(hasDevelopment ? { sandbox: development.sandbox } : {}),
};

export const commands: Readonly<Record<string, LoadCommand>> = { ...nouns, ...processes };

/** Why `name` is no command of this installation although it is one of ssvirt; undefined for all other names. */
export function missingCommand(name: string): string | undefined {
  if (hasDevelopment || !Object.hasOwn(development, name)) return undefined;
  return `ssvirt ${name} is for development and is not in this installation: clone the repository and run make ${makeTargets[name]}`;
}
