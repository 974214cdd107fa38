import { changes, type Change } from '../api/changes.ts';
import type { ApiClient } from '../api/client.ts';
import { vdcs } from '../api/kinds.ts';
import { resolved } from '../api/names.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { LiveOutput } from '../output/live.ts';
import { note } from '../output/streams.ts';
import type { Format, View } from '../output/view.ts';

const view: View<Change> = {
  plural: 'events',
  name: ({ id }) => id ?? '',
  columns: [
    { header: 'AT', cell: ({ at }) => at },
    { header: 'KIND', cell: ({ type }) => type },
    { header: 'CHANGE', cell: ({ operation }) => operation },
    { header: 'STATUS', cell: ({ status }) => status },
    { header: 'PROGRESS', cell: ({ progress }) => (progress === undefined ? undefined : `${progress} %`) },
    { header: 'ID', cell: ({ id }) => id },
  ],
};

export async function showEvents(
  client: ApiClient,
  { kinds, vdc }: { readonly kinds: readonly string[] | undefined; readonly vdc: string | undefined },
  format: Format,
): Promise<ExitCode> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const output = new LiveOutput(view, format);
  const inVdc = vdc === undefined ? undefined : (await resolved(client, vdcs, vdc, { by: '--org' })).id;
  for await (const told of changes(client, { kinds, vdc: inVdc }, stop.signal)) {
    if (told.what === 'change') output.changed(told.change);
    else note(told.what === 'ready' ? 'listening; Ctrl-C ends it.' : 'some events were missed.');
  }
  return exitCodes.interrupted;
}
