/** All commands, in the order of the help. */
import { nouns, type LoadCommand } from './cli/nouns.ts';

/** Each is loaded when it is asked for: the others' code costs neither time nor memory. */
export const processes: Readonly<Record<string, LoadCommand>> = {
  dev: async () => (await import('./processes/dev/command.ts')).registerDevCommand,
  config: async () => (await import('./config/command.ts')).registerConfigCommand,
  'api-server': async () => (await import('./processes/api-server/command.ts')).registerApiServerCommand,
  'vm-controller': async () => (await import('./controllers/vm-status/command.ts')).registerVmControllerCommand,
  'machine-operator': async () => (await import('./controllers/machine/command.ts')).registerMachineOperatorCommand,
  'cloudkit-operator': async () => (await import('./controllers/cloudkit/command.ts')).registerCloudkitOperatorCommand,
  database: async () => (await import('./db/command.ts')).registerDatabaseCommand,
  sandbox: async () => (await import('./sandbox/command.ts')).registerSandboxCommand,
};

export const commands: Readonly<Record<string, LoadCommand>> = { ...nouns, ...processes };
