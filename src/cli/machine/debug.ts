/** `ssvirt machine debug`: gathers what is known of a Machine and tells it on one page. */
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { data } from '../output/print.ts';
import { say } from '../output/streams.ts';
import type { Asking } from '../cluster/look.ts';
import { machineAdvice } from './advice.ts';
import { debugPage } from './debug-page.ts';
import { gather, type Question } from './gather.ts';
import type { MachineCase } from './machine-case.ts';
import { shownMachines } from './shown.ts';
import { forPrograms } from '../cluster/shown-kind.ts';

export type PageFormat = 'text' | 'json' | 'yaml';

export async function debugMachine(asking: Asking, question: Question, format: PageFormat): Promise<ExitCode> {
  const seen = await gather(asking, question);
  const advice = machineAdvice(seen);
  say(format === 'text' ? debugPage(seen, advice) : data(format, { ...advice, ...withoutSecrets(seen) }));
  if (seen.machine === undefined) return seen.near === undefined ? exitCodes.failed : exitCodes.notFound;
  return advice.verdict === 'wrong' ? exitCodes.failed : exitCodes.done;
}

function withoutSecrets({ machine, now: _, ...seen }: MachineCase): object {
  if (machine === undefined) return seen;
  const { annotations: _annotations, ...metadata } = machine.metadata;
  return { ...seen, machine: forPrograms(shownMachines, { ...machine, metadata }, false) };
}
