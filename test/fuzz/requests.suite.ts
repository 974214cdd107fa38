/** More requests than anybody waits for, those of requests.test.ts among them; run by .ci/run. */
process.env['SSVIRT_TEST_REQUESTS'] ??= '10000';
await import('./requests.test.ts');
