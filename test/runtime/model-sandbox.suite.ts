/** More random histories on the sandbox than a test has time for; run by .ci/run. */
process.env['SSVIRT_TEST_SEED'] ??= '2,3,4';
await import('./model.test.ts');
