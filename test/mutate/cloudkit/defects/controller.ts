/** What the operator does to orders, and how it asks AAP. */
import { witnesses, type OrderDefect } from '../defect.ts';

const at = (file: string): string => `controllers/cloudkit/${file}`;
const asking = witnesses(
  at('aap.test.ts'),
  'AAP: without a URL nothing is written or sent, and the order says what to do',
  { alone: true },
);
const dual = 'test/cloudkit/dual-mode.test.ts';
const nobody = 'an order that nobody can do says so, touches nothing and calls nobody, until it is put right';
const failing = 'an AAP that fails is asked on by the same key, the order says how it stands, and ends provisioned';
const both = witnesses(dual, nobody, { alone: true });
const withAap = witnesses(dual, failing, { alone: true });
const longer = 'test/cloudkit/dual-mode.suite.ts';
const stuck = witnesses(
  longer,
  'says so after the last retry, is tried on slowly, and AAP is not asked unless that is wanted',
  { alone: true },
);
const reading = witnesses(
  'test/cloudkit/fulfillment.test.ts',
  'the fulfillment service sees the floating IP that AAP has given',
  { alone: true },
);
const onceAsked = 'AAP is asked once for an order, which is Ready when its machine is, and then never again';
const switched =
  'a switch takes effect at the next change, in both directions: the disk, all else and the instance that runs stay';

export const controllerDefects: readonly OrderDefect[] = [
  {
    name: 'AAP is asked before that is written down',
    file: at('aap.ts'),
    find: 'await journal.status({ webhook: recorded(before, wanted, ahead, Date.now()) });',
    replace: 'recorded(before, wanted, ahead, Date.now());',
    noticedBy: asking('AAP: that it is asked stands in the status before it is asked, as not answered'),
  },
  {
    name: 'what could not be written is forgotten',
    file: at('aap.ts'),
    find: '  await writeLast(work, uid);\n  const jitter',
    replace: '  const jitter',
    noticedBy: asking(
      'AAP: an outcome that could not be written is written in the next round, and AAP is not asked again for it',
    ),
  },
  {
    name: 'a lost answer is a refusal',
    file: at('aap.ts'),
    find: "unanswered: ReadonlySet<WebhookFailure> = new Set(['Timeout', 'Broken'])",
    replace: "unanswered: ReadonlySet<WebhookFailure> = new Set(['Timeout'])",
    noticedBy: asking('AAP: failures in a row use one key, and an answer that is lost counts as perhaps taken'),
  },
  {
    name: 'whoever reads the log reads the orders',
    file: at('aap.ts'),
    find: "log.info(fields, 'AAP was asked')",
    replace: "log.info({ ...fields, sent: bodyOf(journal.order, wanted) }, 'AAP was asked')",
    noticedBy: both(failing),
  },
  {
    name: 'the password of the URL is told',
    file: at('webhook-error.ts'),
    find: 'return `${url.origin}${url.pathname}`;',
    replace: 'return url.href;',
    noticedBy: both(failing),
  },
  {
    name: 'AAP is asked for what it has done',
    file: at('provision.ts'),
    find: '  if (reconciledVersion(journal.order) === desired) {\n    if (isUndone',
    replace: "  if (reconciledVersion(journal.order) === 'never') {\n    if (isUndone",
    noticedBy: both(onceAsked),
  },
  {
    name: 'what AAP has begun is left as it is',
    file: at('provision.ts'),
    find: "status?.provisionedBy === 'aap' && hasBegunAnother(status.webhook, desired)",
    replace: "status?.provisionedBy !== 'aap' && hasBegunAnother(status?.webhook, desired)",
    noticedBy: both(
      'what AAP has begun for a version that was taken back is set right by the one before, though that had been reported',
    ),
  },
  {
    name: 'nobody writes down whose an order is',
    file: at('provision.ts'),
    find: '  await journal.status({ provisionedBy: mode });\n',
    replace: '',
    noticedBy: withAap(switched),
  },
  {
    name: 'what the controller has done is not reported',
    file: at('provision.ts'),
    find: '  await journal.annotate({ [annotations.reconciledConfigVersion]: desired });\n',
    replace: '',
    noticedBy: withAap(switched),
  },
  {
    name: 'a port that AAP has opened stays open',
    file: at('service.ts'),
    find: 'if (ports === undefined) return;',
    replace: 'if (ports !== undefined) return;',
    noticedBy: stuck('closes ports that AAP has opened when the order does without them, and those of anybody'),
  },
  {
    name: 'drift that cannot be mended is given to AAP',
    file: at('provision.ts'),
    find: "problem?.reason === 'RetriesExhausted' && reconciledVersion(journal.order) !== desired",
    replace: "problem?.reason === 'RetriesExhausted'",
    noticedBy: stuck(
      'and that was made before is mended on slowly, and not given to AAP, which was never asked for it',
    ),
  },
  {
    name: 'what AAP left before there were records is not seen',
    file: at('mode.ts'),
    find: 'hasTracesOfAap: hasAapFinalizer(order) || reconciledVersion(order) !== undefined,',
    replace: 'hasTracesOfAap: false,',
    noticedBy: withAap(
      'orders that AAP had made before this operator came are not run again, are Ready, and can be taken over',
    ),
  },
  {
    name: 'the Service selects what the next instance will bear',
    file: at('native.ts'),
    find: 'serviceSelector(identity, instanceLabels(work))',
    replace: 'serviceSelector(identity, undefined)',
    noticedBy: withAap(switched),
  },
  {
    name: 'a takeover that began is not gone on with',
    file: at('children.ts'),
    find: "mayTake(identity, traces(order) ? 'aap' : order.status?.provisionedBy, object)",
    replace: 'mayTake(identity, order.status?.provisionedBy, object)',
    noticedBy: stuck('in the middle of a takeover goes on with it: nothing is made twice'),
  },
  {
    name: 'the Secret of a key is forgotten while a machine needs it',
    file: at('ssh-key.ts'),
    find: 'if (!isOurs(work, old)) await markChild(work, secrets, old);\n',
    replace: '',
    noticedBy: stuck(
      'that takes the ssh key out leaves its Secret to the instance that was made with it, and then takes it away',
    ),
  },
  {
    name: 'the address of the Service is shown to nobody',
    file: at('report.ts'),
    find: "if (mode === 'controller' && !deleting) await showAddress",
    replace: "if (mode === 'controller' && deleting) await showAddress",
    noticedBy: reading(
      'the fulfillment service sees an order of mode controller progress, become ready, change and go',
    ),
  },
];
