/** What a machine may boot from: container disks, boot images that clusters offer, images over HTTP. Each check throws BAD_REQUEST with field, value and rule. */
import { importUrlProblem, isImageReference, type ImportUrlProblem } from '../../virt/machine/boot-source.ts';
import type { CatalogSource, OfferedEntry } from '../catalogs/source.ts';
import { badRequest } from '../errors.ts';

export function checkImage(field: string, image: string): void {
  if (isImageReference(image)) return;
  throw badRequest(
    `${field}: ${shown(image)} is no reference of a container image; it looks like containerdisks/fedora:42, without a scheme.`,
  );
}

/** `readers` are those who will see the address. It is not repeated in any message, since it may hold a secret. */
export function checkUrl(field: string, text: string, readers: string): void {
  const problem = importUrlProblem(text);
  if (problem !== undefined) throw badRequest(`${field}: ${urlRefusals[problem](readers)}`);
}

const urlRefusals: Readonly<Record<ImportUrlProblem, (readers: string) => string>> = {
  scheme: () => 'is no http:// or https:// address.',
  credentials: (readers) => `seems to hold credentials, which ${readers} would see; use an address without.`,
  inside: () =>
    'the host is a name or an address inside of a cluster, or of one machine alone; use an address that everybody can reach.',
};

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
