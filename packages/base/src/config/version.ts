/**
 * The version of the whole product. Only package.json has it, and it is at the same relative path from src and from
 * dist.
 */
import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');

export const { version } = JSON.parse(text) as { readonly version: string };
