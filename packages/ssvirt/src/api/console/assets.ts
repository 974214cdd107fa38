/**
 * The files of the console page: our own, xterm.js and noVNC. Their URLs contain their version, so browsers can cache
 * them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, relative, resolve, sep } from 'node:path';

export interface Asset {
  readonly file: string;
  readonly type: string;
}

export interface Assets {
  /** Undefined for unknown files. The path is the part after the prefix. */
  find(path: string): Asset | undefined;
  readonly prefix: string;
  readonly page: { readonly script: string; readonly style: string };
  readonly xterm: { readonly script: string; readonly style: string };
  readonly novnc: { readonly script: string };
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

export const assetsPrefix = '/console/assets/';

/** Read once, when the app is built: a file outside the table cannot be requested. */
export function consoleAssets(): Assets {
  const xterm = packageOf('@xterm/xterm');
  const novnc = packageOf('@novnc/novnc');
  const own = resolve(import.meta.dirname, 'browser');
  const ownName = `page-${digestOf(own)}`;
  const xtermName = `xterm-${xterm.version}`;
  const novncName = `novnc-${novnc.version}`;
  const known = new Map<string, Asset>([
    ...under(ownName, own, own),
    [`${xtermName}/xterm.mjs`, assetOf(join(xterm.folder, 'lib/xterm.mjs'))],
    [`${xtermName}/xterm.css`, assetOf(join(xterm.folder, 'css/xterm.css'))],
    [`${xtermName}/LICENSE.txt`, { file: join(xterm.folder, 'LICENSE'), type: types['.txt'] ?? '' }],
    ...under(novncName, novnc.folder, join(novnc.folder, 'core')),
    ...under(novncName, novnc.folder, join(novnc.folder, 'vendor')),
    [`${novncName}/LICENSE.txt`, assetOf(join(novnc.folder, 'LICENSE.txt'))],
  ]);
  const url = (name: string): string => `${assetsPrefix}${name}`;
  return {
    find: (path) => known.get(path),
    prefix: assetsPrefix,
    page: { script: url(`${ownName}/console.js`), style: url(`${ownName}/console.css`) },
    xterm: { script: url(`${xtermName}/xterm.mjs`), style: url(`${xtermName}/xterm.css`) },
    novnc: { script: url(`${novncName}/core/rfb.js`) },
  };
}

interface Package {
  readonly folder: string;
  readonly version: string;
}

/** Not all packages export their package.json, but it is in a folder above what they export. */
function packageOf(name: string): Package {
  const entry = createRequire(import.meta.url).resolve(name);
  const folder = entry.slice(0, entry.lastIndexOf(join(...name.split('/'))) + name.length);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  return { folder, version };
}

function under(name: string, root: string, folder: string): readonly (readonly [string, Asset])[] {
  return filesIn(folder).map((file) => [`${name}/${relative(root, file).split(sep).join('/')}`, assetOf(file)]);
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in types)
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function assetOf(file: string): Asset {
  return { file, type: types[extname(file)] ?? 'application/octet-stream' };
}

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  for (const file of filesIn(folder)) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
