/** `ssvirt database …`: the schema, a PostgreSQL for development, and what a person decides about a cluster. */
import type { Command } from 'commander';
import { addConfigOptions, configOf, type Selection } from '../config/options.ts';

/** Flags for the way to the database only; what is kept how long is no matter of these commands. */
const connection: Selection = ({ path }) =>
  path.startsWith('database.') && !path.startsWith('database.retention.') && path !== 'database.maxConnections';

export function registerDatabaseCommand(program: Command): void {
  const database = program.command('database').description('the PostgreSQL that ssvirt keeps its state in');
  registerMigrate(database);
  registerServe(database);
  registerAcceptCluster(database);
  registerQuery(database);
}

function registerMigrate(database: Command): void {
  const command = database.command('migrate').description('bring the schema of the database up to date');
  addConfigOptions(command, 'database', connection).action(async () => {
    const { config } = configOf(command, 'database', connection);
    const { migrateAndSay, sayProblem } = await import('./command-actions.ts');
    await sayProblem(command, () => migrateAndSay(config.database));
  });
}

function registerServe(database: Command): void {
  database
    .command('serve')
    .description('run a PostgreSQL on this machine for development, migrated; nothing has to be installed')
    .requiredOption('--data <DIR>', 'the folder that keeps the data over restarts')
    .option('--listen <HOST:PORT>', 'where it listens, on this machine only; port 0 takes a free one', '127.0.0.1:7432')
    .action(async (options: { readonly data: string; readonly listen: string }, command: Command) => {
      const { sayProblem } = await import('./command-actions.ts');
      const { serve } = await import('./serve.ts');
      await sayProblem(command, () => serve(options));
    });
}

function registerAcceptCluster(database: Command): void {
  const command = database
    .command('accept-cluster <name> <uid>')
    .description('accept that a cluster of the fleet is another one now, by the uid of its namespace kube-system');
  addConfigOptions(command, 'database', connection).action(async (name: string, uid: string) => {
    const { config } = configOf(command, 'database', connection);
    const { acceptAndSay, sayProblem } = await import('./command-actions.ts');
    await sayProblem(command, () => acceptAndSay(config.database, name, uid));
  });
}

function registerQuery(database: Command): void {
  const command = database
    .command('query <SQL>')
    .description('run one statement and print its answer; nothing is changed unless that is asked for')
    .option('--write', 'let the statement change something');
  addConfigOptions(command, 'database', connection).action(async (statement: string) => {
    const { config } = configOf(command, 'database', connection);
    const { queryAndSay, sayProblem } = await import('./command-actions.ts');
    const { write } = command.opts<{ write?: boolean }>();
    await sayProblem(command, () => queryAndSay(config.database, statement, { write: write === true }));
  });
}
