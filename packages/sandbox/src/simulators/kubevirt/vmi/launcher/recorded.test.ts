/**
 * Compares our launcher pods with those that the real virt-controller rendered for the same VMIs. Needs the recordings.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../../../values/json.ts';
import { isObject } from '../../../../values/json.ts';
import { missingRecordings, readScenario, scenarioIds } from '../../../../../../../test/kubevirt/transcripts.ts';
import type { PersistentVolumeClaim, Pod, VirtualMachineInstance } from '../../objects.ts';
import { hotplugVolumes } from '../hotplug.ts';
import { renderAttachmentPod } from './attachment-pod.ts';
import { renderLauncherPod } from './pod.ts';
import { defaultSurroundings } from './resources.ts';

const skip = missingRecordings();

interface RecordedPod {
  readonly pod: JsonObject;
  readonly vmi: VirtualMachineInstance;
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
}

/** Every launcher pod of a scenario that is no migration target, with the VMI at that time. */
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

/** Defaults that an API server adds to every pod. */
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

/** The API server mounts this token, not virt-controller. */
function withoutToken(pod: JsonObject): JsonObject {
  const spec = pod['spec'] as JsonObject;
  const mine = (list: Json | undefined): Json[] =>
    (list as JsonObject[]).filter(({ name }) => !String(name).startsWith('kube-api-access'));
  const containers = (spec['containers'] as JsonObject[]).map((container) => ({
    ...container,
    volumeMounts: mine(container['volumeMounts']),
  }));
  const { restartPolicy: _, securityContext: __, enableServiceLinks: ___, ...rest } = spec;
  return { ...pod, spec: { ...rest, containers, volumes: mine(spec['volumes']) } };
}

for (const id of ['storage/hotplug-declarative', 'storage/memorydump'])
  test(`the attachment pod of ${id} is rendered as it was`, { skip: skip ?? false }, () => {
    const live = new Map<string, JsonObject>();
    for (const { kind, name, type, after } of readScenario(id).steps.flatMap(({ events }) => events)) {
      live.set(`${kind}/${name}`, after);
      if (kind !== 'Pod' || type !== 'ADDED' || !name.startsWith('hp-volume-')) continue;
      const vmi = live.get('VirtualMachineInstance/vm1') as unknown as VirtualMachineInstance;
      const launcher = live.get('Pod/virt-launcher-vm1-<gen#1>') as unknown as Pod;
      const claim = (of: string): PersistentVolumeClaim => live.get(`PersistentVolumeClaim/${of}`) as never;
      const rendered = renderAttachmentPod(
        vmi,
        launcher,
        hotplugVolumes(vmi, launcher),
        claim,
      ) as unknown as JsonObject;
      const { metadata } = after as { readonly metadata: JsonObject };
      const expected = comparable(withoutToken({ ...after, metadata }));
      const containers = (expected['spec'] as { readonly containers: JsonObject[] }).containers;
      for (const container of containers) delete container['imagePullPolicy'];
      assert.deepEqual(comparable(withoutToken(rendered)), expected);
      return;
    }
    assert.fail('no attachment pod was recorded');
  });
