/**
 * Several test files in one process, one after the other: `node group.ts FILE …`. A process start and the loading of what most files share cost more than most
 * files do. Each file is a test of its own, so that its hooks are its own, and it is loaded when the one before it has ended.
 */
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

for (const file of process.argv.slice(2)) {
  test(file, async () => {
    await import(pathToFileURL(resolve(file)).href);
  });
}
