/** `ssvirt database …`: the schema, a PostgreSQL for development, and what a person decides about a cluster. */
import type { Command } from 'commander';
import { addExamples } from '../config/examples.ts';
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
  addExamples(command, [
    'ssvirt database migrate --config /etc/ssvirt/config.yaml',
    'ssvirt database migrate --database-url postgres://owner@db.example.org:5432/ssvirt',
  ]);
  addConfigOptions(command, 'database', connection).action(async () => {
    const { config } = configOf(command, 'database', connection);
    const { migrateAndSay, sayProblem } = await import('./command-actions.ts');
    await sayProblem(command, () => migrateAndSay(config.database));
  });
}

function registerServe(database: Command): void {
  const command = database
    .command('serve')
    .description('run a PostgreSQL on this machine for development, migrated; nothing has to be installed')
    .requiredOption('--data <DIR>', 'the folder that keeps the data over restarts')
    .option('--listen <HOST:PORT>', 'where it listens, on this machine only; port 0 takes a free one', '127.0.0.1:7432')
    .action(async (options: { readonly data: string; readonly listen: string }) => {
      const { sayProblem } = await import('./command-actions.ts');
      const { serve } = await import('./serve.ts');
      await sayProblem(command, () => serve(options));
    });
  addExamples(command, [
    'ssvirt database serve --data ./database',
    'ssvirt database serve --data ./database --listen 127.0.0.1:0',
  ]);
}

function registerAcceptCluster(database: Command): void {
  const command = database
    .command('accept-cluster <name> <uid>')
    .description('accept that a cluster of the fleet is another one now, by the uid of its namespace kube-system');
  addExamples(command, [
    'ssvirt database accept-cluster east 7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11 --config /etc/ssvirt/config.yaml',
    `ssvirt database accept-cluster east "$(kubectl --context east get namespace kube-system -o jsonpath='{.metadata.uid}')"`,
  ]);
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
  addExamples(command, [
    "ssvirt database query 'SELECT name, state, synced_at FROM clusters'",
    "ssvirt database query --write 'DELETE FROM sessions'",
  ]);
  addConfigOptions(command, 'database', connection).action(async (statement: string) => {
    const { config } = configOf(command, 'database', connection);
    const { queryAndSay, sayProblem } = await import('./command-actions.ts');
    const { write } = command.opts<{ write?: boolean }>();
    await sayProblem(command, () => queryAndSay(config.database, statement, { write: write === true }));
  });
}
