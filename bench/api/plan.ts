/** Parses what PostgreSQL reports about an executed statement. */
export interface Plan {
  /** The request. */
  readonly asked: string;
  readonly statement: string;
  /** Milliseconds. */
  readonly duration: number;
  /** The tables with a sequential scan, and the number of rows read. */
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

/** For a table with fewer rows, a sequential scan is faster than an index. */
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
