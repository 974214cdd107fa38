/** Serves paths that are not resources: health, version, discovery, OpenAPI. */
import type { Discovery } from '../../discovery/discovery.ts';
import { apiVersions } from '../../discovery/legacy.ts';
import { discoveryForm } from '../../discovery/negotiation.ts';
import { openApiAnswer } from '../../openapi/answer.ts';
import type { OpenApi } from '../../openapi/documents.ts';
import type { Context } from '../context.ts';
import { sendJson, sendText } from '../render.ts';
import { notRoutable } from './negotiate.ts';
import type { PathHandler } from '../server.ts';
import { errors } from '../status.ts';

export const KUBERNETES_VERSION = 'v1.36.3';

export function versionInfo(): Record<string, string> {
  const [major = '', minor = ''] = KUBERNETES_VERSION.slice(1).split('.');
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: KUBERNETES_VERSION,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}

const HEALTH = new Set(['/healthz', '/livez', '/readyz']);
const CHECKS = ['ping', 'log', 'etcd'];

export const health: PathHandler = async (context) => {
  const [, name = '', check, ...more] = context.path.split('/');
  if (!HEALTH.has(`/${name}`) || more.length > 0 || (check !== undefined && !CHECKS.includes(check))) return false;
  const text = context.query.has('verbose')
    ? `${CHECKS.map((each) => `[+]${each} ok\n`).join('')}${name} check passed\n`
    : 'ok';
  await sendText(context, 200, text, 'text/plain; charset=utf-8');
  return true;
};

export const version: PathHandler = async (context) => {
  if (context.path !== '/version' && context.path !== '/version/') return false;
  if (context.method !== 'GET') throw errors.methodNotAllowed();
  await sendText(context, 200, JSON.stringify(versionInfo(), null, 2));
  return true;
};

export function discoveryPaths(discovery: Discovery, address: () => string): PathHandler {
  return async (context) => {
    const path = context.path.replace(/\/$/, '');
    if (path === '/api' || path === '/apis') {
      await serveRoot(context, discovery, path, address());
      return true;
    }
    const document = discoveryDocument(discovery, path);
    if (document === undefined) return false;
    if (context.method !== 'GET') throw errors.methodNotAllowed();
    await sendJson(context, 200, document);
    return true;
  };
}

async function serveRoot(
  context: Context,
  discovery: Discovery,
  path: '/api' | '/apis',
  address: string,
): Promise<void> {
  const form = discoveryForm(context.request.headers.accept);
  if (form === undefined) throw notRoutable(false);
  if (form === 'legacy') {
    await sendJson(context, 200, path === '/apis' ? discovery.apis() : apiVersions(['v1'], address));
    return;
  }
  const { document, etag } = discovery.aggregated(path);
  const { response } = context;
  response.setHeader('ETag', etag);
  response.setHeader('Vary', 'Accept');
  if (context.request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return;
  }
  await sendText(
    context,
    200,
    `${JSON.stringify(document)}\n`,
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  );
}

function discoveryDocument(discovery: Discovery, path: string): ReturnType<Discovery['group']> {
  const parts = path.split('/').slice(1);
  if (parts[0] === 'api' && parts.length === 2) return discovery.resources('', parts[1] as string);
  if (parts[0] !== 'apis') return undefined;
  if (parts.length === 2) return discovery.group(parts[1] as string);
  return parts.length === 3 ? discovery.resources(parts[1] as string, parts[2] as string) : undefined;
}

export function openApiPaths(documents: OpenApi): PathHandler {
  return (context) => {
    if (!context.path.startsWith('/openapi/')) return false;
    const { accept, 'if-none-match': ifNoneMatch } = context.request.headers;
    const answer = openApiAnswer(documents, {
      path: context.path,
      hash: context.query.get('hash'),
      accept,
      ifNoneMatch,
    });
    if (answer === undefined) return false;
    context.response.writeHead(answer.status, answer.headers);
    context.response.end(answer.body);
    return true;
  };
}
