/** Resolves a name to a tenant VM, a Machine or an order, then explains it with that noun's debug command. */
import type { Command } from 'commander';
import { asking } from '../api/asking.ts';
import { clusterChoice } from '../cluster/choice.ts';
import { connected } from '../cluster/connect.ts';
import { asFailure } from '../cluster/failures.ts';
import type { ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import type { PageFormat } from '../cluster/page-format.ts';
import { printReport, type Report } from '../cluster/report.ts';
import { machineContextOf } from '../machine/context.ts';
import { machineReport } from '../machine/debug.ts';
import { orderReport } from '../order/debug.ts';
import { orderSettings } from '../order/settings.ts';
import type { ExitCode } from '../output/exit-code.ts';
import { note } from '../output/streams.ts';
import { chosen, foundText, unaskedLines } from './choice.ts';
import type { OriginMatch } from './place.ts';
import { seek } from './seek.ts';
import { tenantReport } from './tenant-debug.ts';

const deadlineMs = 60_000;

export async function debugAny(command: Command, name: string): Promise<ExitCode> {
  const sought = await seek(command, name);
  const candidate = chosen(name, sought);
  for (const line of unaskedLines(sought)) note(`ssvirt: ${line}`);
  note(foundText(candidate));
  const report = await reportOn(command, candidate);
  const { output } = command.opts<{ readonly output: PageFormat }>();
  return printReport({ ...report, facts: { found: candidate.place, ...report.facts } }, output);
}

async function reportOn(command: Command, { place, name, id }: OriginMatch): Promise<Report> {
  if ('urn' in id) return asking(command, (client) => tenantReport(client, id.urn));
  const { namespace } = id;
  const inCluster = async (doing: (asking: ClusterReaderOptions) => Promise<Report>): Promise<Report> => {
    try {
      return await connected(clusterChoice(command), 'vm-debug', ({ client }) =>
        doing({ client, signal: AbortSignal.timeout(deadlineMs) }),
      );
    } catch (error) {
      throw asFailure(error);
    }
  };
  return place === 'machine'
    ? inCluster((cluster) => machineReport(cluster, { namespace, name, ...machineContextOf(command) }))
    : inCluster((cluster) => orderReport(cluster, { namespace, name, settings: orderSettings(command).settings }));
}
