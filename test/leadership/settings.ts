/** What a contender is told, and what it tells. */

export interface Settings {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly identity: string;
  readonly fences: 'term,version' | 'version' | 'none';
  /** SIGUSR2 blocks its event loop until this file is there. */
  readonly unblocking: string;
  /** Its reconciler goes on for ever, whatever it is told. */
  readonly stubborn: boolean;
}

/** A lease of 10 s, so that a test need not wait for 15; on a starved machine a leader may need 6 s to renew, and 4 s between its loss and its end. */
export const times = { leaseDurationMs: 10_000, renewDeadlineMs: 6000, retryPeriodMs: 300 };

/** For what one waits for: a process must start, which a starved machine may need most of it for, or a lease expire. */
export const patience = { deadlineMs: 60_000 };

/** The object that they write, and their Lease. */
export const names = { state: 'state', lease: 'leader' };

export interface Said {
  readonly did:
    /** A reconcile has begun. */
    | 'begins'
    /** It has read the state, and hesitates before it writes. */
    | 'has read'
    | 'wrote'
    /** The write failed. */
    | 'was refused';
  readonly epoch: number;
  /** Of the error that refused it. */
  readonly why?: string;
}
