/** Changes by others to the rows of VMs, vApps and VDCs: created, changed or deleted. */

export interface VmPlace {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

export interface RowChangeHandlers {
  /** Rows of VMs were created or changed. Names the places of their VirtualMachines. */
  readonly machines: (machines: readonly VmPlace[]) => void;
  /** vApps were created, changed or deleted: in these VDCs, or in any if undefined. */
  readonly vapps: (vdcs?: readonly { readonly cluster: string; readonly namespace: string }[]) => void;
  /** Also called at the start and when changes may have been missed. It is called again if it fails. */
  readonly vdcs: () => Promise<void>;
  /** A person asks to write the state of these VirtualMachines now. */
  readonly retries: (places: readonly VmPlace[]) => void;
  readonly signal: AbortSignal;
}

export interface RowChanges {
  /** Runs until the signal is aborted. */
  follow(handlers: RowChangeHandlers): Promise<void>;
}
