/** More histories than a test has time for; run by .ci/run. */
process.env['SSVIRT_TEST_RUNS'] ??= '6';
await import('./property.test.ts');
