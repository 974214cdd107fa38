/**
 * `ssvirt machine adopt`: shows what the operator would do, asks for confirmation, and sets the annotation that allows
 * it.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { AdoptedChild } from '../../kubevirt/machine/adopted.ts';
import { annotations } from '../../kubevirt/machine/resource.ts';
import { asSentence } from '../cluster/advice.ts';
import type { ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { page, sentenceSection, unreadSection } from '../cluster/page.ts';
import type { PageFormat } from '../cluster/page-format.ts';
import { printReport, type Report } from '../cluster/report.ts';
import { agrees } from '../output/confirm.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { note } from '../output/streams.ts';
import { adoptionCase, type AdoptionCase, type AdoptionCaseOptions } from './adoption-case.ts';
import { needsRestart, type AdoptionChange } from './adoption-changes.ts';
import { machines } from './shown-machine.ts';

export interface AdoptOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly output: PageFormat;
}

export async function adoptMachine(
  asking: ClusterReaderOptions,
  question: AdoptionCaseOptions,
  { dryRun = false, yes = false, output }: AdoptOptions,
): Promise<ExitCode> {
  const seen = await adoptionCase(asking, question);
  const code = printReport(adoptionReport(seen, question), output);
  if (dryRun || seen.kind !== 'plan') return code;
  const named = `Machine "${question.namespace}/${question.name}"`;
  if (seen.isAsked) {
    note(`${named} already has the annotation: the operator will adopt the VirtualMachine.`);
    return exitCodes.done;
  }
  if (!yes && !process.stdin.isTTY)
    throw new CliFailure(
      'confirmation needs a terminal: give --yes to adopt, or --dry-run to see the changes',
      exitCodes.usage,
    );
  if (!yes && !(await agrees(`Adopt VirtualMachine "${seen.vm}" in cluster "${seen.cluster}"?`))) {
    note('nothing was changed.');
    return exitCodes.failed;
  }
  const { namespace, name } = question;
  const { uid } = seen.machine.metadata;
  const metadata = { ...defined({ uid }), annotations: { [annotations.adopt]: 'true' } };
  await asking.client.patch(
    machines,
    { namespace, name },
    { type: 'merge', body: { metadata } },
    { signal: asking.signal },
  );
  note(
    `${named} now has the annotation ${annotations.adopt}=true: "ssvirt machine wait ${name} -n ${namespace}" waits for it.`,
  );
  return exitCodes.done;
}

export function adoptionReport(seen: AdoptionCase, { namespace, name }: AdoptionCaseOptions): Report {
  if (seen.kind === 'absent')
    return report(`there is no Machine "${namespace}/${name}"`, exitCodes.notFound, { verdict: 'absent' });
  if (seen.kind === 'nothing')
    return report(seen.message, seen.isWrong ? exitCodes.failed : exitCodes.done, {
      verdict: 'nothing',
      message: seen.message,
    });
  if (seen.kind === 'refused') {
    const { reason, message } = seen.problem;
    return report(`${reason}: ${message}`, exitCodes.failed, {
      verdict: 'refused',
      cluster: seen.cluster,
      reason,
      message,
    });
  }
  const { cluster, vm, takes, leaves, changes, disks, notes, unread, runs } = seen;
  const waits = runs && changes.some(needsRestart);
  const head = `VirtualMachine "${vm}" in cluster "${cluster}" can be adopted`;
  return {
    code: exitCodes.done,
    facts: {
      verdict: 'adoptable',
      cluster,
      vm,
      runs,
      restartRequired: waits,
      takes,
      leaves,
      changes,
      disks,
      notes,
      unread,
    },
    page: page([
      [asSentence(head), `  ${restartText(runs, waits)}`],
      changeSection(changes),
      disks.length === 0 ? [] : sentenceSection('Disks', disks),
      childSection('Will belong to the Machine and be deleted with it', takes),
      childSection('Used unchanged, and kept when the Machine is deleted', leaves),
      notes.length === 0 ? [] : sentenceSection('Secrets', notes.map(asSentence)),
      unreadSection(unread),
    ]),
  };
}

function report(message: string, code: ExitCode, facts: object): Report {
  return { code, page: `${asSentence(message)}\n`, facts };
}

function restartText(runs: boolean, waits: boolean): string {
  if (!runs) return 'It is not running.';
  return waits
    ? 'It keeps running; changes below spec.template take effect at its next restart.'
    : 'It keeps running, and no change needs a restart.';
}

function changeSection(changes: readonly AdoptionChange[]): readonly string[] {
  if (changes.length === 0) return ['Changes: none, it already matches the Machine'];
  return sentenceSection(
    'Changes',
    changes.map(({ field, from, to }) => `${field}: ${from === undefined ? 'new' : from} -> ${to}`),
  );
}

function childSection(head: string, children: readonly AdoptedChild[]): readonly string[] {
  return children.length === 0
    ? []
    : sentenceSection(
        head,
        children.map(({ kind, name }) => `${kind} "${name}"`),
      );
}
