/** `ssvirt database …`: the schema, a PostgreSQL for development, and a person's decision about a cluster. */
import type { Command } from 'commander';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf, type Selection } from '@ssvirt/base/config/options';

/** Only the flags of the database connection. Retention does not matter to these commands. */
const connection: Selection = ({ path }) =>
  path.startsWith('database.') && !path.startsWith('database.retention.') && path !== 'database.maxConnections';

export function registerDatabaseCommand(program: Command): void {
  const database = program.command('database').description('the PostgreSQL database of ssvirt');
  registerMigrate(database);
  registerServe(database);
  registerAcceptCluster(database);
  registerQuery(database);
}

function registerMigrate(database: Command): void {
  const command = database.command('migrate').description('bring the schema of the database up to date');
  addExamples(command, [
    'ssvirt database migrate --config /etc/ssvirt/config.yaml',
    'SSVIRT_DATABASE_URL=postgres://owner@db.example.org:5432/ssvirt ssvirt database migrate',
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
    .description('run a migrated PostgreSQL on this machine for development; nothing needs to be installed')
    .requiredOption('--data <DIR>', 'the folder of the data, which is kept across restarts')
    .option('--listen <HOST:PORT>', 'the local address to listen on; port 0 chooses a free port', '127.0.0.1:7432')
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
    .description('accept the new identity of a cluster of the fleet, the uid of its namespace kube-system');
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
    .description('run one statement and print its result; read-only without --write')
    .option('--write', 'allow the statement to change data');
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
