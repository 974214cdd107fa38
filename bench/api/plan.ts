/** What PostgreSQL says of a statement that it has executed. */
export interface Plan {
  /** The request. */
  readonly asked: string;
  readonly statement: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Tables that were read from end to end, with the rows that were read. */
  readonly sequential: readonly string[];
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** A table with fewer rows is read from end to end sooner than by an index. */
export const small = 5000;
export function planOf(asked: string, message: string): Plan | undefined {
  const match = /^duration: ([\d.]+) ms {2}plan:\n(\{.*\})$/s.exec(message);
  if (match === null) return undefined;
  const { 'Query Text': statement, Plan: root } = JSON.parse(match[2] ?? '{}') as {
    readonly 'Query Text': string;
    readonly Plan: Node;
  };
  return { asked, statement, duration: Number(match[1]), sequential: sequentialIn(root) };
}

function sequentialIn(node: Node): readonly string[] {
  const read = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
  const own =
    node['Node Type'].endsWith('Seq Scan') && read >= small ? [`${node['Relation Name']} (${read} rows)`] : [];
  return [...own, ...(node.Plans ?? []).flatMap(sequentialIn)];
}
