/**
 * Decides on which cluster a Machine runs: its current placement, else the cluster that it names, else the default,
 * else the only cluster, else the cluster where its VM is found. A guess could create a second VM beside the first, so
 * any doubt is refused with an explanation.
 */
import { annotations, type MachineProblem } from '../../kubevirt/machine/resource.ts';
import { localName } from '../kubevirtconfig/kubevirt-config.ts';
import {
  adoptionRefused,
  cannotDetermine,
  conflict,
  foundInSeveral,
  leavingConfig,
  localServesNothing,
  noConfigs,
  notAnswered,
  unknownConfig,
} from './placement-problems.ts';
import type { VmSearchResult } from './vm-search-result.ts';

export interface MachineToPlace {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Whether an existing VirtualMachine with its name and without owner may be adopted. */
  readonly adopt: boolean;
  /** spec.kubevirtConfigRef */
  readonly field?: string | undefined;
  readonly annotation?: string | undefined;
  /** status.kubevirtConfigRef */
  readonly status?: string | undefined;
}

export interface Candidate {
  readonly name: string;
  /**
   * Whether the cluster can be reached now. An unreachable cluster may still be chosen by name: the VM is created when
   * it is back.
   */
  readonly usable: boolean;
  /** Why it cannot. */
  readonly message?: string | undefined;
  /** The KubevirtConfig is being deleted: no new VM goes there. */
  readonly leaving?: boolean;
}

export interface PlacementQuestion {
  readonly machine: MachineToPlace;
  /** DEFAULT_KUBEVIRT_CONFIG */
  readonly defaultConfig?: string | undefined;
  readonly configs: readonly Candidate[];
  /** The namespace of the KubevirtConfigs, for messages. */
  readonly configsNamespace?: string | undefined;
  /**
   * The supervisor serves KubeVirt itself. It is chosen only if it is named, or if there is no KubevirtConfig at all.
   */
  readonly localServes: boolean;
  /** What the clusters answered; a cluster that is not in it has not been asked. */
  readonly searchResults?: ReadonlyMap<string, VmSearchResult> | undefined;
}

export type PlacedBy = 'status' | 'field' | 'annotation' | 'default' | 'single' | 'search';

export type Placement =
  | { readonly kind: 'placed'; readonly config: string; readonly by: PlacedBy }
  /** Search these clusters (see vm-search.ts), then call again with the result. */
  | { readonly kind: 'search'; readonly among: readonly string[] }
  | { readonly kind: 'refused'; readonly problem: MachineProblem };

export function place(question: PlacementQuestion): Placement {
  const { machine, defaultConfig, configs } = question;
  const { status, field, annotation } = machine;
  // A placed VM never moves, whatever happens to the cluster: its disks are there.
  if (isSet(status)) return placed(status, 'status');
  if (isSet(field) && isSet(annotation) && field !== annotation) return refused(conflict(field, annotation));
  if (isSet(field)) return named(question, field, 'field', 'spec.kubevirtConfigRef');
  if (isSet(annotation)) return named(question, annotation, 'annotation', `annotation ${annotations.kubevirtConfig}`);
  if (isSet(defaultConfig)) return named(question, defaultConfig, 'default', 'DEFAULT_KUBEVIRT_CONFIG');
  const [first, ...others] = configs;
  if (first === undefined)
    return question.localServes ? placed(localName, 'single') : refused(noConfigs(question.configsNamespace));
  return others.length === 0 ? settle(first, 'single') : search(question);
}

/** An empty string counts as unset: `kubectl annotate … vitistack.io/kubevirt-config=` is a way to clear it. */
const isSet = (name: string | undefined): name is string => name !== undefined && name !== '';

const placed = (config: string, by: PlacedBy): Placement => ({ kind: 'placed', config, by });
const refused = (problem: MachineProblem): Placement => ({ kind: 'refused', problem });

function named(question: PlacementQuestion, name: string, by: PlacedBy, where: string): Placement {
  const { configs, localServes, configsNamespace } = question;
  const found = configs.find((config) => config.name === name);
  if (found !== undefined) return settle(found, by);
  if (name !== localName) return refused(unknownConfig(name, where, namesOf(configs), configsNamespace));
  return localServes ? placed(localName, by) : refused(localServesNothing(where, namesOf(configs)));
}

function settle({ name, leaving = false }: Candidate, by: PlacedBy): Placement {
  return leaving ? refused(leavingConfig(name)) : placed(name, by);
}

function search({ machine, configs, searchResults }: PlacementQuestion): Placement {
  const among = namesOf(configs);
  if (searchResults === undefined) return { kind: 'search', among };
  const seen = (kind: VmSearchResult['kind']): string[] =>
    among.filter((name) => (searchResults.get(name) ?? unasked).kind === kind);
  const [ours, foreign, unknown] = [seen('ours'), seen('foreign'), seen('unknown')];
  const [only, ...more] = ours;
  if (more.length > 0) return refused(foundInSeveral(machine, ours));
  // It has our uid, so the answers of the other clusters do not matter.
  if (only !== undefined) return placed(only, 'search');
  // The VM may be in a cluster that did not answer, so one found elsewhere must not be adopted instead.
  if (unknown.length > 0) return refused(notAnswered(machine, unknown.map(explained(configs, searchResults))));
  const [stranger, ...strangers] = foreign;
  if (stranger === undefined) return onlyStaying(machine, configs);
  if (!machine.adopt) return refused(adoptionRefused(machine, foreign));
  if (strangers.length > 0) return refused(foundInSeveral(machine, foreign));
  const config = configs.find(({ name }) => name === stranger);
  return config === undefined ? placed(stranger, 'search') : settle(config, 'search');
}

/** The VM exists nowhere. A KubevirtConfig that is being deleted is no candidate for a new one. */
function onlyStaying(machine: MachineToPlace, configs: readonly Candidate[]): Placement {
  const staying = configs.filter(({ leaving = false }) => !leaving);
  const [first, ...others] = staying;
  if (first !== undefined)
    return others.length === 0 ? settle(first, 'single') : refused(cannotDetermine(machine, namesOf(staying)));
  const [leaving = ''] = namesOf(configs);
  return refused(leavingConfig(leaving));
}

const unasked: VmSearchResult = { kind: 'unknown', message: 'it has not been asked' };

const namesOf = (configs: readonly Candidate[]): string[] => configs.map(({ name }) => name).toSorted();

const explained =
  (configs: readonly Candidate[], searchResults: ReadonlyMap<string, VmSearchResult>) =>
  (name: string): { readonly name: string; readonly why: string } => {
    const result = searchResults.get(name) ?? unasked;
    const config = configs.find((one) => one.name === name);
    const why = result.kind === 'unknown' ? result.message : (config?.message ?? unasked.message);
    return { name, why };
  };
