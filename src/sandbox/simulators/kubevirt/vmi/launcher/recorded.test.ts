/** The pods that we render beside those that the real virt-controller made of the same VMIs. Needs the recordings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../../../json.ts';
import { isObject } from '../../../../json.ts';
import { missingRecordings, readScenario, scenarioIds } from '../../../../../../test/kubevirt/transcripts.ts';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../objects.ts';
import { renderLauncherPod } from './pod.ts';
import { defaultSurroundings } from './resources.ts';

const skip = missingRecordings();

interface RecordedPod {
  readonly pod: JsonObject;
  readonly vmi: VirtualMachineInstance;
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
}

/** Every launcher pod of a scenario that is no migration's, with the VMI as it was then. */
function launcherPods(id: string): RecordedPod[] {
  const found: RecordedPod[] = [];
  const vmis = new Map<string, VirtualMachineInstance>();
  const claims = new Map<string, PersistentVolumeClaim>();
  for (const { kind, name, type, after } of readScenario(id).steps.flatMap(({ events }) => events)) {
    if (kind === 'VirtualMachineInstance') vmis.set(name, after as unknown as VirtualMachineInstance);
    if (kind === 'PersistentVolumeClaim') claims.set(name, after as unknown as PersistentVolumeClaim);
    if (kind !== 'Pod' || type !== 'ADDED') continue;
    const metadata = after['metadata'] as {
      readonly labels?: Record<string, string>;
      readonly annotations?: JsonObject;
    };
    const vmi = vmis.get(String(metadata.annotations?.['kubevirt.io/domain']));
    if (vmi === undefined || metadata.labels?.['kubevirt.io/migrationJobUID'] !== undefined) continue;
    found.push({ pod: after, vmi, claims: new Map(claims) });
  }
  return found;
}

/** What an API server adds to any pod. */
const defaults: Readonly<Record<string, Json>> = {
  terminationMessagePath: '/dev/termination-log',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  priority: 0,
  preemptionPolicy: 'PreemptLowerPriority',
  serviceAccount: 'default',
  serviceAccountName: 'default',
  defaultMode: 420,
};

function withoutDefaults(value: Json, key = ''): Json {
  if (Array.isArray(value)) {
    if (key === 'tolerations')
      return value.filter((item) => !String((item as JsonObject)['key']).startsWith('node.kubernetes.io/'));
    return value.map((item) => withoutDefaults(item));
  }
  if (!isObject(value)) return typeof value === 'string' ? value.replace(/^\d+s$/, '<random 240-360s>') : value;
  const kept = Object.entries(value).flatMap(([name, item]) => {
    if (item === undefined || defaults[name] === item) return [];
    if (name === 'terminationMessagePolicy' && item === 'File') return [];
    if (key === 'fieldRef' && name === 'apiVersion') return [];
    const clean = withoutDefaults(item, name);
    return Array.isArray(clean) && clean.length === 0 ? [] : [[name, clean] as const];
  });
  return Object.fromEntries(kept);
}

function comparable({ metadata, spec }: JsonObject): JsonObject {
  const { generateName, labels, annotations, ownerReferences } = metadata as JsonObject;
  const name = String(generateName).replace('<gen>', 'b'.repeat(5));
  return withoutDefaults({
    metadata: { generateName: name, labels, annotations, ownerReferences },
    spec,
  }) as JsonObject;
}

const scenarios = skip === undefined ? scenarioIds() : [];

test('every launcher pod of the recordings is rendered as it was, field by field', { skip: skip ?? false }, () => {
  let compared = 0;
  for (const id of scenarios)
    for (const { pod, vmi, claims } of launcherPods(id)) {
      const temporary = JSON.stringify(pod).includes('ephemeral-provisioning');
      const limited = id === 'vm/quota-limits';
      const rendered = renderLauncherPod(vmi, {
        claim: (name) => claims.get(name),
        temporary,
        surroundings: { ...defaultSurroundings, limited: { cpu: limited, memory: limited } },
      });
      assert.deepEqual(comparable(rendered as unknown as JsonObject), comparable(pod), id);
      compared++;
    }
  assert.ok(compared > 100, `${compared} pods were compared`);
});
