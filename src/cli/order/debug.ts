/** `ssvirt order debug`: gathers what is known of an order and tells it on one page. */
import { adviceOn } from './advice.ts';
import { say, withCluster, type ExitCode } from './asked.ts';
import type { Looked } from './command.ts';
import { debugPage } from './debug-page.ts';
import { gather } from './gather.ts';
import type { OrderCase } from './order-case.ts';

export interface DebugOptions extends Looked {
  readonly name: string;
}

export async function debug({ choice, output, ...question }: DebugOptions): Promise<ExitCode> {
  const seen = await withCluster(choice, (asking) => gather(asking, question));
  const advice = adviceOn(seen);
  say(
    output === 'json'
      ? `${JSON.stringify({ ...advice, ...withoutSecrets(seen) }, null, 2)}\n`
      : debugPage(seen, advice),
  );
  return advice.verdict === 'wrong' ? 1 : 0;
}

/** Parameters hold user data and keys: what they mean stands in `judged`. */
function withoutSecrets({ order, now: _, ...seen }: OrderCase): object {
  if (order === undefined) return seen;
  const { templateParameters: _parameters, ...spec } = order.spec;
  const { annotations: _annotations, managedFields: _fields, ...metadata } = order.metadata;
  return { ...seen, order: { metadata, spec, status: order.status } };
}
