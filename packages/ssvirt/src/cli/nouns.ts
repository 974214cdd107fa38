/** The user commands, in the order of the help. Each is loaded on use, to keep the start fast. */
import type { Command } from 'commander';

export type LoadCommand = () => Promise<(program: Command) => void>;

export const nouns: Readonly<Record<string, LoadCommand>> = {
  login: async () => (await import('./session/command.ts')).registerLogInCommand,
  logout: async () => (await import('./session/command.ts')).registerLogOutCommand,
  whoami: async () => (await import('./session/command.ts')).registerWhoAmICommand,
  profile: async () => (await import('./profile/command.ts')).registerProfileCommand,
  vm: async () => (await import('./vm/command.ts')).registerVmCommand,
  vapp: async () => (await import('./vapp/command.ts')).registerVappCommand,
  vdc: async () => (await import('./vdc/command.ts')).registerVdcCommand,
  catalog: async () => (await import('./catalog/command.ts')).registerCatalogCommand,
  task: async () => (await import('./task/command.ts')).registerTaskCommand,
  events: async () => (await import('./events/command.ts')).registerEventsCommand,
  org: async () => (await import('./org/command.ts')).registerOrgCommand,
  user: async () => (await import('./user/command.ts')).registerUserCommand,
  cluster: async () => (await import('./clusters/command.ts')).registerClusterCommand,
  role: async () => (await import('./role/command.ts')).registerRoleCommand,
  token: async () => (await import('./token/command.ts')).registerTokenCommand,
  audit: async () => (await import('./audit/command.ts')).registerAuditCommand,
  'sync-failure': async () => (await import('./sync-failure/command.ts')).registerSyncFailureCommand,
  machine: async () => (await import('./machine/command.ts')).registerMachineCommand,
  order: async () => (await import('./order/command.ts')).registerOrderCommand,
  fleet: async () => (await import('./fleet/command.ts')).registerFleetCommand,
  completion: async () => (await import('./completion/command.ts')).registerCompletionCommand,
  reference: async () => (await import('./reference/command.ts')).registerReferenceCommand,
};

/** These need all other commands. */
export const tellsOfAll: ReadonlySet<string> = new Set(['completion', 'reference']);
