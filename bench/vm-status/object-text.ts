/**
 * Renders a VM as JSON text by inserting only what differs between VMs and versions, so that thousands per second are
 * cheap.
 */
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { cycle, nameOf, status, uidOf, vappId } from './machines.ts';

export type ObjectText = (index: number, version: number, revision: number) => string;

/** An index that no VM has; its name, uid and vApp in the sample are replaced. */
export const sampleIndex = 999_999;
const revisionMark = '"resourceVersion":"0"';
const statusMark = '"@status@"';

/** `sample` is the VM with that index as a server returns it, with managed fields. */
export function objectText(sample: KubeObject): ObjectText {
  const { metadata } = sample;
  const object: JsonObject = {
    ...sample,
    metadata: { ...metadata, uid: uidOf(sampleIndex), resourceVersion: '0' },
    status: '@status@',
  };
  const marks = [nameOf(sampleIndex), uidOf(sampleIndex), vappId(sampleIndex), revisionMark, statusMark];
  const pieces = JSON.stringify(object).split(new RegExp(`(${marks.join('|')})`));
  const statuses = Array.from({ length: cycle }, (_, version) => JSON.stringify(status(version)));
  return (index, version, revision) => {
    const values: Record<string, string> = {
      [nameOf(sampleIndex)]: nameOf(index),
      [uidOf(sampleIndex)]: uidOf(index),
      [vappId(sampleIndex)]: vappId(index),
      [revisionMark]: `"resourceVersion":"${revision}"`,
      [statusMark]: statuses[version % cycle] ?? '{}',
    };
    let text = '';
    for (const piece of pieces) text += values[piece] ?? piece;
    return text;
  };
}
