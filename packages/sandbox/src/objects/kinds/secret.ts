import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { isObject, jsonEqual } from '../../values/json.ts';
import { configKey, immutable } from './errors.ts';
import { ensureObject, setDefault, textAt, textMapAt } from './values/fields.ts';
import { goJsonError } from '../schema/go/go-json-error.ts';
import type { KindBehaviour } from './kind.ts';

/** `MAX_SIZE` is the limit of all values together, after decoding; the same as for ConfigMaps. */
export const MAX_SIZE = 1024 * 1024;
export const FROZEN = 'field is immutable when `immutable` is set';
const SERVICE_ACCOUNT_NAME = 'kubernetes.io/service-account.name';

/** `decodedLength` returns the number of bytes that a base64 text encodes. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

type TypeRule = (data: { [key: string]: string }, secret: KubeObject) => FieldError[];

const required = (key: string): FieldError => fieldError.required(`data[${key}]`, '');
const missing = (data: JsonObject, ...keys: string[]): FieldError[] =>
  keys.filter((key) => !Object.hasOwn(data, key)).map(required);

const dockerConfig =
  (key: string): TypeRule =>
  (data) => {
    const content = data[key];
    if (content === undefined) return [required(key)];
    const why = notAnObject(Buffer.from(content, 'base64').toString());
    return why === undefined ? [] : [fieldError.invalid(`data[${key}]`, '<secret contents redacted>', why)];
  };

/** Why Go cannot parse this text as a JSON object, with Go's text for the most common errors. */
function notAnObject(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || isObject(value as JsonObject)) return undefined;
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
  } catch {
    return goJsonError(text);
  }
}

const TYPE_RULES: { readonly [type: string]: TypeRule } = {
  'kubernetes.io/service-account-token': (_, secret) =>
    (secret.metadata.annotations?.[SERVICE_ACCOUNT_NAME] ?? '') === ''
      ? [fieldError.required(`metadata.annotations[${SERVICE_ACCOUNT_NAME}]`, '')]
      : [],
  'kubernetes.io/dockercfg': dockerConfig('.dockercfg'),
  'kubernetes.io/dockerconfigjson': dockerConfig('.dockerconfigjson'),
  'kubernetes.io/basic-auth': (data) =>
    'username' in data || 'password' in data ? [] : [required('username'), required('password')],
  'kubernetes.io/ssh-auth': (data) => ((data['ssh-privatekey'] ?? '') === '' ? [required('ssh-privatekey')] : []),
  'kubernetes.io/tls': (data) => missing(data, 'tls.crt', 'tls.key'),
};

function validate(secret: KubeObject): FieldError[] {
  const data = textMapAt(secret, 'data');
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...configKey(key, `data[${key}]`));
    size += decodedLength(value);
  }
  if (size > MAX_SIZE) errors.push(fieldError.tooLong('data', MAX_SIZE));
  const type = textAt(secret, 'type');
  const rule = Object.hasOwn(TYPE_RULES, type) ? TYPE_RULES[type] : undefined;
  return rule === undefined ? errors : [...errors, ...rule(data, secret)];
}

/** A key pair that does not match is stored, with the error of Go's tls.X509KeyPair as a warning. */
function tlsWarnings(object: KubeObject): string[] {
  if (textAt(object, 'type') !== 'kubernetes.io/tls') return [];
  const data = textMapAt(object, 'data');
  const [certificate, key] = ['tls.crt', 'tls.key'].map((name) => Buffer.from(data[name] ?? '', 'base64').toString());
  const hasPem = (text: string | undefined): boolean => /-----BEGIN [^-]+-----/.test(text ?? '');
  if (!hasPem(certificate)) return ['tls: failed to find any PEM data in certificate input'];
  return hasPem(key) ? [] : ['tls: failed to find any PEM data in key input'];
}

export const secret: KindBehaviour = {
  default(object) {
    const texts = textMapAt(object, 'stringData');
    if (Object.keys(texts).length > 0) {
      const data = ensureObject(object, 'data');
      for (const [key, value] of Object.entries(texts)) data[key] = Buffer.from(value).toString('base64');
    }
    delete object['stringData'];
    setDefault(object, 'type', 'Opaque');
  },
  validate,
  validateUpdate(object, old) {
    const errors = immutable(object['type'], old['type'], 'type');
    if (old['immutable'] === true) {
      if (object['immutable'] !== true) errors.push(fieldError.forbidden('immutable', FROZEN));
      if (!jsonEqual(object['data'], old['data'])) errors.push(fieldError.forbidden('data', FROZEN));
    }
    return [...errors, ...validate(object)];
  },
  warnings: tlsWarnings,
  selectableFields: (object) => ({ type: textAt(object, 'type') }),
};
