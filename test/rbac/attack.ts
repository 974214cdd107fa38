/** One request by which an account of ssvirt could get more rights. */
export interface Attack {
  readonly what: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE' | 'GET';
  readonly path: string;
  readonly body?: object;
  /**
   * Refused for want of a right, so not to an administrator: policies do not see reads, and ask for rights on Secrets
   * before an object that refers to them is written.
   */
  readonly isByRoles?: true;
}
