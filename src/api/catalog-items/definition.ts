/** What the schema of a definition cannot say: which fields go together, and what a reference looks like. */
import { generate } from '../../virt/catalog/generate.ts';
import { isSecret } from '../../virt/catalog/parameters.ts';
import { checkDataSource, checkImage, checkUrl, shown } from '../boot-sources/checks.ts';
import type { CatalogSource } from '../catalogs/source.ts';
import { badRequest } from '../errors.ts';
import type { DefinitionInput } from './definition-schema.ts';

/** Throws BAD_REQUEST with the field, the value and the rule. */
export function checkDefinition(definition: DefinitionInput, source: CatalogSource): void {
  checkBootSource(definition);
  checkSize(definition);
  if (definition.image !== undefined) checkImage('definition.image', definition.image);
  if (definition.url !== undefined) checkUrl('definition.url', definition.url, 'everybody who sees the catalog');
  if (definition.dataSource !== undefined) checkDataSource('definition.dataSource', definition.dataSource, source);
  checkParameters(definition.parameters ?? []);
  checkCloudInit(definition.cloudInit ?? {});
}

/** What stands for a value is none. */
function checkCloudInit(data: NonNullable<DefinitionInput['cloudInit']>): void {
  for (const [name, text] of Object.entries(data))
    if (isSecret('', text.replaceAll(/^.*\$\{[A-Za-z0-9_]+\}.*$/gm, '')))
      throw badRequest(
        `definition.cloudInit.${name}: seems to hold a password or a key, which everybody who sees the catalog would see; have it given as a parameter, and write \${NAME} in its place.`,
      );
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
    text !== '' &&
    generate(text) !== undefined &&
    counts.every((count) => count >= 1 && count <= 255) &&
    !/[[\]{}]/.test(text.replaceAll(range, ''))
  );
}
