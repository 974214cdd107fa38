/**
 * Writes docs/reference and docs/api-errors.md: the API by call from docs/openapi.json, and a page for each definition
 * in deploy/crds.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { apiPage, type Document } from './api-page.ts';
import { crdPage, readDefinition } from './crd-page.ts';
import { errorsPage } from './errors-page.ts';

const root = resolve(import.meta.dirname, '../..');

/** `pages` returns the text of every page by its path in the repository. */
export function pages(): ReadonlyMap<string, string> {
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Document;
  const definitions = globSync('*.yaml', { cwd: join(root, 'deploy/crds') }).toSorted();
  return new Map([
    ['docs/reference/api.md', apiPage(document)],
    ['docs/api-errors.md', errorsPage()],
    ...definitions.map((file): [string, string] => [
      `docs/reference/${file.replace(/\.yaml$/, '.md')}`,
      crdPage(readDefinition(join(root, 'deploy/crds', file))),
    ]),
  ]);
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === '')
  for (const [file, text] of pages()) writeFileSync(join(root, file), text);
