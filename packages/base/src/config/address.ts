/** Listen and connect addresses: `127.0.0.1:7443`, `localhost:0`, `[::1]:7443`, and `:8080` for every interface. */
import { isIPv6 } from 'node:net';

export interface Address {
  /** Without brackets; empty for every interface. */
  readonly host: string;
  readonly port: number;
}

const form = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/;
const hostName = /^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;

export function parseAddress(text: string): Address | undefined {
  const [, bracketed, plain = '', digits] = form.exec(text) ?? [];
  const port = digits === undefined ? NaN : Number(digits);
  if (!(port <= 65_535)) return undefined;
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: bracketed, port } : undefined;
  return plain === '' || hostName.test(plain) ? { host: plain, port } : undefined;
}

export function formatAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** An empty host means every interface. */
export function hostOf({ host }: Address): string {
  return host === '' ? '0.0.0.0' : host;
}

export function isLoopback({ host }: Pick<Address, 'host'>): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

export function urlOf({ host, port }: Address): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
