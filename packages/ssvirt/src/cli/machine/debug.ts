/** `ssvirt machine debug`: collects what is known about a Machine and prints it on one page. */
import type { ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import type { Report } from '../cluster/report.ts';
import { forPrograms } from '../cluster/shown-kind.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { machineAdvice, type MachineAdvice } from './advice.ts';
import { debugPage } from './debug-page.ts';
import { gather, type MachineQuestion } from './gather.ts';
import type { MachineCase } from './machine-case.ts';
import { shownMachines } from './shown.ts';

export async function machineReport(asking: ClusterReaderOptions, question: MachineQuestion): Promise<Report> {
  const seen = await gather(asking, question);
  const advice = machineAdvice(seen);
  return {
    code: codeOf(seen, advice),
    page: debugPage(seen, advice),
    facts: { ...advice, ...withoutSecrets(seen) },
  };
}

function codeOf({ machine, near }: MachineCase, { verdict }: MachineAdvice): ExitCode {
  if (machine === undefined) return near === undefined ? exitCodes.failed : exitCodes.notFound;
  return verdict === 'wrong' ? exitCodes.failed : exitCodes.done;
}

function withoutSecrets({ machine, now: _, ...seen }: MachineCase): object {
  if (machine === undefined) return seen;
  const { annotations: _annotations, ...metadata } = machine.metadata;
  return { ...seen, machine: forPrograms(shownMachines, { ...machine, metadata }, false) };
}
