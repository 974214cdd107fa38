/** A test that needs a server, and runs both on the sandbox and on a real kube-apiserver. */
import { after, before, describe, test } from 'node:test';
import { startGround, type Ground, type GroundKind } from './ground.ts';

export interface RuntimeCase {
  /** The id in the checklist (`F4`), or the complaint that the case tests. */
  readonly id: string;
  /** A sentence. */
  readonly name: string;
  readonly run: (ground: Ground) => Promise<void>;
  readonly only?: { readonly server: GroundKind; readonly why: string };
}

/** Runs the cases one after another on one harness, each in namespaces of its own. */
export function runCases(kind: GroundKind, cases: readonly RuntimeCase[]): void {
  describe(kind === 'sandbox' ? 'the runtime on the sandbox' : 'the runtime on a kube-apiserver', () => {
    let ground: Ground;
    before(async () => {
      ground = await startGround(kind);
    });
    after(() => ground?.stop());

    for (const { id, name, run, only } of cases) {
      const skip = only !== undefined && only.server !== kind ? only.why : false;
      test(`${id}: ${name}`, { skip, timeout: 120_000 }, async () => {
        try {
          await run(ground);
        } finally {
          ground.proxy.clear();
          await ground.proxy.accept();
        }
      });
    }
  });
}
