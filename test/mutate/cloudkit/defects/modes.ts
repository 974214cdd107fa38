/** Who provisions an order, when AAP is called, and for how long the controller keeps out of its way. */
import { witnesses, type OrderDefect } from '../defect.ts';

const at = (file: string): string => `virt/order/${file}`;
const tests = (file: string, control: string): ReturnType<typeof witnesses> =>
  witnesses(at(file), control, { alone: true });

const deciding = tests('mode.test.ts', 'is aap+: nothing is said, and nothing rolled out');
const waiting = tests('quiet.test.ts', 'is false: it was never asked');
const rolling = tests('rollout.test.ts', 'who is in stays in when the rollout grows');
const calling = tests('webhook.test.ts', 'after 0 s: nobody has asked it');

export const modeDefects: readonly OrderDefect[] = [
  {
    name: 'a switch takes effect at once',
    file: at('mode.ts'),
    find: 'if (before !== undefined && reconciled === desired) return goOn(input, before, next);',
    replace: '',
    noticedBy: deciding('is controller>aap: AAP takes over at the next change'),
  },
  {
    name: 'the controller takes over while a job runs',
    file: at('mode.ts'),
    find: "before === 'aap' && mode === 'controller' ? quietFor(input) : 0",
    replace: '0',
    noticedBy: deciding('is wait 15m: AAP has just taken it'),
  },
  {
    name: 'a later percentage moves orders',
    file: at('mode.ts'),
    find: "(isAapOnlyByFallback(input) ? 'controller' : before) ?? byRollout(input)",
    replace: 'byRollout(input)',
    noticedBy: deciding('an order that is recorded never moves by percentage'),
  },
  {
    name: 'the switch for all is not heard',
    file: at('mode.ts'),
    find: "const mode = controllerMode ? asked : 'aap';",
    replace: 'const mode = asked;',
    noticedBy: deciding('is aap+: controller mode is off for all'),
  },
  {
    name: 'what the controller has made is mended while it is switched off',
    file: at('mode.ts'),
    find: "if (before === 'controller' && !canMend) return",
    replace: "if (before === 'controller' && !canMend && !controllerMode === undefined) return",
    noticedBy: deciding('is aap>aap: controller mode is off: nothing is mended, and its record stays'),
  },
  {
    name: 'nobody asks who that is',
    file: at('mode.ts'),
    find: 'if (managedBy !== undefined && !isMode(managedBy)) return { problem: problems.unknownManagedBy(managedBy) };',
    replace: '',
    noticedBy: deciding('is UnknownManagedBy: an empty annotation names nobody'),
  },
  {
    name: 'the controller makes machines without their floating IP',
    file: at('mode.ts'),
    find: "if (template === 'floating-ip')\n",
    replace: "if (template === 'floating-ip' && managedBy !== 'controller')\n",
    noticedBy: deciding('is FloatingIPTemplate: the controller is asked for'),
  },
  {
    name: 'what was given up is tried again, and never by AAP',
    file: at('mode.ts'),
    find: "const mode = isGivenUp(input) ? 'aap' : next.mode;",
    replace: 'const mode = next.mode;',
    noticedBy: deciding('is aap+>controller: AAP does this one'),
  },
  {
    name: 'an order that fell back once stays with AAP',
    file: at('mode.ts'),
    find: "(isAapOnlyByFallback(input) ? 'controller' : before)",
    replace: 'before',
    noticedBy: deciding('is controller+: the next one, after AAP has done this one'),
  },
  {
    name: 'a job that has reported is waited for',
    file: at('quiet.ts'),
    find: 'acceptedConfigVersion === reconciled ? 0 : remaining(acceptedTime',
    replace: 'remaining(acceptedTime',
    noticedBy: deciding('is controller+: AAP has done what it was last asked for'),
  },
  {
    name: 'a call without an answer was none',
    file: at('quiet.ts'),
    find: 'return Math.max(accepted, unanswered);',
    replace: 'return accepted;',
    noticedBy: deciding('is wait 13m: AAP has not answered, and may have taken it'),
  },
  {
    name: 'what AAP has begun is of no matter',
    file: at('quiet.ts'),
    find: 'acceptedTime !== undefined && acceptedConfigVersion !== reconciled)',
    replace: 'acceptedTime === undefined && acceptedConfigVersion !== reconciled)',
    noticedBy: waiting('is true: it took v2'),
  },
  {
    name: 'what AAP has refused counts as begun',
    file: at('quiet.ts'),
    find: 'acceptedTime !== undefined && acceptedConfigVersion !== reconciled)',
    replace: 'acceptedTime !== undefined)',
    noticedBy: waiting('is false: v2 was refused'),
  },
  {
    name: 'a rollout of nobody reaches some',
    file: at('rollout.ts'),
    find: 'rolloutPlace(uid) < percentage',
    replace: 'rolloutPlace(uid) <= percentage',
    noticedBy: rolling('a rollout of 0 % reaches nobody, and one of 100 % everybody'),
  },
  {
    name: 'another version does not wait for the minimum interval',
    file: at('webhook.ts'),
    find: 'Math.max(interval, isFor(record, wanted) ? sameAgain(record, times, now, jitter) : 0)',
    replace: 'isFor(record, wanted) ? Math.max(interval, sameAgain(record, times, now, jitter)) : 0',
    noticedBy: calling('after 1 s: another version is asked for within the minimum interval'),
  },
  {
    name: 'what was taken once is taken for all versions',
    file: at('webhook.ts'),
    find: 'return action === wanted.action && configVersion === wanted.configVersion;',
    replace: 'return action === wanted.action;',
    noticedBy: calling('after 0 s: the spec went to another version and back'),
  },
  {
    name: 'failures do not make it slower',
    file: at('webhook.ts'),
    find: 'retryInitialMs * 2 ** Math.max(0, failures - 1)',
    replace: 'retryInitialMs',
    noticedBy: calling('after 7 s: it has failed twice'),
  },
  {
    name: 'it gets slower without an end',
    file: at('webhook.ts'),
    find: 'Math.min(retryLongestMs, retryInitialMs',
    replace: 'Math.max(retryLongestMs, retryInitialMs',
    noticedBy: calling('never later than the longest time between two failures'),
  },
  {
    name: 'one key is for all versions',
    file: at('webhook.ts'),
    find: '`${uid}-${action}-${inHeader(configVersion)}`',
    replace: '`${uid}-${action}`',
    noticedBy: calling('has one key for each thing that is asked of each order'),
  },
  {
    name: 'what was taken is forgotten when the next is refused',
    file: at('webhook.ts'),
    find: 'isSameAction && before.acceptedTime !== undefined',
    replace: 'isSameAction && before.acceptedTime === null',
    noticedBy: calling('remembers what was taken while another is refused, for whoever has to wait for it'),
  },
  {
    name: 'AAP is not told which version it makes',
    file: at('webhook.ts'),
    find: 'status: { ...order.status, desiredConfigVersion: desired },',
    replace: 'status: order.status,',
    noticedBy: calling('is the whole order, with the version that it is to give back'),
  },
];
