/** The runs without a defect: a test that fails in one of them cannot notice a defect. */
import type { Tests } from './defect.ts';

/** `together` returns one set of tests for all that are of the same file, with every test that any of them runs. */
export function together(all: readonly Tests[]): readonly Tests[] {
  return [...Map.groupBy(all, keyOf).values()].map((same): Tests => {
    const { file = '', topics } = same[0] ?? {};
    const only = new Set(same.flatMap((tests) => tests.only ?? []));
    return {
      file,
      ...(topics === undefined ? {} : { topics }),
      ...(same.some((tests) => tests.only === undefined) ? {} : { only: [...only] }),
    };
  });
}

/** Equal for tests whose runs without a defect are one. */
export function keyOf({ file, topics = [] }: Tests): string {
  return [file, ...topics].join(' ');
}
