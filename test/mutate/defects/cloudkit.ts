/** Defects of the cloudkit-operator: calls of AAP, takeover between AAP and the controller, ownership, validation. */
import { named, type Defect } from '../defect.ts';

const aapTest = named(
  'packages/ssvirt/src/controllers/cloudkit/aap/aap.test.ts',
  'AAP: without a URL nothing is written or sent, and the order says what to do',
);
const dualModeTest = named(
  'test/cloudkit/dual-mode.test.ts',
  'an order that neither mode can do says so, touches nothing and calls nothing, until it is put right',
);

export const cloudkit: readonly Defect[] = [
  {
    file: 'packages/ssvirt/src/kubevirt/order/identity.ts',
    source: "if (provisionedBy !== 'aap' || parentUidOf(identity, object) !== undefined) return false;",
    replacement: "if (provisionedBy !== 'aap') return false;",
    why: 'objects of an earlier order of the same name are taken',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/build.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/identity.ts',
    source: "if (provisionedBy !== 'aap' || parentUidOf(",
    replacement: 'if (parentUidOf(',
    why: 'unlabelled objects of the name are taken',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/build.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/disk-change.ts',
    source: 'if (wanted < has)',
    replacement: 'if (wanted < has && has === 0)',
    why: 'the disk of an order shrinks',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/disk-change.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/cloudkit/aap/aap.ts',
    source: 'await journal.status({ webhook: recorded(before, wanted, ahead, Date.now()) });',
    replacement: 'recorded(before, wanted, ahead, Date.now());',
    why: 'AAP is called before that is recorded',
    noticedBy: aapTest('AAP: before AAP is asked the status has the call, as not answered'),
  },
  {
    file: 'packages/ssvirt/src/controllers/cloudkit/aap/aap.ts',
    source: "unanswered: ReadonlySet<WebhookFailure> = new Set(['Timeout', 'Broken'])",
    replacement: "unanswered: ReadonlySet<WebhookFailure> = new Set(['Timeout'])",
    why: 'a call without an answer counts as refused',
    noticedBy: aapTest('AAP: failures in a row use one key, and an answer that is lost counts as perhaps taken'),
  },
  {
    file: 'packages/ssvirt/src/controllers/cloudkit/aap/webhook-error.ts',
    source: 'return `${url.origin}${url.pathname}`;',
    replacement: 'return url.href;',
    why: 'an error message holds the password of the webhook URL',
    noticedBy: dualModeTest(
      'an AAP that fails is asked again with the same key, the order shows its state, and ends provisioned',
    ),
  },
  {
    file: 'packages/ssvirt/src/controllers/cloudkit/provision.ts',
    source: '  if (reconciledVersion(journal.order) === desired) {\n    if (isUndone',
    replacement: "  if (reconciledVersion(journal.order) === 'never') {\n    if (isUndone",
    why: 'AAP is called again for what it has done',
    noticedBy: dualModeTest('AAP is asked once for an order, which is Ready when its machine is, and then never again'),
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/mode.ts',
    source: 'if (before !== undefined && reconciled === desired) return goOn(input, before, next);',
    replacement: '',
    why: 'a switch of the mode takes effect without a change of the order',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/mode.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/mode.ts',
    source: "before === 'aap' && mode === 'controller' ? quietFor(input) : 0",
    replacement: '0',
    why: 'the controller takes over while a job of AAP runs',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/mode.test.ts' },
    ci: true,
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/aap/aap-quiet-period.ts',
    source: 'return Math.max(accepted, unanswered);',
    replacement: 'return accepted;',
    why: 'a call without an answer does not begin a quiet period',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/mode.test.ts' },
    ci: true,
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/aap/webhook.ts',
    source: 'return action === wanted.action && configVersion === wanted.configVersion;',
    replacement: 'return action === wanted.action;',
    why: 'a version that AAP took once is never sent again',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/aap/webhook.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/namespace.ts',
    source: 'if (!isOwn && !isBound(namespace, found))',
    replacement: 'if (!isOwn && found.project === undefined && !isBound(namespace, found))',
    why: 'an order is fulfilled in a namespace that is not bound to its tenant',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/namespace.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/image.ts',
    source: 'refused(field, withoutLogin(value), {',
    replacement: 'refused(field, value, {',
    why: 'a message shows the password in an image URL',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/parameters/parameters.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/status/phase.ts',
    source: 'isReconciled(seen) && isSettled(seen, machine)',
    replacement: 'isReconciled(seen)',
    why: 'an order is Ready before its VM is',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/status/status.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/kubevirt/order/pinned-spec.ts',
    source: 'isStale: pinned === reconciled && reconciledSpecVersion !== configVersion(spec)',
    replacement: 'isStale: false',
    why: 'an order with a pinned version hides that a change was not applied',
    noticedBy: { file: 'packages/ssvirt/src/kubevirt/order/pinned-spec.test.ts' },
  },
  {
    file: 'packages/ssvirt/src/controllers/cloudkit/provision.ts',
    source: 'refuse: (action) => refuseForeignTargets(work, action),',
    replacement: 'refuse: () => undefined,',
    why: 'AAP is called for an order whose names belong to foreign objects',
    noticedBy: {
      file: 'test/cloudkit/dual-mode.test.ts',
      only: [
        'objects under the names of an order, without a label of it, are not taken over by AAP, nor deleted with the order',
        'an order that neither mode can do says so, touches nothing and calls nothing, until it is put right',
      ],
    },
  },
];
