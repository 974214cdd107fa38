/** The query and path parameters of operations, with their names in the documents. */
export type Action = 'get' | 'list' | 'post' | 'put' | 'patch' | 'delete' | 'deletecollection';
export type ParameterType = 'string' | 'integer' | 'boolean';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: ParameterType;
}

const types: { readonly [name: string]: ParameterType } = {
  allowWatchBookmarks: 'boolean',
  force: 'boolean',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  limit: 'integer',
  orphanDependents: 'boolean',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};

const selection = ['continue', 'fieldSelector', 'labelSelector', 'limit', 'resourceVersion', 'resourceVersionMatch'];
const listing = [...selection, 'allowWatchBookmarks', 'sendInitialEvents', 'shardSelector', 'timeoutSeconds', 'watch'];
const writing = ['dryRun', 'fieldManager', 'fieldValidation'];
const deletion = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];

const byAction: { readonly [action in Action]: readonly string[] } = {
  get: [],
  list: listing,
  post: writing,
  put: writing,
  patch: [...writing, 'force'],
  delete: deletion,
  deletecollection: [...selection, ...deletion, 'sendInitialEvents', 'shardSelector', 'timeoutSeconds'],
};

/** The documents of CRDs differ: a get has resourceVersion, and a deletecollection is described as a list. */
const byCustomAction: { readonly [action in Action]: readonly string[] } = {
  ...byAction,
  get: ['resourceVersion'],
  deletecollection: listing,
};

/** Sorted by name, as in the documents. */
export function parametersOf(action: Action, path: string, custom: boolean): Parameter[] {
  const query = [...(custom ? byCustomAction : byAction)[action], 'pretty'];
  const inPath = ['name', 'namespace'].filter((name) => path.includes(`{${name}}`));
  return [...query, ...inPath].toSorted().map((name) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    type: types[name] ?? 'string',
  }));
}
