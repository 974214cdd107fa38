/**
 * Optional values: `optional.of`, `.value()`. `or` and `orValue` can skip their argument, so the evaluator implements
 * them.
 */
import { type Overload, fail, global, member } from './functions.ts';
import { Duration, ListValue, MapValue, NO_SUCH_OVERLOAD, Optional, Timestamp, Uint, type Value } from '../values.ts';

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  // Go's zero time is January 1 of the year 1.
  if (value instanceof Timestamp) return value.nanos === -62_135_596_800_000_000_000n;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  return value instanceof Optional && value.value === undefined;
}

export const OPTIONAL: readonly Overload[] = [
  global('optional.none', [], 'optional_type<V>', () => Optional.NONE),
  global('optional.of', ['V'], 'optional_type<V>', (value) => new Optional(value)),
  global('optional.ofNonZeroValue', ['V'], 'optional_type<V>', (value) =>
    isZero(value) ? Optional.NONE : new Optional(value),
  ),
  member('hasValue', ['optional_type<V>'], 'bool', (optional) => optional.value !== undefined),
  member('value', ['optional_type<V>'], 'V', (optional) => optional.value ?? missing(optional)),
  member('or', ['optional_type<V>', 'optional_type<V>'], 'optional_type<V>', () => NO_SUCH_OVERLOAD),
  member('orValue', ['optional_type<V>', 'V'], 'V', () => NO_SUCH_OVERLOAD),
];

/** The value may be CEL's null, which is a present value. */
const missing = (optional: Optional): Value => (optional.value === null ? null : fail('optional.none() dereference'));
