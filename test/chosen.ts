/**
 * Which cases a run tries. A run of the tests tries the chosen ones, the same in every run on every day; `make test-all`, which sets
 * SSVIRT_TEST_ALL=1, tries all. SSVIRT_TEST_SEED sets the seed of random choices, which is fixed otherwise.
 */
export const triesAll: boolean = process.env['SSVIRT_TEST_ALL'] === '1';

export function testSeed(fixed: number): number {
  const given = process.env['SSVIRT_TEST_SEED'];
  const seed = Number(given ?? fixed);
  if (!Number.isInteger(seed) || seed < 0) throw new Error(`SSVIRT_TEST_SEED is ${given}; it must be a whole number`);
  return seed;
}
