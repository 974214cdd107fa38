/**
 * The whole table of placement: zero, one and several KubevirtConfigs, with every input that can decide, and the result
 * or the exact message.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { place, type Candidate, type MachineToPlace, type Placement, type PlacementQuestion } from './placement.ts';
import type { VmSearchResult } from './vm-search-result.ts';

const up = (name: string): Candidate => ({ name, usable: true });
const down = (name: string): Candidate => ({ name, usable: false, message: 'it is down' });
const leaving = (name: string): Candidate => ({ name, usable: true, leaving: true });

const none: readonly Candidate[] = [];
const one = [up('east')];
const three = [up('west'), up('east'), up('north')];

const web: MachineToPlace = { name: 'web', namespace: 'team-a', uid: 'u-1', adopt: false };
const adopts: MachineToPlace = { ...web, adopt: true };

const absent: VmSearchResult = { kind: 'absent' };
const ours: VmSearchResult = { kind: 'ours' };
const foreign: VmSearchResult = { kind: 'foreign' };
const silent = (message: string): VmSearchResult => ({ kind: 'unknown', message });
const saw = (east: VmSearchResult, north: VmSearchResult, west: VmSearchResult): ReadonlyMap<string, VmSearchResult> =>
  new Map(Object.entries({ east, north, west }));

interface Case {
  readonly it: string;
  readonly machine?: MachineToPlace;
  readonly with: Partial<PlacementQuestion>;
  /** `cluster by rule`, `search a, b`, or `Reason: the exact message`. */
  readonly gives: string;
}

const wayOut = 'name the cluster in spec.kubevirtConfigRef or in the annotation vitistack.io/kubevirt-config';

const noneAvailable =
  'NoKubevirtConfigs: Machine has no KubevirtConfig reference and no KubevirtConfigs are available: create at least one KubevirtConfig ' +
  'in namespace "kubevirt-configs", with a Secret that holds the kubeconfig. With a single one, Machines use it without naming it';
const conflicts =
  'PlacementConflict: spec.kubevirtConfigRef is "east" and the annotation vitistack.io/kubevirt-config is "west": ' +
  'a Machine runs on one cluster. Make them the same, or remove one of them';
const unknown = (name: string, where: string, available: string): string =>
  `KubevirtConfigNotFound: Failed to get KubeVirt client for machine: KubevirtConfig "${name}" (${where}) is not found in namespace ` +
  `"kubevirt-configs"; ${available}. Create it, or name another`;
const isLeaving = (name: string): string =>
  `ClusterUnavailable: Failed to get KubeVirt client for machine: KubevirtConfig "${name}" is being deleted, and nothing new is placed there. ` +
  `Wait until it is gone and create it again, or ${wayOut}`;
const undetermined =
  'PlacementAmbiguous: Machine has no KubevirtConfig reference and 3 configs are available - cannot determine placement: VirtualMachine ' +
  '"team-a/vm-web" exists in none of east, north, west. Add the annotation vitistack.io/kubevirt-config: <name> or spec.kubevirtConfigRef with one of ' +
  'them, or set DEFAULT_KUBEVIRT_CONFIG for all Machines';
const inSeveral = (clusters: string): string =>
  `PlacementAmbiguous: Machine has no KubevirtConfig reference and VirtualMachine "team-a/vm-web" exists in 2 clusters, ${clusters} ` +
  `- cannot determine placement: ${wayOut}, or delete those that are not wanted`;
const unanswered = (whys: string, pronoun = 'it'): string =>
  `ClusterUnavailable: Failed to get VirtualMachine from remote cluster: ${whys}. VirtualMachine "team-a/vm-web" may exist there, and a ` +
  `cluster that does not answer is not one that has none. Bring ${pronoun} back, or ${wayOut}`;
const notAdopted = (clusters: string): string =>
  'AdoptionRefused: Machine has no KubevirtConfig reference and VirtualMachine "team-a/vm-web" exists in ' +
  `${clusters}, which was not created for it. Set the annotation vitistack.io/adopt: "true" to take it over, or ${wayOut} to create a new one elsewhere`;
const localServesNone = (where: string, available: string): string =>
  `KubevirtConfigNotFound: Failed to get KubeVirt client for machine: the supervisor's own cluster "local" (${where}) serves no KubeVirt; ` +
  `${available}. Install KubeVirt there, or name another`;

const byField = 'spec.kubevirtConfigRef';
const byAnnotation = 'annotation vitistack.io/kubevirt-config';
const byDefault = 'DEFAULT_KUBEVIRT_CONFIG';

const sets: readonly Case[] = [
  // No KubevirtConfig.
  { it: 'nothing to choose from', with: { configs: none }, gives: noneAvailable },
  {
    it: 'only the supervisor, which serves KubeVirt',
    with: { configs: none, localServes: true },
    gives: 'local by single',
  },
  {
    it: 'an annotation, and no KubevirtConfig',
    machine: { ...web, annotation: 'east' },
    with: { configs: none },
    gives: unknown('east', byAnnotation, 'there are no KubevirtConfigs'),
  },
  {
    it: 'an annotation, no KubevirtConfig, and a supervisor that could run it but is not what was named',
    machine: { ...web, annotation: 'east' },
    with: { configs: none, localServes: true },
    gives: unknown('east', byAnnotation, 'there are no KubevirtConfigs'),
  },
  {
    it: 'a field, and no KubevirtConfig',
    machine: { ...web, field: 'east' },
    with: { configs: none },
    gives: unknown('east', byField, 'there are no KubevirtConfigs'),
  },
  {
    it: 'a default, and no KubevirtConfig',
    with: { configs: none, defaultConfig: 'east' },
    gives: unknown('east', byDefault, 'there are no KubevirtConfigs'),
  },
  {
    it: 'a conflict, whatever there is',
    machine: { ...web, field: 'east', annotation: 'west' },
    with: { configs: none },
    gives: conflicts,
  },
  {
    it: 'placed before, and its KubevirtConfig is gone',
    machine: { ...web, status: 'east' },
    with: { configs: none },
    gives: 'east by status',
  },

  // One.
  { it: 'the only one, by itself', with: { configs: one }, gives: 'east by single' },
  {
    it: 'the only one, where the supervisor serves KubeVirt too',
    with: { configs: one, localServes: true },
    gives: 'east by single',
  },
  { it: 'the only one, though it is down', with: { configs: [down('east')] }, gives: 'east by single' },
  { it: 'the only one, which is being deleted', with: { configs: [leaving('east')] }, gives: isLeaving('east') },
  {
    it: 'the only one, by annotation',
    machine: { ...web, annotation: 'east' },
    with: { configs: one },
    gives: 'east by annotation',
  },
  { it: 'the only one, by field', machine: { ...web, field: 'east' }, with: { configs: one }, gives: 'east by field' },
  { it: 'the only one, by default', with: { configs: one, defaultConfig: 'east' }, gives: 'east by default' },
  {
    it: 'one, and an annotation that names another',
    machine: { ...web, annotation: 'mars' },
    with: { configs: one },
    gives: unknown('mars', byAnnotation, 'available are east'),
  },
  {
    it: 'one, and a field that names another',
    machine: { ...web, field: 'mars' },
    with: { configs: one },
    gives: unknown('mars', byField, 'available are east'),
  },
  {
    it: 'one, and a default that names another',
    with: { configs: one, defaultConfig: 'mars' },
    gives: unknown('mars', byDefault, 'available are east'),
  },
  {
    it: 'one, and a conflict',
    machine: { ...web, field: 'east', annotation: 'west' },
    with: { configs: one },
    gives: conflicts,
  },
  { it: 'one, and a status', machine: { ...web, status: 'east' }, with: { configs: one }, gives: 'east by status' },

  // Several.
  { it: 'several: they are asked', with: { configs: three }, gives: 'search east, north, west' },
  {
    it: 'several, and the supervisor serves KubeVirt: it is not asked',
    with: { configs: three, localServes: true },
    gives: 'search east, north, west',
  },
  {
    it: 'several, by annotation',
    machine: { ...web, annotation: 'west' },
    with: { configs: three },
    gives: 'west by annotation',
  },
  {
    it: 'several, by annotation, and that one is down',
    machine: { ...web, annotation: 'west' },
    with: { configs: [down('west'), ...one] },
    gives: 'west by annotation',
  },
  {
    it: 'several, by annotation, and that one is being deleted',
    machine: { ...web, annotation: 'west' },
    with: { configs: [leaving('west'), ...one] },
    gives: isLeaving('west'),
  },
  { it: 'several, by field', machine: { ...web, field: 'west' }, with: { configs: three }, gives: 'west by field' },
  { it: 'several, by default', with: { configs: three, defaultConfig: 'north' }, gives: 'north by default' },
  {
    it: 'the annotation before the default',
    machine: { ...web, annotation: 'west' },
    with: { configs: three, defaultConfig: 'north' },
    gives: 'west by annotation',
  },
  {
    it: 'the field before the default',
    machine: { ...web, field: 'west' },
    with: { configs: three, defaultConfig: 'north' },
    gives: 'west by field',
  },
  {
    it: 'field and annotation that agree',
    machine: { ...web, field: 'west', annotation: 'west' },
    with: { configs: three },
    gives: 'west by field',
  },
  {
    it: 'field and annotation that do not',
    machine: { ...web, field: 'east', annotation: 'west' },
    with: { configs: three, defaultConfig: 'north' },
    gives: conflicts,
  },
  {
    it: 'a status before a conflict: a placed machine never moves',
    machine: { ...web, status: 'north', field: 'east', annotation: 'west' },
    with: { configs: three, defaultConfig: 'east' },
    gives: 'north by status',
  },
  {
    it: 'a status before what is found elsewhere',
    machine: { ...web, status: 'north' },
    with: { configs: three, searchResults: saw(ours, absent, absent) },
    gives: 'north by status',
  },
  {
    it: 'an annotation that names none of several',
    machine: { ...web, annotation: 'mars' },
    with: { configs: three },
    gives: unknown('mars', byAnnotation, 'available are east, north, west'),
  },
  {
    it: 'a default that names none of several',
    with: { configs: three, defaultConfig: 'mars' },
    gives: unknown('mars', byDefault, 'available are east, north, west'),
  },
  {
    it: 'an empty annotation, field, status and default name nothing',
    machine: { ...web, annotation: '', field: '', status: '' },
    with: { configs: three, defaultConfig: '' },
    gives: 'search east, north, west',
  },

  // The own cluster, by name.
  {
    it: 'local by annotation, beside others',
    machine: { ...web, annotation: 'local' },
    with: { configs: three, localServes: true },
    gives: 'local by annotation',
  },
  {
    it: 'local by field',
    machine: { ...web, field: 'local' },
    with: { configs: one, localServes: true },
    gives: 'local by field',
  },
  {
    it: 'local by default',
    with: { configs: one, localServes: true, defaultConfig: 'local' },
    gives: 'local by default',
  },
  {
    it: 'local by annotation, where it serves no KubeVirt',
    machine: { ...web, annotation: 'local' },
    with: { configs: one },
    gives: localServesNone(byAnnotation, 'available are east'),
  },
  {
    it: 'local by default, where it serves no KubeVirt and there is nothing else',
    with: { configs: none, defaultConfig: 'local' },
    gives: localServesNone(byDefault, 'there are no KubevirtConfigs'),
  },

  // What the clusters answered.
  {
    it: 'the VM is in one cluster and is ours',
    with: { configs: three, searchResults: saw(absent, ours, absent) },
    gives: 'north by search',
  },
  {
    it: 'the VM is in a cluster that is being deleted, and is ours: it stays there',
    with: { configs: [leaving('east'), up('west')], searchResults: saw(ours, absent, absent) },
    gives: 'east by search',
  },
  {
    it: 'the VM is nowhere, and all clusters but one are being deleted',
    with: { configs: [leaving('east'), up('west')], searchResults: saw(absent, absent, absent) },
    gives: 'west by single',
  },
  {
    it: 'the VM is nowhere, and all clusters are being deleted',
    with: { configs: [leaving('east'), leaving('west')], searchResults: saw(absent, absent, absent) },
    gives: isLeaving('east'),
  },
  {
    it: 'the VM is ours in one cluster while another does not answer',
    with: { configs: three, searchResults: saw(silent('no answer in time'), ours, absent) },
    gives: 'north by search',
  },
  {
    it: 'the VM is ours in one cluster, and a stranger has its name in another',
    with: { configs: three, searchResults: saw(foreign, ours, absent) },
    gives: 'north by search',
  },
  {
    it: 'the same, for one that may adopt: what is ours comes first',
    machine: adopts,
    with: { configs: three, searchResults: saw(foreign, ours, absent) },
    gives: 'north by search',
  },
  {
    it: 'the VM is ours in two clusters',
    with: { configs: three, searchResults: saw(ours, absent, ours) },
    gives: inSeveral('east, west'),
  },
  {
    it: 'the VM is ours in two clusters, and a third does not answer',
    with: { configs: three, searchResults: saw(ours, silent('no answer in time'), ours) },
    gives: inSeveral('east, west'),
  },
  { it: 'found nowhere', with: { configs: three, searchResults: saw(absent, absent, absent) }, gives: undetermined },
  {
    it: 'found nowhere, for one that may adopt',
    machine: adopts,
    with: { configs: three, searchResults: saw(absent, absent, absent) },
    gives: undetermined,
  },
  {
    it: 'found nowhere, and one cluster does not answer',
    with: { configs: three, searchResults: saw(absent, silent('no answer in time'), absent) },
    gives: unanswered('north (no answer in time)'),
  },
  {
    it: 'found nowhere, and two do not answer',
    with: { configs: three, searchResults: saw(silent('no answer in time'), silent('401'), absent) },
    gives: unanswered('east (no answer in time); north (401)', 'them'),
  },
  {
    it: 'a KubevirtConfig that came while they were asked',
    with: { configs: [...one, up('west')], searchResults: new Map([['east', absent]]) },
    gives: unanswered('west (it has not been asked)'),
  },
  {
    it: 'a stranger has the name',
    with: { configs: three, searchResults: saw(absent, foreign, absent) },
    gives: notAdopted('north'),
  },
  {
    it: 'strangers have the name in two clusters',
    with: { configs: three, searchResults: saw(foreign, foreign, absent) },
    gives: notAdopted('east, north'),
  },
  {
    it: 'a stranger has the name, and another cluster, which may hold ours, does not answer',
    with: { configs: three, searchResults: saw(silent('no answer in time'), foreign, absent) },
    gives: unanswered('east (no answer in time)'),
  },
  {
    it: 'a stranger that may be adopted',
    machine: adopts,
    with: { configs: three, searchResults: saw(absent, foreign, absent) },
    gives: 'north by search',
  },
  {
    it: 'a stranger that may be adopted, in a cluster that is being deleted',
    machine: adopts,
    with: { configs: [leaving('east'), up('west')], searchResults: saw(foreign, absent, absent) },
    gives: isLeaving('east'),
  },
  {
    it: 'two that may be adopted',
    machine: adopts,
    with: { configs: three, searchResults: saw(foreign, foreign, absent) },
    gives: inSeveral('east, north'),
  },
  {
    it: 'one that may be adopted, while a cluster that may hold ours does not answer',
    machine: adopts,
    with: { configs: three, searchResults: saw(silent('no answer in time'), foreign, absent) },
    gives: unanswered('east (no answer in time)'),
  },
];

describe('placement', () => {
  for (const { it, machine = web, with: given, gives } of sets)
    test(it, () => {
      const question = { machine, configs: none, configsNamespace: 'kubevirt-configs', localServes: false, ...given };
      assert.equal(inWords(place(question)), gives);
    });

  test('the order of the KubevirtConfigs decides nothing', () => {
    const searchResults = saw(absent, ours, foreign);
    for (const configs of [three, three.toReversed()])
      assert.deepEqual(place({ machine: web, configs, localServes: false, searchResults }), {
        kind: 'placed',
        config: 'north',
        by: 'search',
      });
  });
});

function inWords(placement: Placement): string {
  switch (placement.kind) {
    case 'placed':
      return `${placement.config} by ${placement.by}`;
    case 'search':
      return `search ${placement.among.join(', ')}`;
    case 'refused':
      return `${placement.problem.reason}: ${placement.problem.message}`;
  }
}
