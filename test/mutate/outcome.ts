/** What a run of tests against a planted defect proves. */
import type { TestRun } from './test-run.ts';

export type Outcome =
  | { readonly kind: 'noticed'; readonly by: readonly string[] }
  | { readonly kind: 'survived' }
  /** No test passed: code that does not even start would be noticed without any test. */
  | { readonly kind: 'nothing passed' }
  | { readonly kind: 'timed out' };

/** `judge` counts only failures of tests that pass without the defect. */
export function judge(run: Pick<TestRun, 'passed' | 'failed' | 'timedOut'>, sound: ReadonlySet<string>): Outcome {
  if (run.timedOut) return { kind: 'timed out' };
  const by = run.failed.filter((name) => sound.has(name));
  if (run.passed.size === 0) return { kind: 'nothing passed' };
  return by.length === 0 ? { kind: 'survived' } : { kind: 'noticed', by };
}

export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'noticed':
      return `noticed by "${outcome.by[0]}"`;
    case 'survived':
      return 'SURVIVED';
    case 'nothing passed':
      return 'NO PROOF: no test passes with it';
    case 'timed out':
      return 'NO PROOF: the tests did not end in time';
  }
}
