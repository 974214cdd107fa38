/** The active faults, and how they affect a request. */
import type { TLSSocket } from 'node:tls';
import type { Context } from '../api/context.ts';
import { sendError, sendText } from '../api/render.ts';
import { parseResourcePath } from '../api/request/request-info.ts';
import { errors, StatusError } from '../api/status.ts';
import type { Json } from '../../values/json.ts';
import { pathMatches, readRule, type FaultKind, type FaultRule } from './rule.ts';
import { cutMidLine, muteAfterHeaders, slowDown } from './stream.ts';

/** `CONTROL_PREFIX` are the paths that control the sandbox itself; faults do not affect them, or they could not be removed. */
export const CONTROL_PREFIX = '/sandbox/';

export class Faults {
  readonly #rules = new Map<string, { rule: FaultRule; struck: number }>();
  readonly #stale = new WeakMap<object, number>();
  #next = 1;

  add(value: Json): FaultRule {
    const rule = readRule(value, `fault-${this.#next}`);
    this.#next++;
    this.#rules.set(rule.id, { rule, struck: 0 });
    return rule;
  }

  remove(id: string): boolean {
    return this.#rules.delete(id);
  }

  clear(): void {
    this.#rules.clear();
  }

  list(): (FaultRule & { struck: number })[] {
    return [...this.#rules.values()].map(({ rule, struck }) => ({ ...rule, struck }));
  }

  /** How many revisions behind the request's list must be. */
  staleness(context: Context): number {
    return this.#stale.get(context.request) ?? 0;
  }

  /** Resolves to true when the fault has answered, or has prevented any answer. */
  async strike(context: Context): Promise<boolean> {
    if (this.#rules.size === 0 || context.path.startsWith(CONTROL_PREFIX)) return false;
    const verb = verbOf(context);
    for (const [id, state] of this.#rules) {
      const { rule } = state;
      if (!pathMatches(rule.path, context.path) || (rule.verbs.length > 0 && !rule.verbs.includes(verb))) continue;
      if (!APPLIES[rule.kind](verb) || Math.random() >= rule.share) continue;
      state.struck++;
      if (rule.times > 0 && state.struck >= rule.times) this.#rules.delete(id);
      if (await this.#apply(rule, context)) return true;
    }
    return false;
  }

  async #apply(rule: FaultRule, context: Context): Promise<boolean> {
    switch (rule.kind) {
      case 'latency':
        await wait(rule.delayMs, context.signal);
        return false;
      case 'reset':
        reset(context);
        return true;
      case 'silence':
        muteAfterHeaders(context.response);
        return false;
      case 'reset-mid-line':
      case 'truncate':
        cutMidLine(context.response, rule.kind === 'truncate', () => reset(context));
        return false;
      case 'slow-watch':
        slowDown(context.response, rule.delayMs);
        return false;
      case 'stale-list':
        this.#stale.set(context.request, rule.behind);
        return false;
      case '406':
        await sendText(context, 406, '406: Not Acceptable\n\nAvailable representations: ', 'text/plain; charset=utf-8');
        return true;
      case 'gone-in-stream':
        context.response.writeHead(200, { 'Content-Type': 'application/json' });
        context.response.end(`${JSON.stringify({ type: 'ERROR', object: gone().toStatus() })}\n`);
        return true;
      default:
        await sendError(context, statusOf(rule));
        return true;
    }
  }
}

const always = (): boolean => true;
const onlyWatch = (verb: string): boolean => verb === 'watch';

/** Some faults make sense for some verbs only. */
const APPLIES: Readonly<Record<FaultKind, (verb: string) => boolean>> = {
  '401': always,
  '403': always,
  '406': always,
  '429': always,
  '500': always,
  '503': always,
  latency: always,
  reset: always,
  'reset-mid-line': always,
  truncate: always,
  silence: always,
  gone: always,
  'gone-in-stream': onlyWatch,
  'stale-list': (verb) => verb === 'list',
  'slow-watch': onlyWatch,
};

function gone(): StatusError {
  return errors.expired('too old resource version: 1 (2)');
}

function statusOf(rule: FaultRule): StatusError {
  switch (rule.kind) {
    case '401':
      return errors.unauthorized();
    case '403':
      return new StatusError(403, 'Forbidden', 'forbidden: a fault of the sandbox refuses this request', {});
    case '429':
      return new StatusError(429, 'TooManyRequests', 'too many requests, please try again later', {
        retryAfterSeconds: rule.retryAfterSeconds,
      });
    case '503':
      return new StatusError(503, 'ServiceUnavailable', 'the server is currently unable to handle the request', {
        retryAfterSeconds: rule.retryAfterSeconds,
      });
    case 'gone':
      return gone();
    default:
      return errors.internal('Internal error occurred: a fault of the sandbox');
  }
}

function verbOf(context: Context): string {
  const target = parseResourcePath(context.path);
  const named = (target?.name ?? '') !== '';
  // As in Go's decoder of options: any other value is true.
  const watch = target?.watch === true || !['0', 'false', null].includes(context.query.get('watch'));
  switch (context.method) {
    case 'GET':
      if (target === undefined) return 'get';
      return watch ? 'watch' : named ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      return context.method.toLowerCase();
  }
}

function reset(context: Context): void {
  const socket = context.request.socket as TLSSocket;
  // A TLS socket closes cleanly unless the TCP socket below it is reset.
  const raw = (socket as unknown as { _parent?: { resetAndDestroy?(): void } })._parent;
  if (raw?.resetAndDestroy === undefined) socket.destroy();
  else raw.resetAndDestroy();
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
