/**
 * Writes packages/api-client/src/schema.ts from docs/openapi.json. The generator needs another TypeScript than ours, so
 * it is installed apart, with the lock file beside this file.
 *   node deploy/api-client/generate.ts [FILE]
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const document = join(root, 'docs/openapi.json');
const [file = join(root, 'packages/api-client/src/schema.ts')] = process.argv.slice(2);

const generator = join(root, 'node_modules/.cache/api-client-generator');

install();
const bin = join(generator, 'node_modules/openapi-typescript/bin/cli.js');
const types = execFileSync(process.execPath, [bin, document, '--immutable'], {
  encoding: 'utf8',
  maxBuffer: 1 << 26,
  stdio: 'pipe',
});
const hash = createHash('sha256').update(readFileSync(document)).digest('hex');
const header = `/** Written by \`make docs\` from docs/openapi.json, whose SHA-256 is ${hash}. */\n`;
// The generator's own heading says the same, without saying from what.
const format = ['--stdin-filepath', 'schema.ts'];
const text = execFileSync(process.execPath, [join(root, 'node_modules/.bin/oxfmt'), ...format], {
  cwd: root,
  encoding: 'utf8',
  input: header + types.replace(/^\/\*\*[^]*?\*\/\n/, ''),
  maxBuffer: 1 << 26,
});
writeFileSync(file, text);

function install(): void {
  const lock = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  // Written last, so that an installation that broke off is begun again.
  const installed = join(generator, 'installed');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  mkdirSync(generator, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(join(import.meta.dirname, name), join(generator, name));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options], { cwd: generator, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(installed, lock);
}
