/** Commands of kubectl about the CRDs of KubeVirt and CDI. Every server must answer alike, and as stated here. */
import { defined } from '@ssvirt/base/values/defined';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { mistakes } from './upstream-mistakes.ts';
import { changed, dataVolume, instancetype, machine, snapshot, storageProfile } from './upstream-objects.ts';

export interface Question {
  readonly name: string;
  readonly args: string;
  readonly input?: JsonObject;
  readonly code: number;
  /** What standard output, or in a refusal standard error, must contain. */
  readonly says: readonly string[];
}

function ask(name: string, args: string, says: readonly string[], input?: JsonObject): Question {
  return { name, args, code: 0, says, ...defined({ input }) };
}

function refuse(name: string, args: string, says: readonly string[], input?: JsonObject): Question {
  return { ...ask(name, args, says, input), code: 1 };
}

const CORES = 'spec.template.spec.domain.cpu.cores';
const typo = changed(machine, 'spec.template.spec.domain.colour', 'red');
const typoSaid = 'unknown field "spec.template.spec.domain.colour"\n';
const free = changed(changed(machine, 'metadata.name', 'free'), 'spec.template.metadata.colour', 'red');

const accepted: readonly Question[] = [
  ask('a good machine is created', 'create -f -', ['virtualmachine.kubevirt.io/good created\n'], machine),
  ask('a good data volume is created', 'create -f -', ['datavolume.cdi.kubevirt.io/good created\n'], dataVolume),
  ask('a good instance type is created', 'create -f -', ['/good created\n'], instancetype),
  ask('a good snapshot is created', 'create -f -', ['/good created\n'], snapshot),
  // Cluster-wide, and run by every kubectl.
  ask('a good profile would be created', 'create --dry-run=server -f -', ['/good created (server'], storageProfile),
  ask('the metadata of a template takes any field', 'create --dry-run=server -f -', ['/free created (server'], free),
];

const shown: readonly Question[] = [
  ask('the domain is explained', 'explain vm.spec.template.spec.domain', [
    'KIND:       VirtualMachine\n',
    'FIELD: domain <Object>\n',
    '  devices\t<Object> -required-\n',
    '  rebootPolicy\t<string>\n  enum: Reboot, Terminate\n',
  ]),
  ask('the kind is explained', 'explain vm', ['  metadata\t<ObjectMeta>\n', '  spec\t<Object> -required-\n']),
  ask('the kind is explained to its depth', 'explain vm --recursive', ['macAddress\t<string>\n']),
  ask('a quantity is explained', 'explain vm.spec.template.spec.domain.memory.guest', ['FIELD: guest <Object>\n']),
  ask('an enum is explained', 'explain vm.spec.template.spec.domain.rebootPolicy', [
    'ENUM:\n    Reboot\n    Terminate\n',
  ]),
  ask('an older version is explained', 'explain vm --api-version=kubevirt.io/v1alpha3', ['VERSION:    v1alpha3\n']),
  ask('a kind of CDI is explained', 'explain dv.spec.storage', [
    'FIELD: storage <Object>\n',
    '  accessModes\t<[]string>\n',
  ]),
  refuse('what is not there is not explained', 'explain vm.spec.template.spec.domain.colour', [
    'error: field "colour" does not exist\n',
  ]),
  ask('the kinds are listed', 'api-resources --api-group=kubevirt.io', ['virtualmachines                    vm,vms ']),
  // A column is as wide as its contents, and ages grow.
  ask('machines are listed in their own columns', 'get vm', ['NAME   AGE ', ' STATUS   READY\ngood ']),
  ask('data volumes are listed in their own columns', 'get dv', ['NAME   PHASE   PROGRESS   RESTARTS   AGE\ngood ']),
  ask('a machine is kept as it was given', 'get vm good -o jsonpath={.spec}', ['"memory":{"guest":"2Gi"}']),
];

const refused: readonly Question[] = mistakes.map(({ reason, object, path, value, says }) =>
  refuse(`refused: ${reason}`, 'create -f -', says, changed(changed(object, 'metadata.name', 'bad'), path, value)),
);

const later: readonly Question[] = [
  refuse('apply refuses a wrong field', 'apply -f -', [`strict decoding error: ${typoSaid}`], typo),
  refuse(
    'server-side apply refuses a wrong field',
    'apply --server-side -f -',
    ['domain.colour: field not declared in schema\n'],
    typo,
  ),
  refuse('replace refuses a wrong field', 'replace -f -', [`strict decoding error: ${typoSaid}`], typo),
  refuse(
    'server-side apply refuses a wrong type',
    'apply --server-side -f -',
    [`.${CORES}: expected numeric (int or float), got string\n`],
    changed(machine, CORES, 'two'),
  ),
  refuse(
    'patch refuses a wrong type',
    `patch vm good --type=json -p '[{"op":"replace","path":"/${CORES.replaceAll('.', '/')}","value":"two"}]'`,
    [`${CORES} in body must be of type integer: "string"\n`],
  ),
  ask(
    'a wrong field is warned of where that is wanted',
    'create --dry-run=server --validate=warn -f -',
    ['/warned created (server dry run)\n'],
    changed(typo, 'metadata.name', 'warned'),
  ),
  ask(
    'a wrong field is dropped where that is wanted',
    'create --dry-run=server --validate=ignore -o jsonpath={.spec.template.spec.domain} -f -',
    ['{"cpu":{"cores":2},"devices"'],
    changed(typo, 'metadata.name', 'ignored'),
  ),
  ask(
    'server-side apply changes a machine',
    'apply --server-side --force-conflicts -f -',
    ['/good serverside-applied\n'],
    changed(machine, CORES, 4),
  ),
  ask('the change is there', `get vm good -o jsonpath={.${CORES}}/{.metadata.generation}`, ['4/2']),
];

export const questions: readonly Question[] = [...accepted, ...shown, ...refused, ...later];
