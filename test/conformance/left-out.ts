/** Rows, or parts of rows, without a case, and why. */
export interface LeftOut {
  /** The row's name. */
  readonly row: string;
  readonly part: string;
  readonly reason: string;
}

export const leftOut: readonly LeftOut[] = [
  {
    row: '3. Storage event log with a bounded window per resource',
    part: 'the size of the window, and a restart that drops it',
    reason: 'a real server has no call for either; tests beside the storage cover them',
  },
  {
    row: '8. CRDs',
    part: "apply of a field that another version's schema does not have",
    reason: 'a real server answers 500, since it cannot convert its own field sets; the sandbox applies it',
  },
  {
    row: '9. Accept negotiation',
    part: 'answers in protobuf',
    reason: 'the sandbox reads protobuf and answers in JSON, which every client that sends protobuf accepts too',
  },
  {
    row: '10. Auth',
    part: 'RBAC (403) and impersonation',
    reason: 'the sandbox stores RBAC objects and allows everything, on purpose; a 403 is a fault that is switched on',
  },
  {
    row: '10. Auth',
    part: '401 on a rotated token',
    reason: 'a real server reads its token file once; a wrong token is a case',
  },
  {
    row: '11. GC simulation switchable',
    part: 'the switch',
    reason: 'a real server has none; what garbage collection does is compared',
  },
  {
    row: '12. KubeVirt behaviours as plug-ins',
    part: 'all',
    reason: 'they come with the simulators, and are compared with transcripts of KubeVirt, not with a bare API server',
  },
  {
    row: '13. Fault injection per route/verb/probability',
    part: 'all',
    reason: 'a real server cannot be told to fail; tests beside the sandbox cover each fault',
  },
  {
    row: 'apiserver start-up',
    part: 'all',
    reason: 'the sandbox listens when it is ready: there is no time in which it answers 503 or 429 for want of storage',
  },
  {
    row: 'watch after restart from last RV',
    part: 'all',
    reason: 'a restart belongs to the tests of the state on disk, where the same facts are asserted',
  },
  {
    row: 'client-node 2.0.1 informer across kill -9/restart',
    part: 'all',
    reason: 'a fact about a client library that we do not use',
  },
  {
    row: 'HTTP/2 settings',
    part: 'all but gzip',
    reason: 'the sandbox speaks HTTP/1.1, which every client falls back to; gzip is a case of row 9',
  },
];
