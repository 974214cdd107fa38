/** `ssvirt order debug`: collects what is known about an order and prints it on one page. */
import type { ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { printReport, type Report } from '../cluster/report.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import type { Advice } from '../cluster/advice.ts';
import { adviceOn } from './advice.ts';
import { withCluster } from './asked.ts';
import type { Looked } from './command.ts';
import { debugPage } from './debug-page.ts';
import { gather, type OrderQuestion } from './gather.ts';
import type { OrderCase } from './order-case.ts';

export interface DebugOptions extends Looked {
  readonly name: string;
}

export async function debug({ choice, output, ...question }: DebugOptions): Promise<ExitCode> {
  const report = await withCluster(choice, (asking) => orderReport(asking, question));
  return printReport(report, output);
}

export async function orderReport(asking: ClusterReaderOptions, question: OrderQuestion): Promise<Report> {
  const seen = await gather(asking, question);
  const advice = adviceOn(seen);
  return {
    code: codeOf(seen, advice),
    page: debugPage(seen, advice),
    facts: { ...advice, ...withoutSecrets(seen) },
  };
}

function codeOf({ order, near }: OrderCase, { verdict }: Advice): ExitCode {
  if (order === undefined) return near === undefined ? exitCodes.failed : exitCodes.notFound;
  return verdict === 'wrong' ? exitCodes.failed : exitCodes.done;
}

/** Parameters contain user data and keys. Their interpretation is in `judged`. */
function withoutSecrets({ order, now: _, ...seen }: OrderCase): object {
  if (order === undefined) return seen;
  const { templateParameters: _parameters, ...spec } = order.spec;
  const { annotations: _annotations, managedFields: _fields, ...metadata } = order.metadata;
  return { ...seen, order: { metadata, spec, status: order.status } };
}
