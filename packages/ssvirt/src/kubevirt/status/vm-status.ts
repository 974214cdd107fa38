/** `DerivedVmStatus` holds the states of a VM that a tenant sees. The database has the same values, and DELETED. */

export type DerivedVmStatus =
  | 'POWERED_ON'
  | 'POWERED_OFF'
  | 'POWERING_ON'
  | 'POWERING_OFF'
  | 'SUSPENDED'
  | 'FAILED'
  | 'UNKNOWN'
  | 'DELETING';
