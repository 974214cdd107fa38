/** The error of an apply that changes fields of other owners. */
import type { StatusCause } from '../../server/api/status.ts';
import { StatusError } from '../../server/api/status.ts';
import type { FieldSet } from './fieldset.ts';
import { paths } from './fieldset.ts';
import type { Manager } from './managers.ts';
import type { Path } from './path.ts';
import { pathText } from './path.ts';

export interface Conflict {
  readonly manager: Manager;
  readonly path: Path;
}

/** `ConflictsError` holds the conflicts of an apply; converted to a 409 once they are known to be relevant. */
export class ConflictsError extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(conflictMessage(conflicts));
    this.name = 'ConflictsError';
    this.conflicts = conflicts;
  }

  toStatusError(): StatusError {
    const causes: StatusCause[] = this.conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${managerText(manager)}`,
      field: pathText(path),
    }));
    return new StatusError(409, 'Conflict', this.message, { causes });
  }
}

/** Sorted by the managers' identities; a real server lists the managers in arbitrary order. */
export function conflictsOf(sets: ReadonlyMap<string, { manager: Manager; set: FieldSet }>): Conflict[] {
  return [...sets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { manager, set }]) => [...paths(set)].map((path) => ({ manager, path })));
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const lines: string[] = [];
  let previous: Manager | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== previous) lines.push(`conflicts with ${managerText(manager)}:`);
    lines.push(`- ${pathText(path)}`);
    previous = manager;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText({ name, subresource, operation, apiVersion }: Manager): string {
  const who = JSON.stringify(name) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${who} using ${apiVersion}` : who;
}
