/** On which cluster a Machine runs, and who speaks for that cluster. */
import { witnesses, type MachineDefect } from '../defect.ts';

const rules = 'fleet/placement.ts';
const placement = witnesses('fleet/placement.test.ts', 'the only one, by itself', { alone: true });
const search = witnesses('test/fleet/search.test.ts', 'what bears the uid of the Machine is found, wherever it is');
const reporters = witnesses(
  'test/fleet/reporters.test.ts',
  'without the Lease two that see different things write again and again, and that would be seen here',
);
const running = witnesses('controllers/machine/process.test.ts', 'it is ready and holds the Lease', { alone: true });

const ruleDefects: readonly MachineDefect[] = [
  {
    name: 'a cluster that does not answer has none',
    file: rules,
    find: 'if (unknown.length > 0) return',
    replace: 'if (unknown.length > among.length) return',
    noticedBy: placement('found nowhere, and one cluster does not answer'),
  },
  {
    name: 'what is adopted may be in the cluster that does not answer',
    file: rules,
    find: 'if (unknown.length > 0) return',
    replace: 'if (unknown.length > 0 && !machine.adopt) return',
    noticedBy: placement('one that may be adopted, while a cluster that may hold ours does not answer'),
  },
  {
    name: 'the first of two that are found wins',
    file: rules,
    find: 'if (more.length > 0) return',
    replace: 'if (more.length > among.length) return',
    noticedBy: placement('the VM is ours in two clusters'),
  },
  {
    name: 'the first of two strangers is adopted',
    file: rules,
    find: 'if (strangers.length > 0) return',
    replace: 'if (strangers.length > among.length) return',
    noticedBy: placement('two that may be adopted'),
  },
  {
    name: 'a Machine goes where a stranger has its name, without being told to',
    file: rules,
    find: 'if (!machine.adopt) return refused(adoptionRefused(machine, foreign));',
    replace: '',
    noticedBy: placement('a stranger has the name'),
  },
  {
    name: 'the field wins over an annotation that says something else',
    file: rules,
    find: ' && field !== annotation) return',
    replace: " && field === '') return",
    noticedBy: placement('field and annotation that do not'),
  },
  {
    name: 'a placed Machine moves',
    file: rules,
    find: "if (isSet(status)) return placed(status, 'status');",
    replace: '',
    noticedBy: placement('a status before a conflict: a placed machine never moves'),
  },
  {
    name: 'the default wins over the annotation',
    file: rules,
    find: 'if (isSet(annotation)) return named',
    replace: 'if (isSet(annotation) && !isSet(defaultConfig)) return named',
    noticedBy: placement('the annotation before the default'),
  },
  {
    name: 'the supervisor takes Machines of which nobody said so',
    file: rules,
    find: 'if (first === undefined)',
    replace: 'if (first === undefined || question.localServes)',
    noticedBy: placement('several, and the supervisor serves KubeVirt: it is not asked'),
  },
  {
    name: 'a cluster that is to go gets new Machines',
    file: rules,
    find: 'return leaving ? refused(leavingConfig(name)) : placed(name, by);',
    replace: 'return placed(name, by);',
    noticedBy: placement('the only one, which is being deleted'),
  },
];

const clusterDefects: readonly MachineDefect[] = [
  {
    name: 'no answer in time is an answer',
    file: 'fleet/search.ts',
    find: "return { kind: 'unknown', message: 'no answer in time' };",
    replace: "return { kind: 'absent' };",
    noticedBy: search('a cluster that is cut off, and not known to be, costs its deadline and is no answer'),
  },
  {
    name: 'every virtual machine of that name is ours',
    file: 'fleet/search.ts',
    find: "isChildOf(found, { metadata: { uid } }) ? 'ours' : 'foreign'",
    replace: "'ours'",
    noticedBy: search('a stranger is taken only where the Machine says so'),
  },
  {
    name: 'each who leads writes what it sees of the clusters',
    file: 'fleet/reporter.ts',
    find: '=> this.#term?.isHeld() === true;',
    replace: '=> this.#leads;',
    noticedBy: reporters('each holds it by its own finalizer, and one has the Lease'),
  },
  {
    name: 'only who reports holds what is in use',
    file: 'fleet/reporter.ts',
    find: 'readonly holds = (): boolean => this.#leads;',
    replace: 'readonly holds = (): boolean => this.reports();',
    noticedBy: reporters('each holds it by its own finalizer, and one has the Lease'),
  },
  {
    name: 'Machines hold a cluster in the name of the tenants',
    file: 'controllers/machine/process.ts',
    find: 'holder: holders.machines,',
    replace: 'holder: holders.tenants,',
    noticedBy: running('a cluster stays in the fleet while Machines are placed on it'),
  },
  {
    name: 'a cluster with Machines is let go',
    file: 'controllers/machine/create-operator.ts',
    find: 'const users = supervisor.machines.byIndex(byCluster, cluster);',
    replace: 'const users = supervisor.machines.byIndex(byCluster, `${cluster}?`);',
    noticedBy: running('a cluster stays in the fleet while Machines are placed on it'),
  },
];

export const fleetDefects: readonly MachineDefect[] = [...ruleDefects, ...clusterDefects];
