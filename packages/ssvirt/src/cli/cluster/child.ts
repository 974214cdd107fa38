/** A child object as the debug pages show it: whether it exists, and its own state. */
import { defined } from '@ssvirt/base/values/defined';
import type { KubeObject } from '@ssvirt/kube/object';
import { fields, list, text } from '../../kubevirt/facts/reading.ts';

export interface SeenObject {
  readonly kind: string;
  readonly name: string;
  readonly state: 'there' | 'absent' | 'deleting';
  /** Finalizers, phases, addresses. */
  readonly says?: string;
}

export function seenObject(kind: string, name: string, object: KubeObject | undefined): SeenObject {
  if (object === undefined) return { kind, name, state: 'absent' };
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  const says =
    deletionTimestamp !== undefined && finalizers.length > 0
      ? `held by ${finalizers.join(', ')}`
      : detailOf(kind, object);
  return {
    kind,
    name,
    state: deletionTimestamp === undefined ? 'there' : 'deleting',
    ...defined({ says }),
  };
}

function detailOf(kind: string, object: KubeObject): string | undefined {
  const { status, spec } = fields(object);
  if (kind === 'Service') {
    const [first] = list(fields(fields(status)['loadBalancer'])['ingress']).map(fields);
    return (
      text(first?.['ip'], 64) ??
      text(first?.['hostname']) ??
      (fields(spec)['type'] === 'LoadBalancer' ? 'no address yet' : undefined)
    );
  }
  const { phase, progress, printableStatus } = fields(status);
  const said = [text(phase, 64) ?? text(printableStatus, 64), text(progress, 16)].filter(
    (one) => one !== undefined && one !== 'N/A',
  );
  return said.length === 0 ? undefined : said.join(', ');
}
