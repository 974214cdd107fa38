/** The settings of a contender, and the events that it prints. */

export interface Settings {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly identity: string;
  readonly fences: 'term,version' | 'version' | 'none';
  /** SIGUSR2 blocks its event loop until this file exists. */
  readonly unblocking: string;
  /** Its reconciler ignores the abort signal and continues. */
  readonly stubborn: boolean;
}

/**
 * A lease of 10 s, so that a test need not wait for 15; on a starved host a leader may need 6 s to renew, and 4 s
 * between its loss and its end.
 */
export const times = { leaseDurationMs: 10_000, renewDeadlineMs: 6000, retryPeriodMs: 300 };

/** The deadline of waits: on a starved host a process start, or the expiry of a lease, may need most of it. */
export const patience = { deadlineMs: 60_000 };

/** The object that they write, and their Lease. */
export const names = { state: 'state', lease: 'leader' };

export interface Said {
  readonly did:
    /** A reconcile has started. */
    | 'begins'
    /** It has read the state, and pauses before it writes. */
    | 'has read'
    | 'wrote'
    /** The write failed. */
    | 'was refused';
  readonly epoch: number;
  /** The reason of the error that refused it. */
  readonly why?: string;
}
