/** What is kept of a VirtualMachine. */
import { saying, type Saying } from './condition.ts';
import { disksOf, requestedSizes, type Disk } from './disks.ts';
import { cpusOfDomain, memoryOfDomain } from './hardware.ts';
import { hostNameOf } from './host-name.ts';
import { count, fields, known, list, text, type Fields } from './reading.ts';

export type StateChange = 'Start' | 'Stop';

/** Absent values are left out: booleans are present only when true. */
export interface VmFacts {
  readonly uid: string;
  readonly generation: number;
  readonly deleting?: true;
  readonly printableStatus?: string;
  /** From the spec, with `running` translated. */
  readonly runStrategy?: string;
  /**
   * From the status. KubeVirt sets it when it first creates an instance, so it is absent as long as the VM was never
   * started.
   */
  readonly lastRunStrategy?: string;
  /** An instance exists, possibly one that has ended. */
  readonly created?: true;
  readonly requests?: readonly StateChange[];
  readonly startFailure?: StartFailure;
  readonly failure?: Saying;
  readonly restartRequired?: true;
  /** Lower case. */
  readonly vappId?: string;
  readonly templateInstanceUid?: string;
  readonly dataVolumes: readonly string[];
  readonly cpuCount?: number;
  readonly memoryMb?: number;
  readonly os?: string;
  readonly hostName?: string;
  readonly disks?: readonly Disk[];
}

export interface StartFailure {
  readonly count: number;
  readonly retryAt?: string;
}

export const VAPP_LABEL = 'vapp.ssvirt.io/vapp-id';
export const TEMPLATE_INSTANCE_LABEL = 'template.openshift.io/template-instance-owner';
const OS_ANNOTATION = 'vm.kubevirt.io/os';

const MOST_DATA_VOLUMES = 64;

export function vmFacts(object: unknown): VmFacts {
  const { metadata, spec, status } = fields(object);
  const meta = fields(metadata);
  const { runStrategy, running, instancetype, template, dataVolumeTemplates } = fields(spec);
  const { metadata: templateMetadata, spec: machine } = fields(template);
  const { domain, hostname, volumes } = fields(machine);
  const reported = fields(status);
  const labels = fields(meta['labels']);
  const sizes = requestedSizes(dataVolumeTemplates);
  const disks = disksOf(volumes, (_, claim) => (claim === undefined ? undefined : sizes.get(claim)));
  return known<VmFacts>({
    uid: text(meta['uid']) ?? '',
    generation: count(meta['generation']),
    deleting: meta['deletionTimestamp'] === undefined ? undefined : true,
    printableStatus: text(reported['printableStatus'], 64),
    runStrategy: text(runStrategy, 64) ?? (running === true ? 'Always' : undefined),
    lastRunStrategy: text(reported['runStrategy'], 64),
    created: reported['created'] === true ? true : undefined,
    requests: requestsIn(reported['stateChangeRequests']),
    startFailure: startFailureIn(reported['startFailure']),
    failure: saying(reported['conditions'], 'Failure', 'True'),
    restartRequired: saying(reported['conditions'], 'RestartRequired', 'True') === undefined ? undefined : true,
    vappId: uuid(labels[VAPP_LABEL]),
    templateInstanceUid: text(labels[TEMPLATE_INSTANCE_LABEL]),
    dataVolumes: dataVolumesOf(dataVolumeTemplates, volumes),
    cpuCount: cpusOfDomain(domain, instancetype !== undefined),
    memoryMb: memoryOfDomain(domain),
    os:
      text(fields(fields(templateMetadata)['annotations'])[OS_ANNOTATION], 128) ??
      text(fields(meta['annotations'])[OS_ANNOTATION], 128),
    hostName: hostNameOf(hostname, meta['name']),
    disks: disks.length === 0 ? undefined : disks,
  });
}

export function uuid(value: unknown): string | undefined {
  const isUuid = typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
  return isUuid ? value.toLowerCase() : undefined;
}

/** KubeVirt acts only on the first, and a Start behind a Stop is a restart: more than two have no meaning. */
function requestsIn(value: unknown): readonly StateChange[] | undefined {
  const actions = list(value)
    .map((request) => fields(request)['action'])
    .filter((action) => action === 'Start' || action === 'Stop');
  return actions.length === 0 ? undefined : actions.slice(0, 2);
}

function startFailureIn(value: unknown): StartFailure | undefined {
  const { consecutiveFailCount, retryAfterTimestamp } = fields(value);
  const failures = count(consecutiveFailCount);
  if (failures === 0) return undefined;
  return known<StartFailure>({ count: failures, retryAt: text(retryAfterTimestamp, 40) });
}

/** `borrowedDataVolumes` returns the DataVolumes that it uses without a dataVolumeTemplate: something else created them, and may own them. */
export function borrowedDataVolumes(object: unknown): readonly string[] {
  const { template, dataVolumeTemplates } = fields(fields(object)['spec']);
  const { volumes } = fields(fields(template)['spec']);
  const own = new Set(dataVolumesOf(dataVolumeTemplates, undefined));
  return dataVolumesOf(undefined, volumes).filter((name) => !own.has(name));
}

function dataVolumesOf(templates: unknown, volumes: unknown): readonly string[] {
  const templateName = (template: Fields): unknown => fields(template['metadata'])['name'];
  const volumeName = (volume: Fields): unknown => fields(volume['dataVolume'])['name'];
  const names = [...list(templates).map(fields).map(templateName), ...list(volumes).map(fields).map(volumeName)]
    .map((name) => text(name))
    .filter((name) => name !== undefined);
  return [...new Set(names)].slice(0, MOST_DATA_VOLUMES);
}
