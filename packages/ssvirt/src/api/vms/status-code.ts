/** VMware Cloud Director's numbers for states of VMs and vApps; states without a number get the closest one. */
import type { ShownVappStatus, ShownVmStatus } from '../../db/schema/schema.ts';

export const statusCodes: Readonly<Record<ShownVmStatus | ShownVappStatus, number>> = {
  FAILED_CREATION: -1,
  UNRESOLVED: 0,
  RESOLVED: 1,
  SUSPENDED: 3,
  POWERED_ON: 4,
  // Powered on until it is off, and off until it is on.
  POWERING_OFF: 4,
  POWERED_OFF: 8,
  POWERING_ON: 8,
  UNKNOWN: 6,
  DELETING: 6,
  DELETED: 6,
  // INCONSISTENT_STATE
  FAILED: 9,
  MIXED: 10,
};
