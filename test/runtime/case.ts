/** A test that needs a server, and runs both on the sandbox and on a real kube-apiserver. */
import { after, before, describe, test } from 'node:test';
import { startHarness, type Harness, type HarnessKind } from './harness.ts';

export interface RuntimeCase {
  /** The id in the checklist (`F4`), or the complaint that the case tests. */
  readonly id: string;
  /** A sentence. */
  readonly name: string;
  readonly run: (harness: Harness) => Promise<void>;
  readonly only?: { readonly server: HarnessKind; readonly why: string };
}

/** Runs the cases one after another on one harness, each in namespaces of its own. */
export function runCases(kind: HarnessKind, cases: readonly RuntimeCase[]): void {
  describe(kind === 'sandbox' ? 'the runtime on the sandbox' : 'the runtime on a kube-apiserver', () => {
    let harness: Harness;
    before(async () => {
      harness = await startHarness(kind);
    });
    after(() => harness?.stop());

    for (const { id, name, run, only } of cases) {
      const skip = only !== undefined && only.server !== kind ? only.why : false;
      test(`${id}: ${name}`, { skip, timeout: 120_000 }, async () => {
        try {
          await run(harness);
        } finally {
          harness.proxy.clear();
          await harness.proxy.accept();
        }
      });
    }
  });
}
