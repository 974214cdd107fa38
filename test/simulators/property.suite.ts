/** More histories than a test has time for */
// only in make test-all: make test runs one of these histories
process.env['SSVIRT_TEST_RUNS'] ??= '6';
await import('./property.test.ts');
