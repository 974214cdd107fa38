/** What an order says of itself. */
import { witnesses, type OrderDefect } from '../defect.ts';

const at = (file: string): string => `virt/order/${file}`;
const saying = witnesses(at('status.test.ts'), 'that is managed by hand says so', { alone: true });

export const statusDefects: readonly OrderDefect[] = [
  {
    name: 'an order is Ready before its machine is',
    file: at('phase.ts'),
    find: 'isReconciled(seen) && isSettled(seen, machine)',
    replace: 'isReconciled(seen)',
    noticedBy: saying('whose machine is not ready yet progresses'),
  },
  {
    name: 'a machine that KubeVirt does not call ready serves',
    file: at('machine-state.ts'),
    find: "status === 'POWERED_ON' && vmReady",
    replace: "status === 'POWERED_ON'",
    noticedBy: saying('whose machine is not ready yet progresses'),
  },
  {
    name: 'what AAP has done has failed because of an answer that was lost',
    file: at('phase.ts'),
    find: "seen.mode === 'aap' && !isReconciled(seen) &&",
    replace: "seen.mode === 'aap' &&",
    noticedBy: saying('that AAP has reported is Ready though its call was never answered'),
  },
  {
    name: 'old calls of AAP fail the controller',
    file: at('phase.ts'),
    find: "seen.mode === 'aap' && !isReconciled(seen)",
    replace: '!isReconciled(seen)',
    noticedBy: saying('that the controller makes has nothing to do with calls of before'),
  },
  {
    name: 'nobody is told that AAP is away',
    file: at('phase.ts'),
    find: 'const LONG = 8;',
    replace: 'const LONG = 80;',
    noticedBy: saying('that AAP does not take for long has failed'),
  },
  {
    name: 'a trouble on the way is a fault of the order',
    file: at('findings.ts'),
    find: 'problem !== undefined && refusals.has(problem.reason)',
    replace: 'problem !== undefined',
    noticedBy: saying('that was tried in vain is understood all the same'),
  },
  {
    name: 'AAP is said to work on what it was not asked for',
    file: at('findings.ts'),
    find: 'webhook === undefined || webhook.configVersion !== seen.desired',
    replace: 'webhook === undefined',
    noticedBy: saying('that AAP is to do soon does not say that it works'),
  },
  {
    name: 'a refused change takes the machine away in the status',
    file: at('findings.ts'),
    find: "if (machine.state === 'serving') {",
    replace: "if (machine.state === 'serving' && seen.problem === undefined) {",
    noticedBy: saying('whose change is refused has failed, and its machine serves on'),
  },
  {
    name: 'a machine that somebody has stopped is not as ordered',
    file: at('phase.ts'),
    find: "state === 'serving' || state === 'stopped' || state === 'paused'",
    replace: "state === 'serving' || state === 'paused'",
    noticedBy: saying('whose machine somebody has stopped is Ready, and not available'),
  },
  {
    name: 'no room is a failure',
    file: at('machine-state.ts'),
    find: "new Set(['NO_ROOM', 'UNSCHEDULABLE', 'DISK_PENDING'])",
    replace: "new Set(['UNSCHEDULABLE', 'DISK_PENDING'])",
    noticedBy: saying('for whose machine there is no room waits for it'),
  },
];
