/** Why an operation of a JSON patch does not apply, in the words of the library that kube-apiserver uses. */
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { textAt } from '../../../objects/kinds/values/fields.ts';

export function patchFailure(document: JsonObject, operation: JsonObject): string {
  const op = textAt(operation, 'op');
  const path = textAt(operation, 'path');
  const from = textAt(operation, 'from');
  switch (op) {
    case 'add':
      return parentOf(document, path) === undefined
        ? `add operation does not apply: doc is missing path: "${path}": missing value`
        : `error in add for path: '${path}': ${addProblem(document, path)}`;
    case 'remove':
      return parentOf(document, path) === undefined
        ? `remove operation does not apply: doc is missing path: "${path}": missing value`
        : `error in remove for path: '${path}': ${itemProblem(document, path)}`;
    case 'replace':
      return parentOf(document, path) === undefined
        ? `replace operation does not apply: doc is missing path: ${path}: missing value`
        : `replace operation does not apply: doc is missing key: ${path}: missing value`;
    case 'test':
      return parentOf(document, path) === undefined
        ? `test operation does not apply: is missing path: ${path}: missing value`
        : `testing value ${path} failed: test failed`;
    case 'move':
    case 'copy':
      return parentOf(document, from) === undefined
        ? `${op} operation does not apply: doc is missing from path: ${from}: missing value`
        : parentOf(document, path) === undefined
          ? `${op} operation does not apply: doc is missing destination path: ${path}: missing value`
          : `error in ${op} for ${op === 'copy' ? 'from' : 'path'}: '${op === 'copy' ? from : lastOf(from)}': ${itemProblem(document, from)}`;
    default:
      return `Unexpected kind: ${op === '' ? 'unknown' : op}`;
  }
}

const segments = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

const lastOf = (path: string): string => segments(path).at(-1) ?? '';

function parentOf(document: Json, path: string): Json[] | JsonObject | undefined {
  let at: Json | undefined = document;
  for (const segment of segments(path).slice(0, -1)) {
    at = Array.isArray(at) ? at[Number(segment)] : isObject(at) ? at[segment] : undefined;
  }
  return Array.isArray(at) || isObject(at) ? at : undefined;
}

function itemProblem(document: Json, path: string): string {
  const parent = parentOf(document, path);
  const key = lastOf(path);
  if (!Array.isArray(parent)) return `Unable to remove nonexistent key: ${key}: missing value`;
  if (/^[+-]?\d+$/.test(key)) return `Unable to access invalid index: ${Number(key)}: invalid index referenced`;
  return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
}

function addProblem(document: Json, path: string): string {
  const why = itemProblem(document, path);
  return why.startsWith('strconv') ? `value was not a proper array index: '${lastOf(path)}': ${why}` : why;
}
