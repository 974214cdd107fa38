/**
 * Redaction of messages from clusters: tenants know virtual data centers and see no names of clusters, namespaces and
 * nodes.
 */
export interface NamedCluster {
  /** Empty if unknown. */
  readonly cluster: string;
  readonly namespace: string;
  readonly node?: string | null;
}

export function redactClusterNames(text: string, { cluster, namespace, node }: NamedCluster): string {
  let redacted = text;
  if (namespace !== '')
    redacted = redacted
      .replaceAll(new RegExp(`(?:in )?(?:the )?namespaces? ${quoted(namespace)}`, 'g'), (found) =>
        found.startsWith('in ') ? 'in the virtual data center' : 'the virtual data center',
      )
      .replaceAll(namespace, '…');
  if (cluster !== '')
    redacted = redacted
      .replaceAll(new RegExp(`(?:the )?clusters? ${quoted(cluster)}`, 'g'), 'the cluster')
      // A storage class may have the same name as the cluster, and tenants may see names of storage classes.
      .replaceAll(new RegExp(`(?<!storage class )"${escaped(cluster)}"`, 'g'), 'the cluster');
  return node === undefined || node === null || node === ''
    ? redacted
    : redacted.replaceAll(new RegExp(`(?<![\\w-])${quoted(node)}`, 'g'), '…');
}

function quoted(name: string): string {
  return `["'\`]?${escaped(name)}["'\`]?(?![\\w-])`;
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w-]/g, '\\$&');
}
