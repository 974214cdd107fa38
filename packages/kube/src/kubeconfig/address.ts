/** The address of the server, and the proxy in front of it. */
import type { ClusterEntry } from './document.ts';
import { KubeconfigError, shown } from './error.ts';

/** `https://host:port/prefix` without a trailing slash. As in kubectl, an address without a scheme means plain http. */
export function serverOf(cluster: ClusterEntry): string {
  const { server } = cluster;
  const problem = (reason: string): KubeconfigError =>
    new KubeconfigError(`${cluster.path}.server`, reason, cluster.file);
  if (server === undefined) throw problem('it is required: the URL of the API server');
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(server);
  const url = parsed(whole ? server : `http://${server}`);
  if (url === undefined || (!whole && url.pathname !== '/'))
    throw problem('it must be a URL such as https://host:6443');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw problem(`it must begin with https:// or http://, not ${shown(url.protocol)}`);
  if (url.username !== '' || url.password !== '')
    throw problem('it must not contain a user or password: put the credentials into the user entry');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

export function proxyOf(cluster: ClusterEntry): string | undefined {
  if (cluster.proxyUrl === undefined) return undefined;
  const problem = proxyProblem(cluster.proxyUrl);
  if (problem === undefined) return cluster.proxyUrl;
  throw new KubeconfigError(`${cluster.path}.proxy-url`, problem, cluster.file);
}

/** A proxy's URL may contain a password, so messages show only its scheme. */
export function proxyProblem(text: string): string | undefined {
  const url = parsed(text);
  if (url === undefined || url.hostname === '') return 'it must be a URL such as http://proxy:3128';
  if (url.protocol === 'http:' || url.protocol === 'https:') return undefined;
  if (url.protocol.startsWith('socks'))
    return 'SOCKS proxies are not supported (streams such as consoles would not work through them): use an http or https proxy';
  return `it must begin with http:// or https://, not ${shown(url.protocol)}`;
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
