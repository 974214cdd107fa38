/** All commands, in the order of the help. */
import { nouns, type LoadCommand } from './cli/nouns.ts';

/** Each is loaded when it is asked for: the others' code costs neither time nor memory. */
export const processes: Readonly<Record<string, LoadCommand>> = {
  dev: async () => (await import('./processes/dev/command.ts')).registerDevCommand,
  config: async () => (await import('./processes/config/command.ts')).registerConfigCommand,
  'api-server': async () => (await import('./processes/api-server/command.ts')).registerApiServerCommand,
  'vm-controller': async () => (await import('./processes/vm-controller/command.ts')).registerVmControllerCommand,
  'machine-operator': async () =>
    (await import('./processes/machine-operator/command.ts')).registerMachineOperatorCommand,
  'cloudkit-operator': async () =>
    (await import('./processes/cloudkit-operator/command.ts')).registerCloudkitOperatorCommand,
  database: async () => (await import('./processes/database/command.ts')).registerDatabaseCommand,
  sandbox: async () => (await import('./sandbox/cli/command.ts')).registerSandboxCommand,
};

export const commands: Readonly<Record<string, LoadCommand>> = { ...nouns, ...processes };
