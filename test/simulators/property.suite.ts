/** More histories than anybody waits for; run by .ci/run. */
process.env['SSVIRT_TEST_RUNS'] ??= '6';
await import('./property.test.ts');
