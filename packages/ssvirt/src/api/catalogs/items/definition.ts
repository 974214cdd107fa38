/** Rules that the schema of a definition cannot express: which fields go together, and the form of references. */
import { generate } from '../../../kubevirt/catalog/generate.ts';
import { isSecret } from '../../../kubevirt/catalog/parameters.ts';
import { checkDataSource, checkImage, checkUrl, shown } from '../boot-sources/checks.ts';
import type { CatalogSource } from '../catalogs/source.ts';
import { badRequest } from '../../errors.ts';
import type { DefinitionInput } from './definition-schema.ts';

/** `checkDefinition` throws BAD_REQUEST with the field, the value and the rule. */
export function checkDefinition(definition: DefinitionInput, source: CatalogSource): void {
  checkBootSource(definition);
  checkSize(definition);
  if (definition.image !== undefined) checkImage('definition.image', definition.image);
  if (definition.url !== undefined) checkUrl('definition.url', definition.url, 'everyone who sees the catalog');
  if (definition.dataSource !== undefined) checkDataSource('definition.dataSource', definition.dataSource, source);
  checkParameters(definition.parameters ?? []);
  checkCloudInit(definition.cloudInit ?? {});
}

/** A placeholder for a parameter is not a secret. */
function checkCloudInit(data: NonNullable<DefinitionInput['cloudInit']>): void {
  for (const [name, text] of Object.entries(data))
    if (isSecret('', text.replaceAll(/^.*\$\{[A-Za-z0-9_]+\}.*$/gm, '')))
      throw badRequest(
        `definition.cloudInit.${name}: appears to contain a password or a key, which everyone who sees the catalog could read; declare a parameter and write \${NAME} in its place.`,
      );
}

function checkBootSource({ image, dataSource, url, diskSizeGb }: DefinitionInput): void {
  const given = Object.entries({ image, dataSource, url }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? 'none is given' : `${given.map(([name]) => name).join(' and ')} are given`;
    throw badRequest(`definition: ${what}; give exactly one of image, dataSource and url.`);
  }
  if (url !== undefined && diskSizeGb === undefined)
    throw badRequest('definition.diskSizeGb is missing; an image from a URL needs the size of its disk.');
}

function checkSize({ instancetype, cpus, memoryMb }: DefinitionInput): void {
  if (instancetype !== undefined && (cpus ?? memoryMb) !== undefined)
    throw badRequest(
      'definition: instancetype sets CPUs and memory; leave out either cpus and memoryMb, or instancetype.',
    );
  if (instancetype === undefined && (cpus === undefined || memoryMb === undefined))
    throw badRequest('definition: give either instancetype, or both cpus and memoryMb.');
}

function checkParameters(parameters: NonNullable<DefinitionInput['parameters']>): void {
  const seen = new Set<string>();
  for (const [index, { name, default: value = '', generatedFrom }] of parameters.entries()) {
    const field = `definition.parameters.${index}`;
    if (seen.has(name)) throw badRequest(`${field}.name: "${name}" is given twice; parameter names must be unique.`);
    seen.add(name);
    if (value !== '' && isSecret(name, value))
      throw badRequest(
        `${field}.default: "${name}" appears to be a secret, and everyone who sees the catalog could read its default; leave it out, or generate it with generatedFrom.`,
      );
    if (generatedFrom === undefined) continue;
    if (!isExpression(generatedFrom))
      throw badRequest(
        `${field}.generatedFrom: ${shown(generatedFrom)} is not a valid expression; use letters and ranges with a count, such as web-[a-z0-9]{5}.`,
      );
    // Everyone who sees the catalog could read it, and would take it for a new value.
    if (!generatedFrom.includes('['))
      throw badRequest(
        `${field}.generatedFrom: gives the same value each time; write a range with a count, such as web-[a-z0-9]{5}, or use default.`,
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
