/** The webhooks of virt-api, under their real names and paths. */
import type { AdmissionAnswer, ReviewRequest, ServedWebhook, WebhookRule } from '../../serving/contracts.ts';
import type { World } from '../../world.ts';
import {
  exceptByKubeVirt,
  exceptByKubeVirtButNodes,
  exceptOutsideOfSpecByKubeVirt,
  exceptUpdatesByKubeVirt,
} from './conditions.ts';
import { admissionContext, type AdmissionContext } from './context.ts';
import { judgeEviction } from './eviction.ts';
import { validateInstancetype, validatePreference } from './instancetypes.ts';
import { mutateMigration, validateMigration, validateMigrationUpdate } from './migrations.ts';
import { validateRestore, validateSnapshot } from './snapshots.ts';
import { mutateVm } from './vm/vm-mutator.ts';
import { validateStatus, validateVm } from './vm/vm-validator.ts';
import { mutateVmi } from './vm/vmi-mutator.ts';
import { validateNewVmi, validateVmiUpdate } from './vm/vmi-validators.ts';

type Operations = WebhookRule['operations'];
type Admit = (request: ReviewRequest) => AdmissionAnswer | Promise<AdmissionAnswer>;

const CREATE: Operations = ['CREATE'];
const UPDATE: Operations = ['UPDATE'];
const WRITE: Operations = ['CREATE', 'UPDATE'];
const ANY: Operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

const kubevirt = (operations: Operations, ...resources: string[]): WebhookRule => ({
  groups: ['kubevirt.io'],
  versions: ['v1alpha3', 'v1'],
  resources,
  operations,
});
const beta = (group: string, resource: string): WebhookRule => ({
  groups: [group],
  versions: ['v1beta1'],
  resources: [resource],
  operations: WRITE,
});

export function kubevirtWebhooks(world: World): readonly ServedWebhook[] {
  return webhooksOf(admissionContext(world));
}

export function webhooksOf(context: AdmissionContext): readonly ServedWebhook[] {
  return [...mutators(context), ...validators(context)];
}

function mutators(context: AdmissionContext): ServedWebhook[] {
  const { kubevirtNamespace: namespace } = context;
  const mutator = (name: string, path: string, rule: WebhookRule, admit: Admit, conditions = {}): ServedWebhook => ({
    kind: 'Mutating',
    configuration: 'virt-api-mutator',
    name: `${name}.kubevirt.io`,
    path,
    rules: [rule],
    conditions,
    failurePolicy: 'Fail',
    admit,
  });
  return [
    mutator(
      'virtualmachines-mutator',
      '/virtualmachines-mutate',
      kubevirt(WRITE, 'virtualmachines'),
      (request) => mutateVm(context, request),
      exceptOutsideOfSpecByKubeVirt(namespace),
    ),
    mutator(
      'virtualmachineinstances-mutator',
      '/virtualmachineinstances-mutate',
      kubevirt(WRITE, 'virtualmachineinstances'),
      (request) => mutateVmi(context, request),
      exceptUpdatesByKubeVirt(namespace),
    ),
    mutator(
      'migrations-mutator',
      '/migration-mutate-create',
      kubevirt(CREATE, 'virtualmachineinstancemigrations'),
      mutateMigration,
    ),
  ];
}

function validators(context: AdmissionContext): ServedWebhook[] {
  const { kubevirtNamespace: namespace } = context;
  const validator = (name: string, path: string, rule: WebhookRule, admit: Admit, conditions = {}): ServedWebhook => ({
    kind: 'Validating',
    configuration: 'virt-api-validator',
    name: `${name}.kubevirt.io`,
    path,
    rules: [rule],
    conditions,
    failurePolicy: 'Fail',
    admit,
  });
  const types = (kind: 'instancetype' | 'preference', admit: Admit): ServedWebhook[] =>
    ['', 'cluster'].map((scope) =>
      validator(
        `virtualmachine${scope}${kind}-validator.instancetype`,
        `/virtualmachine${scope}${kind}s-validate`,
        beta('instancetype.kubevirt.io', `virtualmachine${scope}${kind}s`),
        admit,
      ),
    );
  const evictions: WebhookRule = { groups: [''], versions: ['v1'], resources: ['pods/eviction'], operations: ANY };
  return [
    validator('virt-launcher-eviction-interceptor', '/pod-eviction-validate', evictions, (request) =>
      judgeEviction(context, request),
    ),
    validator(
      'virtualmachineinstances-create-validator',
      '/virtualmachineinstances-validate-create',
      kubevirt(CREATE, 'virtualmachineinstances'),
      (request) => validateNewVmi(context, request),
    ),
    validator(
      'virtualmachineinstances-update-validator',
      '/virtualmachineinstances-validate-update',
      kubevirt(UPDATE, 'virtualmachineinstances'),
      (request) => validateVmiUpdate(context, request),
      exceptByKubeVirtButNodes(namespace),
    ),
    validator(
      'virtualmachine-validator',
      '/virtualmachines-validate',
      kubevirt(WRITE, 'virtualmachines'),
      (request) => validateVm(context, request),
      exceptOutsideOfSpecByKubeVirt(namespace),
    ),
    validator(
      'migration-create-validator',
      '/migration-validate-create',
      kubevirt(CREATE, 'virtualmachineinstancemigrations'),
      (request) => validateMigration(context, request),
    ),
    validator(
      'migration-update-validator',
      '/migration-validate-update',
      kubevirt(UPDATE, 'virtualmachineinstancemigrations'),
      validateMigrationUpdate,
    ),
    validator(
      'virtualmachinesnapshot-validator.snapshot',
      '/virtualmachinesnapshots-validate',
      beta('snapshot.kubevirt.io', 'virtualmachinesnapshots'),
      validateSnapshot,
    ),
    validator(
      'virtualmachinerestore-validator.snapshot',
      '/virtualmachinerestores-validate',
      beta('snapshot.kubevirt.io', 'virtualmachinerestores'),
      (request) => validateRestore(context, request),
    ),
    ...types('instancetype', validateInstancetype),
    ...types('preference', validatePreference),
    validator(
      'kubevirt-crd-status-validator',
      '/status-validate',
      kubevirt(WRITE, 'virtualmachines/status', 'virtualmachineinstancemigrations/status'),
      validateStatus,
      exceptByKubeVirt(namespace),
    ),
  ];
}
