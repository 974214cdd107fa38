/** More random histories on the sandbox than a test has time for */
// only in make test-all: make test runs one of these histories
process.env['SSVIRT_TEST_SEED'] ??= '2,3,4';
await import('./model.test.ts');
