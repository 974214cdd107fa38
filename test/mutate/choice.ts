/** Which defects a run is about: `[--sample N] [words]`. */
import { parseArgs } from 'node:util';
import type { Edit } from './defect.ts';
import { sample } from './sample.ts';

/** Those that one of the words calls, all without words; N of them with --sample N, the same ones in every run. */
export function chosen<D extends Edit>(
  defects: readonly D[],
  isCalled: (defect: D, word: string) => boolean = ({ name, file }, word) => `${file}: ${name}`.includes(word),
): readonly D[] {
  const { values, positionals } = parseArgs({ options: { sample: { type: 'string' } }, allowPositionals: true });
  const called = defects.filter(
    (defect) => positionals.length === 0 || positionals.some((word) => isCalled(defect, word)),
  );
  if (called.length === 0) throw new Error(`no defect is called ${positionals.join(' or ')}`);
  return values.sample === undefined ? called : sample(called, Number(values.sample));
}
