/** Selects the only candidate, or fails with a list of the candidates and the places that were searched. */
import { columns } from '../output/columns.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { placeWords, type OriginMatch, type OriginSearch } from './place.ts';

export function chosen(name: string, sought: readonly OriginSearch[]): OriginMatch {
  const found = sought.flatMap((one) => one.found);
  const [first, ...others] = found;
  if (first === undefined) throw new CliFailure(absence(name, sought), exitCodes.notFound);
  if (others.length > 0) throw new CliFailure(ambiguity(name, found), exitCodes.notFound);
  return first;
}

/** `foundText` describes the candidate in words. */
export function foundText({ place, name, where }: OriginMatch): string {
  return `found the ${placeWords[place]} "${name}" in ${where}`;
}

/** `unaskedLines` returns the places that could not be searched: the object may be there too. */
export function unaskedLines(sought: readonly OriginSearch[]): readonly string[] {
  return sought.flatMap(({ place, at, unasked }) =>
    unasked === undefined
      ? []
      : [`could not look for ${place === 'order' ? 'an' : 'a'} ${placeWords[place]} (${at}): ${unasked}`],
  );
}

function absence(name: string, sought: readonly OriginSearch[]): string {
  const rows = sought.map(({ place, at, unasked }) => [
    placeWords[place],
    unasked === undefined ? 'none' : 'not searched',
    unasked === undefined ? `searched ${at}` : `${at}: ${unasked}`,
  ]);
  return [`nothing is named "${name}":`, ...columns(rows)].join('\n');
}

function ambiguity(name: string, found: readonly OriginMatch[]): string {
  const kinds = [...new Set(found.map(({ place }) => place))];
  const how =
    kinds.length > 1
      ? `give --kind ${kinds.join('|')}`
      : kinds[0] === 'vm'
        ? 'give its URN, or --vdc'
        : 'give its namespace with -n';
  const rows = found.map(({ place, name: one, where, id }) => [
    `--kind ${place}`,
    placeWords[place],
    one,
    where,
    'urn' in id ? id.urn : `-n ${id.namespace}`,
  ]);
  return [`several objects are named "${name}": ${how}.`, ...columns(rows)].join('\n');
}
