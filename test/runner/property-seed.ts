/**
 * Loaded before a test file. Properties of fast-check try the same inputs in every run, unless SSVIRT_TEST_SEED says
 * otherwise or a property has a seed of its own. A property that fails prints its seed.
 */
import fc from 'fast-check';
import { testSeed } from '../chosen.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed(20_261_119) });
