/** Every reason has an entry on the troubleshooting page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../packages/ssvirt/src/fleet/kubevirtconfig/reasons.ts';
import { explainedBehind, missingWords } from './field-page.ts';
import { textOf } from './pages.ts';

const page = textOf('docs/operator/troubleshooting.md');

/** Reasons of healthy conditions. */
const good = new Set<string>([reasons.connected, reasons.available, reasons.supported, reasons.sameCluster]);

/** Other tests keep these two lists and the code in agreement. */
const lists: Readonly<Record<string, readonly string[]>> = {
  Machine: explainedBehind(textOf('docs/operator/machine-api.md'), 'These reasons of'),
  order: explainedBehind(textOf('docs/operator/cloudkit-operator.md'), 'These reasons call for action'),
  KubevirtConfig: Object.values(reasons).filter((reason) => !good.has(reason)),
};

for (const [what, all] of Object.entries(lists))
  test(`every reason that a ${what} can have is on the page`, () => {
    assert.ok(all.length > 10);
    assert.deepEqual(
      missingWords(
        page,
        all.map((reason) => `\`${reason}\``),
      ),
      [],
    );
  });
