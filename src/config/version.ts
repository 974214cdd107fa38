/** The version of the whole product, which stands in package.json alone: beside src and beside dist alike. */
import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

export const { version } = JSON.parse(text) as { readonly version: string };
