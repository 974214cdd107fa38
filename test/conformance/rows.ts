/**
 * What the suite must show, row by row: what an API server for tests has to do (13 rows), and the observed behavior of
 * a real one (the calibration facts). A case belongs to a row when its name starts with the row's name.
 */
export const behaviourRows = [
  '1. Discovery',
  '2. One global revision counter',
  '3. Storage event log with a bounded window per resource',
  '4. LIST',
  '5. WATCH',
  '6. Writes',
  '7. PATCH',
  '8. CRDs',
  '9. Accept negotiation',
  '10. Auth',
  '11. GC simulation switchable',
  '12. KubeVirt behaviours as plug-ins',
  '13. Fault injection per route/verb/probability',
] as const;

export const calibrationRows = [
  'POST CR with status and unknown top field',
  'PUT identical',
  'PUT /status with changed spec',
  'stale PUT',
  'strategic merge on CR',
  'json-patch `test` fails',
  'SSA create / conflict',
  'Lease renewTime with ms',
  'watch from RV 1',
  'list with future RV',
  'watch-list of 2 objects',
  'label moves out of selector',
  'watch without RV, bookmarks on',
  'quiet watch from a given RV',
  'DELETE with finalizer',
  'PATCH removing last finalizer',
  'DELETE without finalizer',
  'invalid field',
  'continue garbage',
  'apiserver start-up',
  'watch after restart from last RV',
  'client-node 2.0.1 informer across kill -9/restart',
  'HTTP/2 settings',
] as const;

export const rows: readonly string[] = [...behaviourRows, ...calibrationRows];
