/** Which of what was found is meant: the only one, or nobody knows, and then it says what there is and where it was looked. */
import { columns } from '../output/columns.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { placeWords, type Candidate, type Sought } from './place.ts';

export function chosen(name: string, sought: readonly Sought[]): Candidate {
  const found = sought.flatMap((one) => one.found);
  const [first, ...others] = found;
  if (first === undefined) throw new CliFailure(absence(name, sought), exitCodes.notFound);
  if (others.length > 0) throw new CliFailure(ambiguity(name, found), exitCodes.notFound);
  return first;
}

/** What was found, in words. */
export function foundText({ place, name, where }: Candidate): string {
  return `found the ${placeWords[place]} "${name}" in ${where}`;
}

/** The doors that could not be asked: what is behind them may be meant too. */
export function unaskedLines(sought: readonly Sought[]): readonly string[] {
  return sought.flatMap(({ place, at, unasked }) =>
    unasked === undefined ? [] : [`not asked for a ${placeWords[place]} (${at}): ${unasked}`],
  );
}

function absence(name: string, sought: readonly Sought[]): string {
  const rows = sought.map(({ place, at, unasked }) => [
    placeWords[place],
    unasked === undefined ? 'none' : 'not asked',
    unasked === undefined ? `looked in ${at}` : `${at}: ${unasked}`,
  ]);
  return [`nothing has the name "${name}":`, ...columns(rows)].join('\n');
}

function ambiguity(name: string, found: readonly Candidate[]): string {
  const kinds = [...new Set(found.map(({ place }) => place))];
  const how =
    kinds.length > 1
      ? `say --kind ${kinds.join('|')}`
      : kinds[0] === 'vm'
        ? 'give its URN, or say --vdc'
        : 'say its namespace, with -n';
  const rows = found.map(({ place, name: one, where, id }) => [
    `--kind ${place}`,
    placeWords[place],
    one,
    where,
    'urn' in id ? id.urn : `-n ${id.namespace}`,
  ]);
  return [`several have the name "${name}": ${how}.`, ...columns(rows)].join('\n');
}
