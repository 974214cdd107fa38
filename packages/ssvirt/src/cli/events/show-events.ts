import { changes, type StreamedChange } from '../api/changes.ts';
import type { ApiClient } from '../api/client.ts';
import { vdcs } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { LiveOutput } from '../output/live.ts';
import { note, say } from '../output/streams.ts';
import type { Format, View } from '../output/view.ts';
import { EntityNames } from './entity-names.ts';

interface Shown {
  readonly change: StreamedChange;
  readonly name?: string | undefined;
}

const view: View<Shown> = {
  plural: 'events',
  name: ({ change: { id } }) => id ?? '',
  columns: [
    { header: 'AT', cell: ({ change: { at } }) => at },
    { header: 'KIND', cell: ({ change: { type } }) => type },
    { header: 'CHANGE', cell: ({ change: { operation, operationName } }) => operationName ?? operation },
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'STATUS', cell: ({ change: { status } }) => status },
    { header: 'PROGRESS', cell: ({ change: { progress } }) => (progress === undefined ? undefined : `${progress} %`) },
    { header: 'ID', cell: ({ change: { id } }) => id },
  ],
};

export async function showEvents(
  client: ApiClient,
  { kinds, vdc }: { readonly kinds: readonly string[] | undefined; readonly vdc: string | undefined },
  format: Format,
): Promise<ExitCode> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const names = new EntityNames(client);
  const output = new LiveOutput(view, format);
  const show = async (change: StreamedChange): Promise<void> => {
    // For programs, print what the server sent.
    if (format === 'json') say(`${JSON.stringify(change)}\n`);
    else output.changed({ change, name: await names.of(change) });
  };
  const inVdc = vdc === undefined ? undefined : (await resolved(client, vdcs, vdc, { by: '--org' })).id;
  for await (const message of changes(client, { kinds, vdc: inVdc }, stop.signal)) {
    if (message.what === 'change') await show(message.change);
    else note(message.what === 'ready' ? 'waiting for events; Ctrl-C ends.' : 'some events were missed.');
  }
  return exitCodes.interrupted;
}
