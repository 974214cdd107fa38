/**
 * Checks an order before it is created, where no cluster is at hand: in the REST API, and in a command without a
 * kubeconfig. The operator uses the same functions when it sees the order.
 */
import { aapProblem, readParameters, type OrderParameters, type ParameterProblem } from './parameters.ts';
import { problem } from './parameter-problem.ts';
import type { OrderSpec } from '../resource.ts';
import { shown } from '../shown.ts';

export interface TemplateLists {
  readonly native: readonly string[];
  readonly floatingIp: readonly string[];
}

export interface OrderCheck {
  readonly problems: readonly ParameterProblem[];
  readonly warnings: readonly string[];
  /**
   * With defaults filled in, and without values that only the guest should read; absent if they cannot be read, or if
   * another template defines them.
   */
  readonly parameters?: ShownParameters;
}

/** By the names that orders use. */
export interface ShownParameters {
  readonly cpu_cores: number;
  readonly memory: string;
  readonly disk_size: string;
  readonly image_source: string;
  readonly exposed_ports: string;
  /** The length instead of the value. */
  readonly cloud_init_config: string;
  readonly ssh_public_key?: string;
}

/** The form of the names of AAP's roles: any other name could request something unknown. */
const templateName = /^[a-zA-Z_][a-zA-Z0-9._]*$/;

export function checkOrder(
  { templateID, templateParameters }: Pick<OrderSpec, 'templateID' | 'templateParameters'>,
  lists: TemplateLists,
): OrderCheck {
  const named = templateProblems(templateID);
  if (named.length > 0) return { problems: named, warnings: [] };
  const isFloating = lists.floatingIp.includes(templateID);
  if (isFloating || lists.native.includes(templateID))
    return checkOfParameters(templateParameters, isFloating ? [floatingIp(templateID)] : []);
  return checkOfUnknown(templateID, templateParameters);
}

export function templateProblems(templateID: string): readonly ParameterProblem[] {
  if (templateName.test(templateID)) return [];
  const rule = 'letters, digits, "." and "_", with a letter or "_" first';
  return [problem('templateID', shown(templateID), rule, 'Write for example "osac.templates.ocp_virt_vm"')];
}

function checkOfParameters(text: string | undefined, warnings: readonly string[]): OrderCheck {
  const read = readParameters(text);
  if ('problems' in read) return { problems: read.problems, warnings };
  const forAap = aapProblem(text);
  const more = forAap === undefined ? [] : [`In AAP mode: ${forAap.message}`];
  return {
    problems: [],
    warnings: [...warnings, ...read.warnings, ...more],
    parameters: shownParameters(read.parameters),
  };
}

/** Only the cluster knows whether there is an OrderTemplate of that name, and which parameters it has. */
function checkOfUnknown(templateID: string, text: string | undefined): OrderCheck {
  const warning = `The template ${shown(templateID)} is not built in: whether the cluster has an OrderTemplate of that name, or AAP a role, and what their parameters are, is not known here.`;
  const read = readParameters(text);
  const unreadable = 'problems' in read ? read.problems.filter(({ field }) => field === 'templateParameters') : [];
  return { problems: unreadable, warnings: [warning] };
}

function floatingIp(templateID: string): string {
  return `The template ${shown(templateID)} has a floating IP: it is provisioned by AAP, whatever the order says.`;
}

export function shownParameters(parameters: OrderParameters): ShownParameters {
  const { cpuCores, memory, diskSize, image, userData, sshPublicKey, ports } = parameters;
  return {
    cpu_cores: cpuCores,
    memory,
    disk_size: diskSize,
    image_source: image,
    exposed_ports: ports.map(({ port, protocol }) => `${port}/${protocol.toLowerCase()}`).join(','),
    cloud_init_config: hidden(userData),
    ...(sshPublicKey === undefined ? {} : { ssh_public_key: hidden(sshPublicKey) }),
  };
}

function hidden(value: string): string {
  return `(${Buffer.byteLength(value)} bytes, not shown)`;
}
