/** The options of every command that sends requests to a server, and the client that the command gets. */
import type { Command } from 'commander';
import type { ApiClient } from './client.ts';

export function withProfile(command: Command): Command {
  return command.option('--profile <NAME>', 'the profile to use, instead of the current one or SSVIRT_PROFILE');
}

/** `withServer` adds `--org` to commands on objects of an organization: the provider sees the objects of all organizations. */
export function withServer(command: Command): Command {
  return withProfile(command).option(
    '--org <NAME>',
    'as the provider: only objects of this organization (name or URN)',
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
      const { organizations } = await import('./entity-kinds.ts');
      client.lookAs((await resolved(client, organizations, org)).id);
    }
    return await action(client);
  } catch (error) {
    const { Refusal } = await import('./refusal.ts');
    throw error instanceof Refusal ? await error.inFlags(flagsOf(command)) : error;
  } finally {
    await client.close();
  }
}

/** `flagsOf` returns the flags of the command, with their dashes. */
export function flagsOf(command: Command): ReadonlySet<string> {
  return new Set(command.options.flatMap(({ long }) => long ?? []));
}
