/**
 * PostgreSQL servers that the test runner lends to its test files, one file at a time: a start takes longer than most
 * of these files do.
 */
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../packages/ssvirt/src/db/embedded/server.ts';
import { contentKey, preparedFolder } from './prepared.ts';

/** The URL of the server, under the key of its template. */
export const LENT = 'SSVIRT_TEST_POSTGRES';

/** For the runner: a server to lend, and the environment of its test files. */
export interface Lender {
  readonly env: NodeJS.ProcessEnv;
  readonly stop: () => Promise<void>;
}

export async function startLender(): Promise<Lender> {
  const server = await startEmbeddedPostgres({ copyOf: await preparedFolder(), fsync: false });
  return { env: { [LENT]: `${contentKey()} ${server.url}` }, stop: server.stop };
}

/**
 * For a test file: undefined if no server is lent, or if other migrations made it, as in a copy of the sources with a
 * planted defect.
 */
export function lentServer(): Promise<EmbeddedPostgres> | undefined {
  const [key, url] = (process.env[LENT] ?? '').split(' ');
  if (url === undefined || key !== contentKey()) return undefined;
  const refuse = (): Promise<never> =>
    Promise.reject(new Error('this PostgreSQL is lent to other tests, too: ask for one with ownServer'));
  const { port } = new URL(url);
  return Promise.resolve({
    url,
    port: Number(port),
    get folder(): string {
      throw new Error('the folder of a lent PostgreSQL is not known: ask for one with ownServer');
    },
    stop: refuse,
    kill: refuse,
    start: refuse,
    ended: refuse,
  });
}
