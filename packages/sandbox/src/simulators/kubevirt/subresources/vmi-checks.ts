/** Checks whether the state of a VMI permits a call. Each check throws the refusal. */
import type { JsonObject } from '../../../values/json.ts';
import type { VirtualMachineInstance } from '../objects.ts';
import { badRequest, conflict, forbidden } from './refusals.ts';
import { conditionIsTrue, hasCondition, isRunning, phaseOf } from './power/run-state.ts';

export type VmiCheck = (vmi: VirtualMachineInstance) => void;

const no = (vmi: VirtualMachineInstance, why: string): Error =>
  conflict('virtualmachineinstance', vmi.metadata.name ?? '', why);

const field = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? (object as JsonObject)[name] : undefined;

const device = (vmi: VirtualMachineInstance, name: string): unknown => field(field(vmi.spec.domain, 'devices'), name);

// In KubeVirt, some of these messages say "VM" and others "VMI".
const vmRuns: VmiCheck = (vmi) => {
  if (!isRunning(vmi)) throw no(vmi, 'VM is not running');
};
const vmiRuns: VmiCheck = (vmi) => {
  if (!isRunning(vmi)) throw no(vmi, 'VMI is not running');
};

export const canPause: VmiCheck = (vmi) => {
  vmRuns(vmi);
  const probe = vmi.spec['livenessProbe'];
  if (probe !== undefined && field(probe, 'guestAgentPing') === undefined)
    throw forbidden(
      'virtualmachineinstance',
      vmi.metadata.name ?? '',
      'Pausing VMIs with a non-GuestAgentPing LivenessProbe is not supported',
    );
  if (hasCondition(vmi, 'Paused')) throw no(vmi, 'VMI is already paused');
};

export const canUnpause: VmiCheck = (vmi) => {
  vmiRuns(vmi);
  if (!hasCondition(vmi, 'Paused')) throw no(vmi, 'VMI is not paused');
};

export const canSoftReboot: VmiCheck = (vmi) => {
  vmRuns(vmi);
  if (conditionIsTrue(vmi, 'Paused')) throw no(vmi, 'VMI is paused');
  const acpi = field(field(field(vmi.spec.domain, 'features'), 'acpi'), 'enabled');
  if (!hasCondition(vmi, 'AgentConnected') && acpi === false)
    throw no(vmi, 'VMI neither have the agent connected nor the ACPI feature enabled');
};

export const canFreeze: VmiCheck = vmRuns;
export const canUnfreeze: VmiCheck = vmiRuns;
export const canBackUp: VmiCheck = vmRuns;

export const canRedefineCheckpoint: VmiCheck = (vmi) => {
  if (field(vmi.status?.['changedBlockTracking'], 'state') !== 'Enabled')
    throw no(vmi, 'ChangedBlockTracking is not enabled');
};

/** virt-handler can be called once the VMI is assigned to its node. */
export const hasHandler: VmiCheck = (vmi) => {
  const phase = phaseOf(vmi);
  if (phase !== 'Running' && phase !== 'Scheduled')
    throw badRequest(
      `Unable to connect to VirtualMachineInstance because phase is ${phase} instead of Running or Scheduled`,
    );
};

export const hasAgent: VmiCheck = (vmi) => {
  vmiRuns(vmi);
  if (!hasCondition(vmi, 'AgentConnected')) throw no(vmi, 'VMI does not have guest agent connected');
};

export const hasSerialConsole: VmiCheck = (vmi) => {
  if (device(vmi, 'autoattachSerialConsole') === false) throw badRequest('No serial consoles are present.');
  if (phaseOf(vmi) === 'Failed') throw no(vmi, 'VMI is in failed status');
  if (!isRunning(vmi)) throw badRequest('VMI is not running');
};

export const hasGraphics: VmiCheck = (vmi) => {
  if (device(vmi, 'autoattachGraphicsDevice') === false) throw badRequest('No graphics devices are present.');
  if (!isRunning(vmi)) throw badRequest('VMI is not running');
};

export const hasUsbRedirection: VmiCheck = (vmi) => {
  if (device(vmi, 'clientPassthrough') === undefined) throw no(vmi, 'Not configured with USB Redirection');
};

export const hasVsock: VmiCheck = (vmi) => {
  if (device(vmi, 'autoattachVSOCK') !== true) throw badRequest('VSOCK is not attached.');
};

export const canForwardPorts: VmiCheck = (vmi) => {
  if (hasCondition(vmi, 'Paused')) throw no(vmi, 'VMI is paused');
  if ((vmi.status?.interfaces ?? []).length === 0) throw badRequest('no network interfaces are present');
};

const attested: VmiCheck = (vmi) => {
  const sev = field(field(vmi.spec.domain, 'launchSecurity'), 'sev');
  if (field(sev, 'attestation') === undefined) throw no(vmi, 'Attestation not requested for VMI');
};

export const canFetchCertificates: VmiCheck = (vmi) => {
  if (!isRunning(vmi) && phaseOf(vmi) !== 'Scheduled') throw no(vmi, 'VMI is not assigned to a node yet');
  attested(vmi);
};

export const canBeMeasured: VmiCheck = (vmi) => {
  vmiRuns(vmi);
  attested(vmi);
  if (!hasCondition(vmi, 'Paused')) throw no(vmi, 'VMI is not paused');
};

export const canSetUpSession: VmiCheck = (vmi) => {
  if (phaseOf(vmi) !== 'Scheduled') throw no(vmi, 'VMI is not in Scheduled phase');
  attested(vmi);
  const sev = field(field(vmi.spec.domain, 'launchSecurity'), 'sev');
  if (Boolean(field(sev, 'session')) || Boolean(field(sev, 'dhCert'))) throw no(vmi, 'Session already defined');
};
