/** The installed packages as a copy of the sources sees them. */
import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The packages of this repository: npm workspaces are links in node_modules that lead into the work tree. */
const ownScope = '@ssvirt';

/**
 * `linkPackages` gives the copy a node_modules of links. Those of our own packages lead into the copy: through the work tree's node_modules an import of
 * `@ssvirt/…` would load the sources without the defect.
 */
export function linkPackages(root: string, copy: string): void {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  if (!existsSync(join(from, ownScope))) {
    symlinkSync(from, to);
    return;
  }
  mkdirSync(join(to, ownScope), { recursive: true });
  for (const name of readdirSync(from)) if (name !== ownScope) symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, ownScope))) {
    const place = relative(realpathSync(root), realpathSync(join(from, ownScope, name)));
    if (place.startsWith('..')) throw new Error(`${ownScope}/${name} leads out of the repository, to ${place}`);
    // Relative, so that it also holds in a copy of the copy.
    symlinkSync(join('../..', place), join(to, ownScope, name));
  }
}
