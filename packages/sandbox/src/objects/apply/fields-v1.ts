/** FieldsV1, the JSON form of a field set in `metadata.managedFields`. */
import { BoundedMap } from '@ssvirt/kube/bounded-map';
import type { Json, JsonObject } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import type { FieldNode, FieldSet } from './fieldset.ts';
import { EMPTY, LEAF, sortedEntries } from './fieldset.ts';
import type { PathElement } from './path.ts';
import { readElement } from './path.ts';

/**
 * Most entries do not change from write to write, so both forms are cached by identity. Both must be treated as
 * immutable.
 */
const decoded = new WeakMap<JsonObject, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();

/**
 * Every parse of a stored object creates new FieldsV1 objects, but a controller that writes the same fields of
 * thousands of objects leaves the same text in each.
 */
const KEPT_TEXTS = 2000;
const byText = new BoundedMap<string, FieldSet>(KEPT_TEXTS);

export function encodeFieldsV1(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known !== undefined) return known;
  const out = encodeLevel(set, {});
  encoded.set(set, out);
  decoded.set(out, set);
  return out;
}

function encodeLevel(set: FieldSet, out: JsonObject): JsonObject {
  for (const [element, node] of sortedEntries(set)) out[element] = encodeNode(node);
  return out;
}

const encodeNode = ({ member, children }: FieldNode): JsonObject =>
  children === undefined ? {} : encodeLevel(children, member ? { '.': {} } : {});

/** `decodeFieldsV1` throws SyntaxError when the argument is not valid FieldsV1. */
export function decodeFieldsV1(fields: JsonObject): FieldSet {
  const known = decoded.get(fields);
  if (known !== undefined) return known;
  const text = JSON.stringify(fields);
  let set = byText.get(text);
  if (set === undefined) byText.set(text, (set = decodeNode(fields).children ?? EMPTY));
  decoded.set(fields, set);
  return set;
}

function decodeNode(value: Json | undefined): FieldNode {
  if (value === null || value === undefined) return LEAF;
  if (!isObject(value)) throw new SyntaxError('ReadMapCB: expect { or n');
  let member = false;
  let children: Map<PathElement, FieldNode> | undefined;
  for (const [text, below] of Object.entries(value)) {
    if (text === '.') {
      member = true;
      continue;
    }
    const element = readElement(text);
    if (element === undefined) continue;
    children ??= new Map();
    children.set(element, decodeNode(below));
  }
  return children === undefined ? LEAF : { member, children };
}
