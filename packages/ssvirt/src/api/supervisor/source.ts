/** `MachineEntry` holds the Machines and orders of the supervisor. The API knows no cluster: the process provides this, and no read waits. */

export interface MachineEntry {
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly isBeingDeleted: boolean;
  readonly phase: string | null;
  /** Null before the operator has reported. */
  readonly isReady: boolean | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly restartRequired: boolean;
  /** The name of its KubevirtConfig, or `local`; null if it is not placed. */
  readonly cluster: string | null;
  readonly vmName: string | null;
  readonly nodeName: string | null;
  readonly ipAddresses: readonly string[];
}

export interface OrderEntry {
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly isBeingDeleted: boolean;
  readonly templateId: string;
  readonly phase: string | null;
  readonly provisionedBy: string | null;
  readonly isAvailable: boolean | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly desiredConfigVersion: string | null;
  readonly reconciledConfigVersion: string | null;
  readonly vmNamespace: string | null;
  readonly vmName: string | null;
  readonly ipAddresses: readonly string[];
}

/** What is known of a kind, or why nothing is, as a clause. `stale`: the supervisor does not answer at the moment. */
export type SupervisorListing<T> =
  | { readonly entries: readonly T[]; readonly stale: boolean }
  | { readonly unavailable: string };

export interface SupervisorSource {
  machines(): SupervisorListing<MachineEntry>;
  orders(): SupervisorListing<OrderEntry>;
}

const unavailable = 'this server is not connected to a supervisor';

/** For a server without clusters. */
export const noSupervisor: SupervisorSource = {
  machines: () => ({ unavailable }),
  orders: () => ({ unavailable }),
};
