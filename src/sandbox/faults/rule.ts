/** A fault that the sandbox plays on its clients, so that automation can be tried against a bad day. */
import { errors, fieldError, type FieldError } from '../api/status.ts';
import { isObject, type Json } from '../json.ts';

export const FAULT_KINDS = {
  '401': 'answer 401 Unauthorized, as after a token was rotated',
  '403': 'answer 403 Forbidden',
  '429': 'answer 429 Too Many Requests with Retry-After',
  '500': 'answer 500 Internal Server Error',
  '503': 'answer 503 Service Unavailable',
  latency: 'answer after a delay',
  reset: 'cut the connection before any answer',
  'reset-mid-line': 'cut the connection in the middle of a line of the answer',
  truncate: 'end the answer in the middle of a line, politely',
  silence: 'send nothing more, and keep the connection open',
  gone: 'answer 410 Expired as a status',
  'gone-in-stream': 'send 410 Expired as an event of a watch',
  'stale-list': 'answer lists from an older revision, as a lagging replica would',
  'slow-watch': 'delay every event of a watch',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

export interface FaultRule {
  readonly id: string;
  readonly kind: FaultKind;
  /** Requests whose path matches: a prefix, or with `*` for any characters within it. Empty means all. */
  readonly path: string;
  /** get, list, watch, create, update, patch, delete; empty means all. */
  readonly verbs: readonly string[];
  /** The share of matching requests that are struck, from 0 to 1. */
  readonly share: number;
  /** How often it strikes before it ends by itself; 0 means without end. */
  readonly times: number;
  readonly delayMs: number;
  readonly retryAfterSeconds: number;
  /** For stale-list: how many revisions behind. */
  readonly behind: number;
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Reads a rule as a client sends it; says every mistake at once. */
export function readRule(value: Json, id: string): FaultRule {
  if (!isObject(value))
    throw errors.badRequest('a fault is a JSON object such as {"kind": "503", "path": "/api/v1/pods", "share": 0.5}');
  const problems: FieldError[] = [];
  const known = new Set(['kind', 'path', 'verbs', 'share', 'times', 'delayMs', 'retryAfterSeconds', 'behind']);
  for (const key of Object.keys(value)) {
    if (!known.has(key))
      problems.push(fieldError.invalid(key, value[key], `unknown field: use ${[...known].join(', ')}`));
  }
  const kind = String(value['kind'] ?? '');
  if (!Object.hasOwn(FAULT_KINDS, kind)) problems.push(fieldError.notSupported('kind', kind, Object.keys(FAULT_KINDS)));
  const verbs = Array.isArray(value['verbs']) ? value['verbs'].map(String) : [];
  for (const verb of verbs) if (!VERBS.includes(verb)) problems.push(fieldError.notSupported('verbs', verb, VERBS));
  const number = (key: string, fallback: number, max: number): number => {
    const given = value[key] ?? fallback;
    if (typeof given === 'number' && given >= 0 && given <= max) return given;
    problems.push(fieldError.invalid(key, given, `must be a number from 0 to ${max}`));
    return fallback;
  };
  const rule: FaultRule = {
    id,
    kind: kind as FaultKind,
    path: typeof value['path'] === 'string' ? value['path'] : '',
    verbs,
    share: number('share', 1, 1),
    times: number('times', 0, 1_000_000),
    delayMs: number('delayMs', 1000, 3_600_000),
    retryAfterSeconds: number('retryAfterSeconds', 1, 3600),
    behind: number('behind', 10, 1_000_000),
  };
  if (problems.length > 0) throw errors.invalid('sandbox.ssvirt.io', 'Fault', kind, problems);
  return rule;
}

export function pathMatches(pattern: string, path: string): boolean {
  if (!pattern.includes('*')) return path.startsWith(pattern);
  const source = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
  return new RegExp(`^${source}`).test(path);
}
