/**
 * `errorFields` is the log serializer for errors, for the root logger of a process: `pino({ serializers: { err:
 * errorFields } })`.
 *
 * It logs the stack of a bug, which shows where to look, but not that of a server that is unreachable or refuses: there
 * the message names verb, object and cluster, and a stack per retry would bury the lines that matter.
 */
import { defined } from '@ssvirt/base/values/defined';
import { KubeError } from './errors.ts';
import { CacheSyncTimeout } from './controller/engagement.ts';
import { ReconcileTimeout } from './controller/attempt.ts';
import { TerminalError } from './controller/request.ts';
import { KubeconfigError } from './kubeconfig/error.ts';
import { LeadershipLost } from './leader-election/term.ts';

const expected = [KubeError, CacheSyncTimeout, KubeconfigError, LeadershipLost, ReconcileTimeout, TerminalError];

export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly kind?: string;
  readonly code?: number;
  readonly auditId?: string;
  readonly stack?: string;
}

export function errorFields(thrown: unknown): ErrorFields {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const chain = [...causes(error)];
  const refusal = chain.find((one) => one instanceof KubeError);
  return {
    type: error.name,
    message: messageOf(chain),
    ...(refusal === undefined ? {} : refusalFields(refusal)),
    ...(chain.some(isExpected) ? {} : { stack: chain.map(({ stack }) => stack).join('\ncaused by: ') }),
  };
}

function refusalFields({ kind, code, auditId }: KubeError): Partial<ErrorFields> {
  return { kind, ...defined({ code, auditId }) };
}

function isExpected(error: Error): boolean {
  return expected.some((type) => error instanceof type);
}

/** Most errors repeat the message of their cause. */
function messageOf(chain: readonly Error[]): string {
  let all = '';
  for (const { message } of chain)
    if (all === '') all = message;
    else if (!all.includes(message)) all = `${all}: ${message}`;
  return all;
}

function* causes(error: Error): Generator<Error> {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 16; at = at.cause, depth++) yield at;
}
