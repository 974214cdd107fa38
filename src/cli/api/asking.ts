/** The options of every command that asks a server, and the client that it gets. */
import type { Command } from 'commander';
import type { ApiClient } from './client.ts';

export function withProfile(command: Command): Command {
  return command.option('--profile <NAME>', 'which profile, in place of the current one or SSVIRT_PROFILE');
}

/** For what belongs to an organization: the provider sees those of all. */
export function withServer(command: Command): Command {
  return withProfile(command).option(
    '--org <NAME>',
    'as the provider: only what is in this organization (name or URN)',
  );
}

export function profileOf(command: Command): string | undefined {
  return command.opts<{ readonly profile?: string }>().profile;
}

export async function asking<T>(command: Command, action: (client: ApiClient) => Promise<T>): Promise<T> {
  const [{ ApiClient: Client }, { targetOf }] = await Promise.all([import('./client.ts'), import('./target.ts')]);
  const client = new Client(targetOf(profileOf(command)));
  try {
    const { org } = command.opts<{ readonly org?: string }>();
    if (org !== undefined) {
      const { resolved } = await import('./names.ts');
      const { organizations } = await import('./kinds.ts');
      client.lookAs((await resolved(client, organizations, org)).id);
    }
    return await action(client);
  } finally {
    await client.close();
  }
}
