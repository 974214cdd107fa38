/**
 * Measures lists of all objects of a kind in the forms that clients use: whole, compressed, paged, selected, and as a
 * Table.
 */
import type { Answer, Call, Connection } from './connection.ts';
import type { Figures } from './figures.ts';
import { withConnections } from './load.ts';
import { median } from './percentiles.ts';
import type { Server } from './servers.ts';
import { tenthSelector, type Workload } from './workload.ts';

const pageSize = 500;
/** The Accept header of kubectl. */
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

type Form = (connection: Connection, path: string) => Promise<number>;

const one =
  (call: (path: string) => Call): Form =>
  async (connection, path) =>
    (await connection.must(call(path))).bytes;

const forms: Readonly<Record<string, Form>> = {
  whole: one((path) => ({ method: 'GET', path })),
  'whole, gzip': one((path) => ({ method: 'GET', path, gzip: true })),
  [`pages of ${pageSize}`]: listPages,
  'one in ten by label': one((path) => ({
    method: 'GET',
    path: `${path}?labelSelector=${encodeURIComponent(tenthSelector)}`,
  })),
  'as Table': one((path) => ({ method: 'GET', path, accept: asTable })),
};

export async function measureLists(
  server: Server,
  workload: Workload,
  repeats: number,
  figures: Figures,
): Promise<void> {
  const { title, path } = workload;
  await withConnections(server, 1, async ([connection]) => {
    for (const [name, form] of Object.entries(forms)) {
      const times: number[] = [];
      let bytes = 0;
      for (let i = 0; i < repeats; i++) {
        const began = performance.now();
        bytes = await form(connection as Connection, path);
        times.push(performance.now() - began);
      }
      figures.add('lists of all objects', `${title} ${name}`, 'ms', median(times));
      figures.add('lists of all objects', `${title} ${name}, size`, 'MB', bytes / 1e6);
    }
  });
}

async function listPages(connection: Connection, path: string): Promise<number> {
  let bytes = 0;
  let token: string | undefined = '';
  while (token !== undefined) {
    const rest: string = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    const answer = await connection.must({ method: 'GET', path: `${path}?limit=${pageSize}${rest}` });
    bytes += answer.bytes;
    token = continueOf(answer);
  }
  return bytes;
}

/**
 * Built-in kinds have `continue` at the start of a page, custom resources at the end. Parsing the whole page would cost
 * client time.
 */
function continueOf({ parts }: Answer): string | undefined {
  const page = Buffer.concat(parts);
  const ends = page.toString('latin1', 0, 2000) + page.toString('latin1', Math.max(2000, page.length - 2000));
  return /"continue":"([^"]+)"/.exec(ends)?.[1];
}
