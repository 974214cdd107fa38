/** Nothing is done to a cluster twice: what is sent again is refused there, or says the same once more. */
import type { Written } from '../stage.ts';

/** Sent again they change nothing. */
const idempotent = [
  /^DELETE /,
  // Filled in, and kept nowhere.
  /\/virtualmachinetemplates\/[^/]+\/process$/,
  // Server-side apply, and whose they are.
  /^PATCH .*\/secrets\//,
  // What is off, or being stopped at once, is not stopped again.
  /^PUT .*\/stop$/,
];

/** Nobody can see whether these were done. */
const unseen = /^PUT .*\/(?:reset|softreboot)$/;

/** A sentence for each thing that was done more than once. */
export function doneTwice(written: readonly Written[]): readonly string[] {
  const [sent, taken] = [new Map<string, number>(), new Map<string, number>()];
  for (const one of written) {
    // One that comes when all is made or undone is another than the first, and goes again.
    if (one.isLate && /^POST .*\/(?:secrets|templateinstances)$/.test(one.text)) continue;
    const what = `${one.text} ${withoutVersion(one)}`;
    if (unseen.test(one.text)) count(sent, one.text);
    else if (isTaken(one) && !idempotent.some((way) => way.test(one.text))) count(taken, what);
  }
  return [...sent, ...taken].filter(([, times]) => times > 1).map(([what, times]) => `${times} times: ${what}`);
}

/** One whose answer nobody has heard may have been taken: then the next is refused. */
function isTaken({ status }: Written): boolean {
  return status !== undefined && status < 300;
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function withoutVersion({ content }: Written): string {
  return content.replaceAll(/"(?:resourceVersion|uid)":"[^"]*",?/g, '');
}
