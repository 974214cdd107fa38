/** What the schema of a definition cannot say: which fields go together, and what a reference looks like. */
import { isSecret } from '../../virt/catalog/parameters.ts';
import type { CatalogSource } from '../catalogs/source.ts';
import { badRequest } from '../errors.ts';
import type { DefinitionInput } from './definition-schema.ts';

/** Throws BAD_REQUEST with the field, the value and the rule. */
export function checkDefinition(definition: DefinitionInput, source: CatalogSource): void {
  checkBootSource(definition);
  checkSize(definition);
  if (definition.image !== undefined) checkImage(definition.image);
  if (definition.url !== undefined) checkUrl(definition.url);
  if (definition.dataSource !== undefined) checkDataSource(definition.dataSource, source);
  checkParameters(definition.parameters ?? []);
}

function checkBootSource({ image, dataSource, url, diskSizeGb }: DefinitionInput): void {
  const given = Object.entries({ image, dataSource, url }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? 'none is there' : `${given.map(([name]) => name).join(' and ')} are there`;
    throw badRequest(`definition: ${what}; give exactly one of image, dataSource and url.`);
  }
  if (url !== undefined && diskSizeGb === undefined)
    throw badRequest(
      'definition.diskSizeGb: is missing; an image from a url needs the size of the disk that it is put on.',
    );
}

function checkSize({ instancetype, cpus, memoryMb }: DefinitionInput): void {
  if (instancetype !== undefined && (cpus ?? memoryMb) !== undefined)
    throw badRequest(
      'definition: an instancetype decides on CPUs and memory; leave out cpus and memoryMb, or the instancetype.',
    );
  if (instancetype === undefined && (cpus === undefined || memoryMb === undefined))
    throw badRequest('definition: give an instancetype, or both cpus and memoryMb.');
}

const component = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const host = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]+\\])(?::[0-9]{1,5})?';
const reference = new RegExp(
  `^(?:${host}/)?${component}(?:/${component})*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
);

function checkImage(image: string): void {
  if (reference.test(image)) return;
  throw badRequest(
    `definition.image: ${shown(image)} is no reference of a container image; it looks like containerdisks/fedora:42, without a scheme.`,
  );
}

const secretParameter = /sig|token|key|secret|passw|credential|auth/i;

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw badRequest('definition.url: is no http:// or https:// address.');
  // Everybody who sees the catalog sees the address. It is not repeated here, since it may hold a secret.
  if (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => secretParameter.test(name))
  )
    throw badRequest(
      'definition.url: seems to hold credentials, which everybody who sees the catalog would see; use an address without.',
    );
}

/** Only what a cluster offers to all: a tenant could otherwise name the disks of another one. */
function checkDataSource({ namespace, name }: NonNullable<DefinitionInput['dataSource']>, source: CatalogSource): void {
  const isOffered = source
    .entries()
    .some(({ entry }) => entry.kind === 'DataSource' && entry.namespace === namespace && entry.name === name);
  if (isOffered) return;
  const away = source.unavailable().map(({ cluster }) => cluster);
  const hint = away.length === 0 ? '' : ` (not all clusters could be read: ${away.join(', ')})`;
  throw badRequest(
    `definition.dataSource: no cluster offers a boot image "${namespace}/${name}"${hint}; catalog items with the source DataSource name those that there are.`,
  );
}

function checkParameters(parameters: NonNullable<DefinitionInput['parameters']>): void {
  const seen = new Set<string>();
  for (const [index, { name, default: value = '', generatedFrom }] of parameters.entries()) {
    const field = `definition.parameters.${index}`;
    if (seen.has(name))
      throw badRequest(`${field}.name: "${name}" is there twice; every parameter has a name of its own.`);
    seen.add(name);
    if (value !== '' && isSecret(name, value))
      throw badRequest(
        `${field}.default: "${name}" seems to be a secret, and everybody who sees the catalog would see its default; leave it out, or have it made up by generatedFrom.`,
      );
    if (generatedFrom !== undefined && !isExpression(generatedFrom))
      throw badRequest(
        `${field}.generatedFrom: ${shown(generatedFrom)} is no expression; it has letters and ranges with a number, such as web-[a-z0-9]{5}.`,
      );
  }
}

/** Literals and `[ranges]{n}`, n from 1 to 255, as OpenShift's generator reads them. */
function isExpression(text: string): boolean {
  const range = /\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|\\[wdaA])+\]\{(\d{1,3})\}/g;
  const counts = [...text.matchAll(range)].map(([, count]) => Number(count));
  return (
    text !== '' && counts.every((count) => count >= 1 && count <= 255) && !/[[\]{}]/.test(text.replaceAll(range, ''))
  );
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
