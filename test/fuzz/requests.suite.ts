/** More requests than a test has time for, including those of requests.test.ts; run by .ci/run. */
process.env['SSVIRT_TEST_REQUESTS'] ??= '10000';
await import('./requests.test.ts');
