/** What a machine may boot from: container disks, boot images that clusters offer, images over HTTP. Each check throws BAD_REQUEST with field, value and rule. */
import { BlockList, isIP } from 'node:net';
import type { CatalogSource, OfferedEntry } from '../catalogs/source.ts';
import { badRequest } from '../errors.ts';

const component = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const host = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]+\\])(?::[0-9]{1,5})?';
const reference = new RegExp(
  `^(?:${host}/)?${component}(?:/${component})*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
);

export function checkImage(field: string, image: string): void {
  if (reference.test(image)) return;
  throw badRequest(
    `${field}: ${shown(image)} is no reference of a container image; it looks like containerdisks/fedora:42, without a scheme.`,
  );
}

const secretParameter = /sig|token|key|secret|passw|credential|auth/i;

/** `readers` are those who will see the address. It is not repeated in any message, since it may hold a secret. */
export function checkUrl(field: string, text: string, readers: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw badRequest(`${field}: is no http:// or https:// address.`);
  if (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => secretParameter.test(name))
  )
    throw badRequest(`${field}: seems to hold credentials, which ${readers} would see; use an address without.`);
  if (isInside(url.hostname))
    throw badRequest(
      `${field}: the host is a name or an address inside of a cluster, or of one machine alone; use an address that everybody can reach.`,
    );
}

/** Importers run inside of the clusters: who could name these would have them read what only the cluster itself may ask for. */
const inside = new BlockList();
inside.addSubnet('0.0.0.0', 8);
inside.addSubnet('127.0.0.0', 8);
inside.addSubnet('169.254.0.0', 16);
inside.addSubnet('::', 127, 'ipv6');
inside.addSubnet('fe80::', 10, 'ipv6');

const insideNames = /(?:^|\.)(?:localhost|svc|local|internal)$/;

/** `hostname` as URL gives it: in lower case, and addresses in their usual form, however they were written. */
function isInside(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const name = address.replace(/\.$/, '');
  // One label alone is looked up in the namespace first.
  return !name.includes('.') || insideNames.test(name);
}

export interface BootImage {
  readonly namespace: string;
  readonly name: string;
}

/** Only what a cluster offers to all: a tenant could otherwise name the disks of another one. */
export function checkDataSource(field: string, image: BootImage, source: CatalogSource): void {
  if (offeredImage(image, source) !== undefined) return;
  const away = source.unavailable().map(({ cluster }) => cluster);
  const hint = away.length === 0 ? '' : ` (not all clusters could be read: ${away.join(', ')})`;
  throw badRequest(
    `${field}: no cluster offers a boot image "${image.namespace}/${image.name}"${hint}; catalog items with the source DataSource name those that there are.`,
  );
}

export function offeredImage({ namespace, name }: BootImage, source: CatalogSource): OfferedEntry | undefined {
  return source
    .entries()
    .find(({ entry }) => entry.kind === 'DataSource' && entry.namespace === namespace && entry.name === name);
}

/** A value in a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
