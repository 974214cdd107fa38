/** What machines are made of, how they are changed, and how their power is: pure, and quick to try. */
import { witnesses, type ApiDefect } from '../defect.ts';

const built = witnesses('virt/machine/build.test.ts', 'that is to be off is halted');
const changed = witnesses('virt/machine/change.test.ts', 'CPUs are sockets');
const disks = witnesses('virt/machine/disks.test.ts', 'is gone where the machine does not have it');
const ofTemplate = witnesses('virt/machine/template-machine.test.ts', 'is a machine whatever it is');
const planned = witnesses(
  'virt/power/plan.test.ts',
  'goes by its instance where KubeVirt has written nothing about it yet',
);
const table = witnesses('virt/power/table.test.ts', 'on a machine that is FAILED');
const values = witnesses(
  'virt/catalog/values.test.ts',
  'that are given, and those that are generated, go to the cluster, which knows the defaults of the others',
);
const at = (file: string): string => `virt/machine/${file}.ts`;

const making: readonly ApiDefect[] = [
  {
    name: 'user data stands in the machine',
    file: at('guest-data'),
    find: 'secretRef: { name: names.cloudInit },',
    replace: 'userData,',
    noticedBy: built('stands nowhere in the machine'),
  },
  {
    name: 'a machine does not say which it is',
    file: at('labels'),
    find: '{ ...vappLabels(machine), [labels.vmId]: machine.vmId }',
    replace: 'vappLabels(machine)',
    noticedBy: built('is a VirtualMachine with all that shows whose it is'),
  },
  {
    name: 'a machine gets into the networks of other namespaces',
    file: at('build'),
    find: "one.kind === 'multus' && one.networkName.includes('/')",
    replace: "one.kind === 'multus' && one.networkName.startsWith('/')",
    noticedBy: built('is not built on a network of another namespace'),
  },
  {
    name: 'a template makes objects wherever it says',
    file: at('adopt'),
    find: '...(name === undefined ? {} : { name }),',
    replace: '...fields(metadata),',
    noticedBy: ofTemplate('makes nothing in another namespace, whatever a parameter says'),
  },
  {
    name: 'a template that is used twice meets its own disks',
    file: at('template-machine'),
    find: 'spec: withOwnDisks(fields(spec), identity.vmName),',
    replace: 'spec,',
    noticedBy: ofTemplate('has disks under names of its own, and leaves those that it only uses'),
  },
  {
    name: 'a description reads the parameters of its template',
    file: at('template-machine'),
    find: 'return withoutReferences(adopted(object, identity, runStrategyFor(powerOn)));',
    replace: 'return adopted(object, identity, runStrategyFor(powerOn));',
    noticedBy: ofTemplate('does not let words of ours be filled in'),
  },
  {
    name: 'a template’s own running stays beside the strategy',
    file: at('adopt'),
    find: 'const { running: _, ...spec } = specOf(vm);',
    replace: 'const spec = specOf(vm);',
    noticedBy: ofTemplate('is run as ours are'),
  },
];

const changing: readonly ApiDefect[] = [
  {
    name: 'running and runStrategy are both set',
    file: at('live'),
    find: ': { running: null, runStrategy }',
    replace: ': { runStrategy }',
    noticedBy: changed('takes running: true out'),
  },
  {
    name: 'a machine is patched whichever it is by now',
    file: at('live'),
    find: '...(uid === undefined ? {} : { uid }), ',
    replace: '',
    noticedBy: planned('is sent to that very machine as it was read'),
  },
  {
    name: 'what somebody has written meanwhile is overwritten',
    file: at('live'),
    find: ', ...(resourceVersion === undefined ? {} : { resourceVersion })',
    replace: '',
    noticedBy: planned('is sent to that very machine as it was read'),
  },
  {
    name: 'the request stays behind the memory of the guest',
    file: at('change'),
    find: '(guest === undefined || toMebibytes(request) === before)',
    replace: 'guest === undefined',
    noticedBy: changed('what said the same still does'),
  },
  {
    name: 'the old instance type is used on',
    file: at('change'),
    find: 'revisionName: null, ',
    replace: '',
    noticedBy: changed('gets another one, and forgets the revision of the old'),
  },
  {
    name: 'the disk that a machine boots from can be removed',
    file: at('disks'),
    find: 'return name === bootDiskOf(vm)',
    replace: "return name === ''",
    noticedBy: disks('is not: the one that it boots from'),
  },
  {
    name: 'a disk is taken out of a machine that runs',
    file: at('disks'),
    find: ".status !== 'POWERED_OFF';",
    replace: ".status === 'DELETING';",
    noticedBy: disks('is not: one that it was made with, while it runs'),
  },
  {
    name: 'what others have plugged in goes with a disk',
    file: at('live'),
    find: 'all.filter((entry) => !isIt(entry))',
    replace: "all.filter((entry) => !isIt(entry) && fields(fields(entry)['dataVolume'])['hotpluggable'] !== true)",
    noticedBy: disks('leaves the lists of a machine that is off, and nothing else does'),
  },
];

const power: readonly ApiDefect[] = [
  {
    name: 'powering off waits for the guest',
    file: 'virt/power/plan.ts',
    find: ", ...(live.status === 'POWERED_OFF' ? [] : [stopNow])]",
    replace: ']',
    noticedBy: planned('that is Running'),
  },
  {
    name: 'a guest may be rebooted more than once',
    file: 'virt/power/plan.ts',
    find: "const once = subresource === 'reset' || subresource === 'softreboot';",
    replace: "const once = subresource === 'reset';",
    noticedBy: planned('is sent once where nobody sees whether it was done, and 409 is the answer then'),
  },
  {
    name: 'an instance of somebody else’s machine decides',
    file: 'virt/power/plan.ts',
    find: 'instance?.vmUid === facts.uid ? instance : undefined',
    replace: 'instance',
    noticedBy: planned('does not go by an instance of its name that is not its own'),
  },
  {
    name: 'a guest that hears nothing is shut down',
    file: 'virt/power/table.ts',
    find: 'SUSPENDED:     [act,     act,      susp,',
    replace: 'SUSPENDED:     [act,     act,      act,',
    noticedBy: table('on a machine that is SUSPENDED'),
  },
  {
    name: 'a state that nobody knows allows everything',
    file: 'virt/power/table.ts',
    find: "isPowerStatus(status) ? status : 'UNKNOWN'",
    replace: "isPowerStatus(status) ? status : 'POWERED_ON'",
    noticedBy: table('on a machine in a state that nobody knows are those of UNKNOWN'),
  },
];

const parameters: readonly ApiDefect[] = [
  {
    name: 'a parameter that is misspelt is dropped',
    file: 'virt/catalog/values.ts',
    find: 'if (!known.has(name))',
    replace: "if (name === '')",
    noticedBy: values('refuse an unknown name'),
  },
  {
    name: 'a default that is a secret is taken for none',
    file: 'virt/catalog/values.ts',
    find: 'return usual === undefined\n',
    replace: 'return usual === null\n',
    noticedBy: values('that nobody can know are asked for where a name needs them'),
  },
  {
    name: 'a value is measured in characters',
    file: 'virt/catalog/values.ts',
    find: 'new TextEncoder().encode(value).length',
    replace: 'value.length',
    noticedBy: values('refuse a very long one'),
  },
];

export const machineDefects: readonly ApiDefect[] = [...making, ...changing, ...power, ...parameters];
