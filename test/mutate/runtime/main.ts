/**
 * Do the tests of the runtime bite? Switches behaviours of src/kube and src/fleet off, one at a time, in a copy of the repository, and runs the tests
 * that bear the id of the behaviour: `make mutate-runtime`, or `bin/node test/mutate/runtime/main.ts [--sample N] [ids]`. Ends with 1 if one is not
 * noticed.
 */
import { plantEach } from '../planting.ts';
import { defects } from './defects/index.ts';

await plantEach({
  defects,
  below: 'src',
  checkOf: ({ id, tests }) => {
    const bearsIt = new RegExp(`\\b${id}\\b`);
    return { files: tests, patterns: [String(bearsIt)], counts: (name) => bearsIt.test(name) };
  },
  // Tests wait more than they compute.
  width: 3,
  limits: { testMs: 10_000, allMs: 90_000 },
  titleOf: ({ id, file, name }) => `${id}: ${file}: ${name}`,
  isCalled: ({ id }, word) => id === word,
  // One id may have one test.
  alone: true,
});
