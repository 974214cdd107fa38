/** All functions that an expression can call, as in API server 1.36 (the `authorizer` only by name). */
import { AUTHZ } from '../authz.ts';
import { FORMAT } from './format.ts';
import type { Overload } from './functions.ts';
import { CIDR, IP } from './ip.ts';
import { LISTS } from './lists.ts';
import { OPTIONAL } from './optional.ts';
import { QUANTITY } from './quantity.ts';
import { REGEX } from './regex.ts';
import { SEMVER } from './semver.ts';
import { CONTROL, STANDARD } from './standard.ts';
import { STRINGS } from './strings.ts';
import { TIME } from './time.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  listOf,
  mapOf,
  optionalOf,
  readType,
  typeOfType,
} from '../types/types.ts';
import { URLS } from './url.ts';
import { TypeValue } from '../values.ts';

export const LIBRARY: ReadonlyMap<string, readonly Overload[]> = Map.groupBy(
  [
    ...CONTROL,
    ...STANDARD,
    ...TIME,
    ...STRINGS,
    ...LISTS,
    ...REGEX,
    ...URLS,
    ...OPTIONAL,
    ...QUANTITY,
    ...SEMVER,
    ...IP,
    ...CIDR,
    ...FORMAT,
    ...AUTHZ,
  ],
  (overload) => overload.name,
);

/** The names of types, which are also values: `type(self.port) == int`. */
export const TYPE_NAMES: ReadonlyMap<string, { readonly type: Type; readonly value: TypeValue }> = new Map(
  (
    [
      ['bool', BOOL],
      ['bytes', BYTES],
      ['double', DOUBLE],
      ['google.protobuf.Duration', DURATION],
      ['int', INT],
      ['list', listOf(DYN)],
      ['map', mapOf(DYN, DYN)],
      ['net.CIDR', readType('net.CIDR')],
      ['net.IP', readType('net.IP')],
      ['null_type', NULL],
      ['optional_type', optionalOf(DYN)],
      ['string', STRING],
      ['google.protobuf.Timestamp', TIMESTAMP],
      ['type', typeOfType(DYN)],
      ['uint', UINT],
    ] as const
  ).map(([name, type]) => [name, { type: typeOfType(type), value: new TypeValue(name) }]),
);
