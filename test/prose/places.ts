/** Which files of the repository a person reads, by what they are. Every list of paths of test/prose is here. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const repository: string = resolve(import.meta.dirname, '../..');

export function textOf(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

const isVendored = /(?:^|\/)(?:node_modules|testdata|golden)\//;

function find(...patterns: readonly string[]): readonly string[] {
  return globSync(patterns, { cwd: repository })
    .filter((file) => !isVendored.test(file))
    .toSorted();
}

/** `markdownPages` are the documentation, the pages at the root and the READMEs of folders. */
export function markdownPages(): readonly string[] {
  return find('{docs,packages,test,bench,deploy}/**/*.md', '*.md');
}

/** The formatter leaves generated pages alone. */
const { ignorePatterns } = JSON.parse(textOf('.oxfmtrc.json')) as { readonly ignorePatterns: readonly string[] };
const unformatted: ReadonlySet<string> = new Set(
  find(...ignorePatterns.filter((pattern) => pattern.startsWith('docs/') || pattern.endsWith('.md'))),
);

/** `isGenerated` says whether a program writes the whole page. Its texts are changed where they come from. */
export function isGenerated(page: string): boolean {
  return unformatted.has(page) || /^<!-- Written by `make /m.test(textOf(page));
}

/** `sources` are all TypeScript files, and the scripts that browsers get. */
export function sources(): readonly string[] {
  return find('{packages,test,bench,deploy}/**/*.{ts,js}');
}

const isTest = /\.(?:test|suite|fixture)\.ts$/;
/** Released migrations stay as they are. */
const isMigration = /^packages\/ssvirt\/src\/db\/migrations\//;

/** These tests are about the words themselves. */
const isAboutWords = /^test\/(?:prose\/|architecture\/log-messages)/;

/** `testSources` are the files with titles of tests: tests, suites, and the tables of cases that they share. */
export function testSources(): readonly string[] {
  return sources().filter(
    (file) =>
      (isTest.test(file) || /^test\/.*(?:-cases\.ts|\/(?:cases|stories|authorization)\/)/.test(file)) &&
      !isAboutWords.test(file),
  );
}

/** `productSources` are the files whose texts users, operators and callers of the API read; the sandbox has users too. */
export function productSources(): readonly string[] {
  return find('packages/*/src/**/*.{ts,js}').filter((file) => !isTest.test(file) && !isMigration.test(file));
}

/** What the simulated cluster answers is in the words of Kubernetes, with names of fields; the commands of the sandbox speak to a person. */
const isSimulated =
  /^packages\/sandbox\/src\/(?!.*(?:command|run|start-error|start-problem|welcome|fault-text|taken)\.ts$)/;
/** These texts are scripts and stylesheets. */
const isScript = /^packages\/ssvirt\/src\/(?:cli\/completion\/|api\/console\/browser\/styles\.js$)/;

/** `messageSources` are the files whose texts are sentences in American English. */
export function messageSources(): readonly string[] {
  return productSources().filter((file) => !isSimulated.test(file) && !isScript.test(file));
}

/** `generatorSources` write generated pages and the chart's README. */
export function generatorSources(): readonly string[] {
  return find('deploy/**/*.ts').filter((file) => !isTest.test(file));
}

/** `definitions` are the CRDs, whose descriptions `kubectl explain` shows. */
export function definitions(): readonly string[] {
  return find('deploy/crds/*.yaml');
}

/** `alerts` have sentences for whoever is on call. */
export function alerts(): readonly string[] {
  return find('deploy/alerts/*.yaml');
}

/** `manifests` are written by hand for whoever installs ssvirt: the chart, alerts, dashboards, rights and samples, and not the copies that the chart holds. */
export function manifests(): readonly string[] {
  return find(
    'deploy/chart/ssvirt/*.yaml',
    'deploy/chart/ssvirt/templates/**/*.{yaml,tpl,txt}',
    'deploy/alerts/*.yaml',
    'deploy/dashboards/*.json',
    'deploy/rbac/*.yaml',
    'deploy/samples/**/*.yaml',
    'Makefile',
    'Containerfile',
  );
}
