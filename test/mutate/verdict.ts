/** What a run of the suite against a planted defect proves. */
import type { SuiteRun } from './suite.ts';

export type Verdict =
  | { readonly kind: 'caught'; readonly by: readonly string[] }
  | { readonly kind: 'survived' }
  /** No test passed: a sandbox that does not even start would be noticed without any suite. */
  | { readonly kind: 'nothing works' }
  | { readonly kind: 'timed out' };

/** Only a test that passes without the defect can catch it. */
export function judge(run: Pick<SuiteRun, 'passed' | 'failed' | 'timedOut'>, sound: ReadonlySet<string>): Verdict {
  if (run.timedOut) return { kind: 'timed out' };
  if (run.passed.size === 0) return { kind: 'nothing works' };
  const by = run.failed.filter((name) => sound.has(name));
  return by.length === 0 ? { kind: 'survived' } : { kind: 'caught', by };
}

/** The same tests must fail again: one that fails by chance catches nothing. */
export function confirm(first: Verdict, second: Verdict): Verdict {
  if (first.kind !== 'caught' || second.kind !== 'caught') return second;
  const by = first.by.filter((name) => second.by.includes(name));
  return by.length === 0 ? { kind: 'survived' } : { kind: 'caught', by };
}

export function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'caught': {
      const { length } = verdict.by;
      return `caught by ${length} test${length === 1 ? '' : 's'}: ${verdict.by[0]}`;
    }
    case 'survived':
      return 'SURVIVED';
    case 'nothing works':
      return 'NO PROOF: with it no test passes at all';
    case 'timed out':
      return 'NO PROOF: the suite did not end in time';
  }
}
