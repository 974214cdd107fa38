/**
 * A live migration as the virt-handlers of both nodes write it: the target is ready, the source starts, the target sees
 * the domain, takes it over and reports completion; or the source reports a failure.
 */
import type { JsonObject } from '../../../values/json.ts';
import { textAt } from '../../../objects/kinds/values/fields.ts';
import { conditionOf as podConditionOf } from '../pod-status.ts';
import { conditionsWithout, conditionOf, wait, type Happening, type Scene, type DomainStep } from './step.ts';

const STEP_MS = 500;

export function isMigrating({ vmi }: Pick<Scene, 'vmi'>): boolean {
  const state = vmi.status?.migrationState;
  return state !== undefined && state['completed'] !== true && textAt(state, 'targetNode') !== '';
}

export function migrate(scene: Scene): DomainStep {
  const state = scene.vmi.status?.migrationState ?? {};
  const uid = textAt(state, 'migrationUid');
  const source = textAt(state, 'sourceNode');
  const target = textAt(state, 'targetNode');
  const has = (field: string): boolean => state[field] !== undefined && state[field] !== null;
  const after = (stage: string, ms: number, step: () => DomainStep, since?: string): DomainStep => {
    const left = scene.left(`${stage}-${uid}`, ms, since);
    return left > 0 ? wait(left) : step();
  };
  const write = (node: string, changes: JsonObject): DomainStep => ({
    kind: 'write',
    node,
    status: { migrationState: { ...state, ...changes } },
  });
  if (state['abortRequested'] === true && has('startTimestamp') && !has('endTimestamp'))
    return write(source, {
      abortStatus: 'Succeeded',
      ...failure(scene.now, 'Live migration aborted by user'),
    });
  if (!has('targetNodeAddress')) {
    if (scene.targetPod?.status?.phase !== 'Running') return undefined;
    return after('target', STEP_MS, () => {
      const address = scene.addressOf(target);
      return write(target, {
        targetDirectMigrationNodePorts: { '40001': 0 },
        targetNodeAddress: address,
        targetState: { ...(state['targetState'] as JsonObject | undefined), nodeAddress: address },
      });
    });
  }
  if (!has('startTimestamp'))
    return after('source', STEP_MS, () => write(source, { mode: 'PreCopy', startTimestamp: scene.now }));
  const started = textAt(state, 'startTimestamp');
  const { migrationMs } = scene.dials;
  if (!has('targetNodeDomainReadyTimestamp')) {
    if (scene.hasFault('migration-fails'))
      return after('failure', migrationMs / 2, () => write(source, failure(scene.now, FAILURE)), started);
    return after(
      'copy',
      migrationMs,
      () => write(target, { targetNodeDomainDetected: true, targetNodeDomainReadyTimestamp: scene.now }),
      started,
    );
  }
  if (!has('endTimestamp')) return after('takeover', STEP_MS, () => takeOver(scene, state, source, target));
  const ready = scene.targetPod !== undefined && podConditionOf(scene.targetPod, 'Ready')?.status === 'True';
  return after('finish', ready ? 0 : 10 * STEP_MS, () => finish(scene, state, target));
}

const FAILURE = 'Live migration failed error: operation failed: job unexpectedly failed';

function failure(now: string, failureReason: string): JsonObject {
  return { completed: true, endTimestamp: now, failed: true, failureReason };
}

function takeOver(scene: Scene, state: JsonObject, source: string, target: string): DomainStep {
  const migrated: Happening = {
    type: 'Normal',
    reason: 'Migrated',
    message: `The VirtualMachineInstance migrated to node ${target}.`,
    host: source,
  };
  return {
    kind: 'write',
    node: target,
    labels: { 'kubevirt.io/nodeName': target },
    status: {
      // The VMI has left the node.
      evacuationNodeName: undefined,
      launcherContainerImageVersion: undefined,
      migrationState: { ...state, endTimestamp: scene.now },
      nodeName: target,
    },
    after: [migrated],
  };
}

/** Changes of CPUs and memory that were requested on the source take effect on the target. */
function finish({ vmi }: Scene, state: JsonObject, target: string): DomainStep {
  let conditions = vmi.status?.conditions ?? [];
  const changes: Record<string, unknown> = {};
  const cpu = vmi.spec.domain['cpu'] as JsonObject | undefined;
  if (conditionOf(vmi, 'HotVCPUChange') !== undefined && cpu !== undefined) {
    changes['currentCPUTopology'] = {
      cores: cpu['cores'] ?? 1,
      sockets: cpu['sockets'] ?? 1,
      threads: cpu['threads'] ?? 1,
    };
    conditions = conditionsWithout(vmi, 'HotVCPUChange');
  }
  const memory = vmi.status?.['memory'] as JsonObject | undefined;
  const guest = (vmi.spec.domain['memory'] as JsonObject | undefined)?.['guest'];
  if (conditionOf(vmi, 'HotMemoryChange') !== undefined && memory !== undefined && guest !== undefined) {
    changes['memory'] = { ...memory, guestCurrent: guest, guestRequested: guest };
    conditions = conditions.filter(({ type }) => type !== 'HotMemoryChange');
  }
  if (conditions !== vmi.status?.conditions) changes['conditions'] = conditions;
  return {
    kind: 'write',
    node: target,
    status: { ...changes, migrationState: { ...state, completed: true } },
  };
}
