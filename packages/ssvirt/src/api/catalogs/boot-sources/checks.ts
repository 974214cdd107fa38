/**
 * Checks of boot sources: container disks, boot images that clusters offer, images over HTTP. Each check throws
 * BAD_REQUEST with field, value and rule.
 */
import type { UrlFilter } from '@ssvirt/base/net/url-filter';
import { importUrlProblem, isImageReference, type ImportUrlProblem } from '../../../kubevirt/tenant-vm/boot-source.ts';
import type { CatalogSource, OfferedEntry } from '../catalogs/source.ts';
import { badRequest } from '../../errors.ts';

export function checkImage(field: string, image: string): void {
  if (isImageReference(image)) return;
  throw badRequest(
    `${field}: ${shown(image)} is not a container image reference; use the form containerdisks/fedora:42, without a scheme.`,
  );
}

/** `readers` are the people who will see the URL. No message repeats the URL, since it may contain a secret. */
export function checkUrl(field: string, text: string, readers: string): void {
  const problem = importUrlProblem(text);
  if (problem !== undefined) throw badRequest(`${field}: ${urlRefusals[problem](readers)}`);
}

/** The host is looked up now; what it leads to later is up to the network policy of the importers. */
export async function requireImportable(images: UrlFilter, field: string, url: string | undefined): Promise<void> {
  const refusal = url === undefined ? undefined : await images.check(url);
  if (refusal !== undefined) throw badRequest(`${field}: ${refusal.message}.`);
}

const urlRefusals: Readonly<Record<ImportUrlProblem, (readers: string) => string>> = {
  scheme: () => 'is not an http:// or https:// URL.',
  credentials: (readers) =>
    `appears to contain credentials, which ${readers} could read; use a URL without credentials.`,
};

export interface BootImage {
  readonly namespace: string;
  readonly name: string;
}

/** `checkDataSource` accepts only what a cluster offers to everyone: otherwise a tenant could name the disks of another one. */
export function checkDataSource(field: string, image: BootImage, source: CatalogSource): void {
  if (offeredImage(image, source) !== undefined) return;
  const away = source.unavailable().map(({ cluster }) => cluster);
  const hint = away.length === 0 ? '' : ` (some clusters could not be read: ${away.join(', ')})`;
  throw badRequest(
    `${field}: no cluster offers a boot image "${image.namespace}/${image.name}"${hint}; catalog items whose source is DataSource name the available boot images.`,
  );
}

export function offeredImage({ namespace, name }: BootImage, source: CatalogSource): OfferedEntry | undefined {
  return source
    .entries()
    .find(({ entry }) => entry.kind === 'DataSource' && entry.namespace === namespace && entry.name === name);
}

/** `shown` returns a value as it appears in a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
