/** Checks that no request takes effect twice in a cluster: a repeated request is refused, or changes nothing. */
import type { Written } from '../stage.ts';

/** A repetition changes nothing. */
const idempotent = [
  /^DELETE /,
  // Processed, and not stored.
  /\/virtualmachinetemplates\/[^/]+\/process$/,
  // Server-side apply, which sets the owners.
  /^PATCH .*\/secrets\//,
  // A VM that is off, or that is being stopped, is not stopped again.
  /^PUT .*\/stop$/,
];

/** The effect of these cannot be seen afterwards. */
const unseen = /^PUT .*\/(?:reset|softreboot)$/;

/** A sentence for each request that took effect more than once. */
export function doneTwice(written: readonly Written[]): readonly string[] {
  const [sent, taken] = [new Map<string, number>(), new Map<string, number>()];
  for (const one of written) {
    // A delayed create that arrives after the work is finished or undone creates another object, which is deleted
    // again.
    if (one.isLate && /^POST .*\/(?:secrets|templateinstances)$/.test(one.text)) continue;
    const what = `${one.text} ${withoutVersion(one)}`;
    if (unseen.test(one.text)) count(sent, one.text);
    else if (isTaken(one) && !idempotent.some((way) => way.test(one.text))) count(taken, what);
  }
  return [...sent, ...taken].filter(([, times]) => times > 1).map(([what, times]) => `${times} times: ${what}`);
}

/** A request without a known answer may have been accepted; then the next one is refused. */
function isTaken({ status }: Written): boolean {
  return status !== undefined && status < 300;
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function withoutVersion({ content }: Written): string {
  return content.replaceAll(/"(?:resourceVersion|uid)":"[^"]*",?/g, '');
}
