/**
 * HTTPS_PROXY, HTTP_PROXY and NO_PROXY, by the rules of Go programs: a pod's environment has the same effect here as
 * for kubectl.
 */
import { BlockList, isIP } from 'node:net';
import { proxyProblem } from './address.ts';
import { KubeconfigError } from './error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function proxyFromEnvironment(server: string, env: Environment): string | undefined {
  const url = new URL(server);
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = read(env, variable);
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  if (value === '' || isLocal(host) || isExcluded(host, port, read(env, 'NO_PROXY'))) return undefined;
  const proxy = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const problem = proxyProblem(proxy);
  if (problem !== undefined) throw new KubeconfigError('', `the variable ${variable}: ${problem}`);
  return proxy;
}

function read(env: Environment, name: string): string {
  return env[name] || env[name.toLowerCase()] || '';
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isExcluded(host: string, port: string, noProxy: string): boolean {
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry === '*' || (entry !== '' && matches(entry, host, port)));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry.includes('/')) return isIP(host) !== 0 && inSubnet(entry, host);
  const [, name = '', wantedPort] = /^(\[[^\]]*\]|[^:]*|[^:]*:.*:[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return isIP(host) !== 0 && inSubnet(`${bare}/${isIP(bare) === 4 ? 32 : 128}`, host);
  if (bare === '' || isIP(host) !== 0) return false;
  const suffix = bare.replace(/^\*/, '');
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function inSubnet(cidr: string, host: string): boolean {
  const [address = '', bits = ''] = cidr.split('/');
  const family = isIP(address);
  const length = Number(bits);
  if (family === 0 || !/^\d+$/.test(bits) || length > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}
