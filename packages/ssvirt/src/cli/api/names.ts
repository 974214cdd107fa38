/** Resolves a name to one object, or fails with the list of candidates. */
import { columns } from '../output/columns.ts';
import { exitCodes } from '../output/exit-code.ts';
import { Absent, CliFailure } from '../output/failure.ts';
import type { ApiClient } from './client.ts';
import type { Entity } from './entities.ts';
import { allOf, literal } from './fiql.ts';
import { urnIn, type Kind } from './kind.ts';
import { listOf } from './pages.ts';
import { Refusal } from './refusal.ts';

export interface Narrowing {
  /** A filter that the object must also match. */
  readonly filter?: string | undefined;
  /** The flag that narrows the choice if there are several: "--vdc". */
  readonly by?: string | undefined;
}

/** The maximum number of candidates that an error lists. */
const mostCandidates = 20;

export async function resolved<T extends Entity>(
  client: ApiClient,
  kind: Kind<T>,
  given: string,
  { filter, by }: Narrowing = {},
): Promise<T> {
  const urn = urnIn(kind, given);
  if (urn !== undefined) return byUrn(client, kind, urn);
  if (kind.nameField === undefined)
    throw new CliFailure(
      `"${given}" is not a URN; identify a ${kind.singular} by its URN: "ssvirt ${kind.noun} list".`,
      exitCodes.usage,
    );
  if (given === '') throw new CliFailure(`the name of a ${kind.singular} is empty.`, exitCodes.usage);
  const named = allOf([`${kind.nameField}==${literal(given)}`, filter]);
  const found = await listOf(client, kind.list, { filter: named, limit: mostCandidates });
  // Names are compared without case; an exact match takes precedence.
  const exact = found.filter((one) => kind.view.name(one) === given);
  const [first, ...others] = exact.length > 0 ? exact : found;
  if (first === undefined)
    throw new Absent(
      `there is no ${kind.singular} "${given}"${filter === undefined ? '' : ' there'}, or you may not see it; see "ssvirt ${kind.noun} list".`,
    );
  if (others.length > 0) throw ambiguous(kind, given, [first, ...others], by);
  return first;
}

async function byUrn<T extends Entity>(client: ApiClient, kind: Kind<T>, urn: string): Promise<T> {
  try {
    return await kind.get(client.api, urn);
  } catch (error) {
    // The API does not distinguish an absent object from one that belongs to others.
    if (error instanceof Refusal && (error.status === 403 || error.status === 404))
      throw new Absent(`there is no ${kind.singular} ${urn}, or you may not see it.`);
    throw error;
  }
}

function ambiguous<T extends Entity>(
  kind: Kind<T>,
  given: string,
  found: readonly T[],
  by: string | undefined,
): CliFailure {
  const rows = found.map((one) => [kind.view.name(one), kind.whereabouts?.(one) ?? '', one.id]);
  const how = by === undefined ? 'the URN' : `the URN, or ${by}`;
  return new CliFailure(
    `several objects have the name "${given}": give ${how}.\n${columns(rows).join('\n')}`,
    exitCodes.notFound,
  );
}
