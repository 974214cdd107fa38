/** Kubernetes' regular expression library: find and findAll. */
import { compilePattern, PatternError } from '../../schema/go/go-regexp.ts';
import { type Overload, fail, member } from './functions.ts';
import { PlainList, type Value } from '../values.ts';

function find(text: string, pattern: string): Value {
  const compiled = compilePattern(pattern);
  if (compiled instanceof PatternError) return fail(`Illegal regex: ${compiled.message}`);
  return compiled.exec(text)?.[0] ?? '';
}

function findAll(text: string, pattern: string, limit: bigint): Value {
  const compiled = compilePattern(pattern);
  if (compiled instanceof PatternError) return fail(`Illegal regex: ${compiled.message}`);
  const found = [...text.matchAll(new RegExp(compiled.source, `${compiled.flags}g`))].map((match) => match[0]);
  return new PlainList(limit < 0n ? found : found.slice(0, Number(limit)));
}

export const REGEX: readonly Overload[] = [
  member('find', ['string', 'string'], 'string', find),
  member('findAll', ['string', 'string'], 'list<string>', (text, pattern) => findAll(text, pattern, -1n)),
  member('findAll', ['string', 'string', 'int'], 'list<string>', findAll),
];
