/** `chooseContext` selects a context with its cluster and user. */
import type { ClusterEntry, ContextEntry, Kubeconfig, UserEntry } from './document.ts';
import { KubeconfigError, shown } from './error.ts';

export interface Choice {
  readonly context: ContextEntry;
  readonly cluster: ClusterEntry;
  /** Undefined for an anonymous user. */
  readonly user: UserEntry | undefined;
}

export function chooseContext(kubeconfig: Kubeconfig, name?: string): Choice {
  const context = contextOf(kubeconfig, name);
  const cluster = context.cluster === undefined ? undefined : kubeconfig.clusters.get(context.cluster);
  if (cluster === undefined) throw dangling(context, 'cluster', 'clusters', kubeconfig.clusters);
  const user = context.user === undefined ? undefined : kubeconfig.users.get(context.user);
  if (user === undefined && context.user !== undefined) throw dangling(context, 'user', 'users', kubeconfig.users);
  return { context, cluster, user };
}

function contextOf({ contexts, currentContext }: Kubeconfig, name: string | undefined): ContextEntry {
  const wanted = name ?? currentContext;
  if (wanted === undefined) {
    const [only] = contexts.values();
    if (only !== undefined && contexts.size === 1) return only;
    const reason =
      contexts.size === 0 ? 'there is none' : `there are several (${names(contexts)}) and no current-context`;
    throw new KubeconfigError(contexts.size === 0 ? 'contexts' : 'current-context', `${reason}: name the one to use`);
  }
  const context = contexts.get(wanted);
  if (context !== undefined) return context;
  const field = name === undefined ? 'current-context' : 'contexts';
  throw new KubeconfigError(field, `there is no context ${shown(wanted)}; there is ${names(contexts) || 'none'}`);
}

function dangling(
  context: ContextEntry,
  field: 'cluster' | 'user',
  list: string,
  entries: ReadonlyMap<string, unknown>,
): KubeconfigError {
  const name = context[field];
  const problem = name === undefined ? 'it is required' : `there is no ${field} ${shown(name)} in ${list}`;
  return new KubeconfigError(
    `${context.path}.${field}`,
    `${problem}; there is ${names(entries) || 'none'}`,
    context.file,
  );
}

function names(entries: ReadonlyMap<string, unknown>): string {
  const shownNames = [...entries.keys()].slice(0, 5).map(shown);
  return shownNames.join(', ') + (entries.size > 5 ? ` and ${entries.size - 5} more` : '');
}
