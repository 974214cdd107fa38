/**
 * Orders of many kinds that must be refused with their field and rule, and for which nothing is created. Each has one
 * fault, so that the sequence of the checks does not matter. They are given to the functions in this folder, to a
 * server that has the CRD, and to an operator.
 */
import { badParameters, badTexts } from './parameters/bad-parameters.fixture.ts';
import { annotations, nativeTemplates, type OrderProblemReason } from './resource.ts';

export interface BadOrder {
  /** Continues "an order with". */
  readonly name: string;
  readonly order: {
    /** The default is any valid name. */
    readonly name?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly spec: Readonly<Record<string, unknown>>;
  };
  /** Who refuses it: the server by the CRD (422), or the operator by the condition Accepted. */
  readonly by: 'api' | 'operator';
  /** The reason of the condition, or of the server's answer. */
  readonly reason: OrderProblemReason | 'Invalid';
  /** Matches the message: the field, and the rule or what to do. */
  readonly says: RegExp;
}

const [templateID = ''] = nativeTemplates;

/** Without it AAP would be asked, and AAP checks parameters and templates itself. */
const byController = { [annotations.managedBy]: 'controller' };

const parameters: readonly BadOrder[] = [
  ...badParameters.map(({ name, parameters: values, says }) => ({ name, text: JSON.stringify(values), says })),
  ...badTexts,
].map(({ name, text, says }) => ({
  name,
  order: { annotations: byController, spec: { templateID, templateParameters: text } },
  by: 'operator',
  reason: 'InvalidParameters',
  says,
}));

function named(what: string, name: string, says: RegExp, by: BadOrder['by'] = 'operator'): BadOrder {
  const reason = by === 'api' ? 'Invalid' : 'InvalidName';
  return { name: what, order: { name, annotations: byController, spec: { templateID } }, by, reason, says };
}

const subdomain = /metadata\.name: Invalid value: .*lower case alphanumeric characters/;

const names: readonly BadOrder[] = [
  named('a dot in its name', 'web.shop', /metadata\.name "web\.shop" has a dot.*begins with a letter/),
  named('a digit before its name', '1web', /metadata\.name "1web" begins with a digit.*begins with a letter/),
  named('digits for a name', '42', /metadata\.name "42" begins with a digit/),
  named('a name of 50 characters', 'x'.repeat(50), /metadata\.name "x+" has 50 characters.*at most 49 characters/),
  named('the longest name', 'x'.repeat(253), /metadata\.name "x+…" has 253 characters.*at most 49 characters/),
  named('capitals in its name', 'Web', subdomain, 'api'),
  named('a name that begins with a dash', '-web', subdomain, 'api'),
  named('a name that ends with a dash', 'web-', subdomain, 'api'),
  named('a blank in its name', 'web shop', subdomain, 'api'),
];

function placed(what: string, tenantNamespace: unknown, reason: BadOrder['reason'], says: RegExp): BadOrder {
  const by = reason === 'Invalid' ? 'api' : 'operator';
  return { name: what, order: { annotations: byController, spec: { templateID, tenantNamespace } }, by, reason, says };
}

const bind = 'cloudkit\\.openshift\\.io/project';

/** Namespaces that every cluster has, and that cannot be bound by accident. */
export const foreignNamespaces: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];

const namespaces: readonly BadOrder[] = [
  ...foreignNamespaces.map((one) =>
    placed(
      `its machine in ${one}`,
      one,
      'NamespaceNotBound',
      RegExp(`spec\\.tenantNamespace: .*"${one}" is not bound.*${bind}`),
    ),
  ),
  placed(
    'its machine in a namespace that is not there',
    'no-such-namespace',
    'NamespaceNotFound',
    RegExp(`spec\\.tenantNamespace: .*"no-such-namespace" does not exist.*${bind}`),
  ),
  placed('capitals in its namespace', 'Tenant_A', 'Invalid', /spec\.tenantNamespace: Invalid value: .*should match/),
  placed('a dot in its namespace', 'tenant.a', 'Invalid', /spec\.tenantNamespace: Invalid value: .*should match/),
  placed(
    'a path for its namespace',
    '../kube-system',
    'Invalid',
    /spec\.tenantNamespace: Invalid value: .*should match/,
  ),
  placed('a namespace of 64 characters', 'x'.repeat(64), 'Invalid', /spec\.tenantNamespace: Too long/),
  placed('an empty namespace', '', 'Invalid', /spec\.tenantNamespace: Invalid value/),
  placed('a number for its namespace', 7, 'Invalid', /spec\.tenantNamespace: Invalid value: .*must be of type string/),
];

function ordered(what: string, spec: BadOrder['order']['spec'], reason: BadOrder['reason'], says: RegExp): BadOrder {
  const by = reason === 'Invalid' ? 'api' : 'operator';
  return { name: what, order: { annotations: byController, spec }, by, reason, says };
}

const pattern = /spec\.templateID: Invalid value: .*should match/;

const templates: readonly BadOrder[] = [
  ordered(
    'a template that does not exist',
    { templateID: 'no.such.template' },
    'UnsupportedTemplate',
    /"no\.such\.template".*correct spec\.templateID/,
  ),
  ordered(
    'the name of a playbook for a template',
    { templateID: 'playbook_cloudkit_create_vm.yml' },
    'UnsupportedTemplate',
    /spec\.templateID/,
  ),
  ordered(
    'a built-in template in capitals',
    { templateID: templateID.toUpperCase() },
    'UnsupportedTemplate',
    /spec\.templateID/,
  ),
  ordered(
    'half of a template id',
    { templateID: 'osac.templates' },
    'UnsupportedTemplate',
    /"osac\.templates".*spec\.templateID/,
  ),
  ordered(
    'a floating IP from the controller',
    { templateID: 'osac.massopencloud.ocp_virt_vm' },
    'FloatingIPTemplate',
    /"osac\.massopencloud\.ocp_virt_vm" has a floating IP.*only AAP/,
  ),
  ordered('no template', {}, 'Invalid', /spec\.templateID: Required value/),
  ordered('an empty template', { templateID: '' }, 'Invalid', /spec\.templateID: Invalid value/),
  ordered('a digit before its template', { templateID: '1st' }, 'Invalid', pattern),
  ordered('a path for a template', { templateID: '../../etc' }, 'Invalid', pattern),
  ordered('dashes in its template', { templateID: 'osac-templates' }, 'Invalid', pattern),
  ordered('a template of 254 characters', { templateID: 'x'.repeat(254) }, 'Invalid', /spec\.templateID: Too long/),
  ordered(
    'a list of templates',
    { templateID: [templateID] },
    'Invalid',
    /spec\.templateID: Invalid value: .*must be of type string/,
  ),
  ordered(
    'parameters as an object',
    { templateID, templateParameters: {} },
    'Invalid',
    /spec\.templateParameters: Invalid value: .*must be of type string/,
  ),
  ordered(
    'parameters as a number',
    { templateID, templateParameters: 4 },
    'Invalid',
    /spec\.templateParameters: Invalid value: .*must be of type string/,
  ),
  ordered(
    'parameters without end',
    { templateID, templateParameters: ' '.repeat(1_048_577) },
    'Invalid',
    /spec\.templateParameters: Too long/,
  ),
  ordered(
    'a blank in its version',
    { templateID, desiredConfigVersion: 'a b' },
    'Invalid',
    /spec\.desiredConfigVersion: Invalid value: .*should match/,
  ),
  ordered(
    'an empty version',
    { templateID, desiredConfigVersion: '' },
    'Invalid',
    /spec\.desiredConfigVersion: Invalid value/,
  ),
];

function managed(what: string, managedBy: string): BadOrder {
  return {
    name: what,
    order: { annotations: { [annotations.managedBy]: managedBy }, spec: { templateID } },
    by: 'operator',
    reason: 'UnknownManagedBy',
    says: /cloudkit\.openshift\.io\/managed-by.*"controller" or "aap"/,
  };
}

const managers: readonly BadOrder[] = [
  managed('an unknown manager', 'ansible'),
  managed('an empty manager', ''),
  managed('its manager in capitals', 'Controller'),
  managed('a blank before its manager', ' controller'),
  managed('two managers', 'controller,aap'),
  managed('yes for a manager', 'true'),
];

export const badOrders: readonly BadOrder[] = [...parameters, ...names, ...namespaces, ...templates, ...managers];
