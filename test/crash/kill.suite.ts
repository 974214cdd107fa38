/** More kills than a test has time for; run by .ci/run. */
process.env['SSVIRT_TEST_KILLS'] ??= '15';
await import('./kill.test.ts');
