import type { Json } from '../json.ts';
import { isObject } from '../json.ts';

/** A copy that shares nothing with its original. */
export function cloneJson<T extends Json>(value: T): T {
  return copy(value) as T;
}

function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const out: { [key: string]: Json } = {};
  for (const name in value) {
    const each = value[name];
    if (each !== undefined) out[name] = copy(each);
  }
  return out;
}
