/** Where a process listens, as its config says it. */
import type { Address } from '../config/address.ts';

/** An empty host means every interface. */
export function hostOf({ host }: Address): string {
  return host === '' ? '0.0.0.0' : host;
}

export function isLoopback({ host }: Address): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

export function urlOf({ host, port }: Address): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
