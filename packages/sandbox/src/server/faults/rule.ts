/** A fault that the sandbox injects, to test clients against failures. */
import { errors, fieldError, type FieldError } from '../api/status.ts';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';

export const FAULT_KINDS = {
  '401': 'answer 401 Unauthorized, as after a token was rotated',
  '403': 'answer 403 Forbidden',
  '406': 'answer 406 as text without a Status, as a framework does before the request reaches its handler',
  '429': 'answer 429 Too Many Requests with Retry-After',
  '500': 'answer 500 Internal Server Error',
  '503': 'answer 503 Service Unavailable',
  latency: 'answer after a delay',
  reset: 'cut the connection before any answer',
  'reset-mid-line': 'cut the connection in the middle of a line of the answer',
  truncate: 'end the answer in the middle of a line, with a clean close',
  silence: 'stop sending, and keep the connection open',
  gone: 'answer 410 Expired',
  'gone-in-stream': 'send 410 Expired as an event of a watch',
  'stale-list': 'answer lists from an older revision, as a lagging replica would',
  'slow-watch': 'delay every event of a watch',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

export interface FaultRule {
  readonly id: string;
  readonly kind: FaultKind;
  /** Requests whose path matches: a prefix, in which `*` matches any characters. Empty means all. */
  readonly path: string;
  /** get, list, watch, create, update, patch, delete; empty means all. */
  readonly verbs: readonly string[];
  /** The share of matching requests that are affected, from 0 to 1. */
  readonly share: number;
  /** How many requests it affects before it ends; 0 means no limit. */
  readonly times: number;
  readonly delayMs: number;
  readonly retryAfterSeconds: number;
  /** For stale-list: how many revisions behind. */
  readonly behind: number;
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** `readRule` parses a client's rule; reports all errors at once. */
export function readRule(value: Json, id: string): FaultRule {
  if (!isObject(value))
    throw errors.badRequest('a fault is a JSON object such as {"kind": "503", "path": "/api/v1/pods", "share": 0.5}');
  const problems: FieldError[] = [];
  const kind = typeof value['kind'] === 'string' ? value['kind'] : '';
  if (!Object.hasOwn(FAULT_KINDS, kind))
    problems.push(fieldError.notSupported('kind', value['kind'] ?? '', Object.keys(FAULT_KINDS)));
  const rule: FaultRule = {
    id,
    kind: kind as FaultKind,
    path: readPath(value, problems),
    verbs: readVerbs(value, problems),
    share: readNumber(value, 'share', problems),
    times: readNumber(value, 'times', problems),
    delayMs: readNumber(value, 'delayMs', problems),
    retryAfterSeconds: readNumber(value, 'retryAfterSeconds', problems),
    behind: readNumber(value, 'behind', problems),
  };
  for (const key of Object.keys(value)) {
    if (!KNOWN.includes(key))
      problems.push(fieldError.invalid(key, value[key], `unknown field: use ${KNOWN.join(', ')}`));
  }
  if (problems.length > 0) throw errors.invalid('sandbox.ssvirt.io', 'Fault', kind, problems);
  return rule;
}

const NUMBERS = {
  share: { fallback: 1, max: 1, whole: false },
  times: { fallback: 0, max: 1_000_000, whole: true },
  delayMs: { fallback: 1000, max: 3_600_000, whole: true },
  retryAfterSeconds: { fallback: 1, max: 3600, whole: true },
  behind: { fallback: 10, max: 1_000_000, whole: true },
} as const;

const KNOWN: readonly string[] = ['kind', 'path', 'verbs', ...Object.keys(NUMBERS)];

function readNumber(value: JsonObject, key: keyof typeof NUMBERS, problems: FieldError[]): number {
  const { fallback, max, whole } = NUMBERS[key];
  const given = value[key] ?? fallback;
  const fits = typeof given === 'number' && given >= 0 && given <= max && (!whole || Number.isInteger(given));
  if (fits) return given;
  problems.push(fieldError.invalid(key, given, `must be a ${whole ? 'whole ' : ''}number from 0 to ${max}`));
  return fallback;
}

function readPath(value: JsonObject, problems: FieldError[]): string {
  const given = value['path'] ?? '';
  if (typeof given === 'string' && /^$|^[/*]/.test(given)) return given;
  problems.push(fieldError.invalid('path', given, 'must be a string that begins with / or *'));
  return '';
}

function readVerbs(value: JsonObject, problems: FieldError[]): readonly string[] {
  const given = value['verbs'] ?? [];
  if (!Array.isArray(given)) {
    problems.push(fieldError.invalid('verbs', given, 'must be a list such as ["get", "list"]'));
    return [];
  }
  for (const verb of given) {
    if (!VERBS.some((known) => known === verb)) problems.push(fieldError.notSupported('verbs', verb, VERBS));
  }
  return given.filter((verb) => typeof verb === 'string');
}

export function pathMatches(pattern: string, path: string): boolean {
  if (!pattern.includes('*')) return path.startsWith(pattern);
  const source = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
  return new RegExp(`^${source}`).test(path);
}
