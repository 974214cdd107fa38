/** Stores lists, and replays them later like a server that lags behind the others. */
import type { ServerResponse } from 'node:http';
import { request as httpsRequest, type Agent } from 'node:https';
import type { Credentials } from '../cluster/cluster.ts';
import type { Snapshot } from './fault.ts';
import { isStream, type SeenRequest } from './seen-request.ts';

interface ListBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly object[];
}

export async function snapshotOf(upstream: Credentials, agent: Agent, path: string): Promise<Snapshot> {
  const body = JSON.parse(await get(upstream, agent, path)) as ListBody;
  return { resourceVersion: body.metadata.resourceVersion, body };
}

function get(upstream: Credentials, agent: Agent, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${upstream.token}`, accept: 'application/json' };
    const outgoing = httpsRequest(`${upstream.url}${path}`, { agent, headers, timeout: 10_000 }, (answer) => {
      answer
        .toArray()
        .then((chunks) => resolve(Buffer.concat(chunks as Buffer[]).toString()))
        .catch(reject);
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer to a list of ${path}`)));
    outgoing.once('error', reject).end();
  });
}

/** Answers from the snapshot. Returns true if the response is a stream that continues. */
export function writeSnapshot(request: SeenRequest, response: ServerResponse, { body }: Snapshot): boolean {
  const list = body as ListBody;
  response.writeHead(200, { 'content-type': 'application/json' });
  if (!isStream(request)) {
    response.end(JSON.stringify(list));
    return false;
  }
  if (request.verb === 'watch-list') {
    const { apiVersion } = list;
    const kind = list.kind.replace(/List$/, '');
    for (const item of list.items) response.write(eventLine('ADDED', { apiVersion, kind, ...item }));
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const { resourceVersion } = list.metadata;
    response.write(eventLine('BOOKMARK', { apiVersion, kind, metadata: { resourceVersion, annotations } }));
  }
  return true;
}

function eventLine(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}
