/**
 * Loaded before a test file. When nothing is left to do, Node takes its handles down, and about once in a hundred files on a busy machine that never ends (seen with
 * 24.21.0: `Environment::CleanupHandles` turns its loop for ever, with all tests and their `after` long over). A process that has come to its natural end is ended
 * here instead; one that has not, since a test has left something running, still does not end, and is reported.
 */
process.once('beforeExit', () => {
  // Last of all who listen, so that node:test has said what it has to say.
  process.once('exit', (code) => process.exit(code));
});
