import type { Schemas } from '@ssvirt/api-client/client';
import type { Command } from 'commander';
import { asking } from '../api/asking.ts';
import { dataOf } from '../api/data-of.ts';
import { printOne } from '../output/print.ts';
import type { Format, View } from '../output/view.ts';

type SessionShown = Schemas['Session'] & { readonly url: string };

const view: View<SessionShown> = {
  plural: 'sessions',
  name: ({ user, org }) => `${user.name}@${org.name}`,
  columns: [
    { header: 'USER', cell: ({ user }) => user.name },
    { header: 'ORGANIZATION', cell: ({ org }) => org.name },
    { header: 'ROLES', cell: ({ roles }) => roles.join(', ') },
    { header: 'SERVER', cell: ({ url }) => url },
    { header: 'USER ID', cell: ({ user }) => user.id, wide: true },
    { header: 'ORGANIZATION ID', cell: ({ org }) => org.id, wide: true },
  ],
};

export async function showSession(command: Command, format: Format): Promise<void> {
  await asking(command, async (client) => {
    const session = await dataOf(client.api.GET('/cloudapi/1.0.0/sessions/current'));
    printOne(view, format, { url: client.connection.server.url, ...session });
  });
}
