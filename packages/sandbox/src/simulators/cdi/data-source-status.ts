/** Derives whether a DataSource can be used, and which source it resolves to. */
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { Condition } from '../kubevirt/objects.ts';
import { withCondition, type Saying } from './conditions.ts';
import { sourceOf } from './origin.ts';

export interface DataSourceContext {
  /** The phase of a DataVolume; undefined if it does not exist. */
  readonly phaseOf: (namespace: string, name: string) => string | undefined;
  readonly hasClaim: (namespace: string, name: string) => boolean;
  /** Undefined if there is no such snapshot. */
  readonly isSnapshotReady: (namespace: string, name: string) => boolean | undefined;
  readonly dataSource: (namespace: string, name: string) => Unstructured | undefined;
}

const ready: Saying = { status: 'True', reason: 'Ready', message: 'DataSource is ready to be consumed' };
const not = (reason: string, message: string): Saying => ({ status: 'False', reason, message });

export function dataSourceStatus(dataSource: Unstructured, around: DataSourceContext, now: Date): JsonObject {
  const { source, saying } = judged(dataSource, around, false);
  const before = dataSource['status'] as Json | undefined;
  const conditions = (isObject(before) ? (before['conditions'] ?? []) : []) as unknown as readonly Condition[];
  return {
    conditions: withCondition(conditions, 'Ready', saying, now) as unknown as Json[],
    ...(source === undefined ? {} : { source }),
  };
}

interface Judged {
  readonly source?: JsonObject;
  readonly saying: Saying;
}

function judged(dataSource: Unstructured, around: DataSourceContext, isPointedAt: boolean): Judged {
  const { namespace = '' } = dataSource.metadata;
  const source = sourceOf(dataSource);
  const at = (one: JsonObject): readonly [string, string] => [
    textAt(one, 'namespace') || namespace,
    textAt(one, 'name'),
  ];
  const pvc = objectAt(source, 'pvc');
  if (pvc !== undefined) return { source: { pvc }, saying: ofClaim(around, ...at(pvc)) };
  const snapshot = objectAt(source, 'snapshot');
  if (snapshot !== undefined) return { source: { snapshot }, saying: ofSnapshot(around, ...at(snapshot)) };
  const next = objectAt(source, 'dataSource');
  if (next === undefined) return { saying: not('NoSource', 'No source PVC set') };
  if (isPointedAt)
    return {
      saying: not('MaxReferenceDepthReached', 'DataSource cannot reference another DataSource that is a reference'),
    };
  const found = around.dataSource(...at(next));
  return found === undefined ? { saying: not('NotFound', 'DataSource not found') } : judged(found, around, true);
}

function ofClaim({ phaseOf, hasClaim }: DataSourceContext, namespace: string, name: string): Saying {
  const phase = phaseOf(namespace, name);
  if (phase === 'Succeeded') return ready;
  if (phase !== undefined) return not(phase, `Import DataVolume phase ${phase}`);
  return hasClaim(namespace, name) ? ready : not('NotFound', 'PVC not found');
}

function ofSnapshot({ isSnapshotReady }: DataSourceContext, namespace: string, name: string): Saying {
  const isReady = isSnapshotReady(namespace, name);
  if (isReady === undefined) return not('NotFound', 'Snapshot not found');
  return isReady ? ready : not('SnapshotNotReady', 'Snapshot phase is not ready');
}
