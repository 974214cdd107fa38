/**
 * Which cases a run tries. By default a run tries the chosen cases, the same in every run on every day. `make test-all`
 * sets SSVIRT_TEST_ALL=1 and tries all of them. SSVIRT_TEST_SEED sets the seed of random choices, which is otherwise
 * fixed.
 */
export const triesAll: boolean = process.env['SSVIRT_TEST_ALL'] === '1';

export function testSeed(fixed: number): number {
  const given = process.env['SSVIRT_TEST_SEED'];
  const seed = Number(given ?? fixed);
  if (!Number.isInteger(seed) || seed < 0) throw new Error(`SSVIRT_TEST_SEED is ${given}; it must be a whole number`);
  return seed;
}
