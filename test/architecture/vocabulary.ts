/** Reads from the glossary which words are not used for a concept, and finds them in names. */

export interface RefusedWord {
  readonly word: string;
  /** The glossary's own word for the concept. */
  readonly instead: string;
}

/**
 * Words that the glossary refuses for one concept, and that have a second meaning in the code, by which they are
 * allowed: a `Filter` of a list is no predicate, and a `lock` on a row is no claim.
 */
export const otherMeanings: ReadonlySet<string> = new Set([
  'account', // of Unix, PostgreSQL and Kubernetes
  'claim', // of a volume, or of work
  'fake', // a clock
  'filter', // of lists and events
  'fingerprint', // of an object's content
  'gate', // that opens and closes
  'generation', // Kubernetes' field
  'guarded client', // the client that checks the identity
  'halted', // in "step halted"
  'handler', // of events of a cache
  'hub', // of event streams
  'image', // of a container or of a disk
  'import', // CDI's
  'job', // AAP's
  'journal', // of the status of an order
  'line', // of text
  'lock', // on rows, and the Lease as a lock
  'log', // lines
  'machine', // the vitistack resource, and state machines
  'old', // rows past their retention
  'operation', // of the API
  'operator', // the program
  'org', // the command
  'outdated', // a password hash, a statement's plan
  'owner', // an owner reference
  'part', // of a Machine's status, of a configuration
  'phase', // Kubernetes' field
  'provider', // of the cloud
  'quiet', // in "AAP quiet period"
  'reading', // of a body
  'request', // of HTTP, and to reconcile
  'run', // a process
  'session', // a log-in
  'site', // the address of the server
  'snapshot', // of values
  'spec', // Kubernetes' field
  'state', // of a state machine, of an object
  'supervisor', // the cluster
  'target', // of a request
  'trigger', // of PostgreSQL
]);

/** The words of the column "not", without those that have another meaning in the code. */
export function refusedWords(glossary: string): readonly RefusedWord[] {
  return notWords(glossary).filter(({ word }) => !otherMeanings.has(word));
}

export function notWords(glossary: string): readonly RefusedWord[] {
  const rows = glossary.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| -'));
  return rows.flatMap((row) => {
    const [instead = '', , not = ''] = row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.replaceAll(/[|`_]|\([^)]*\)/g, '').trim());
    const words = not.split(',').map((word) => word.trim().toLowerCase());
    return words.flatMap((word) => (word === '' || word === 'not' ? [] : [{ word, instead }]));
  });
}

/** `requestHTTPHeader` has the words request, http and header. */
export function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

/** The first refused word in a name, in the singular or the plural. */
export function forbiddenIn(name: string, refused: readonly RefusedWord[]): RefusedWord | undefined {
  const text = ` ${wordsOf(name).join(' ')} `;
  return refused.find(({ word }) => text.includes(` ${word} `) || text.includes(` ${word}s `));
}
