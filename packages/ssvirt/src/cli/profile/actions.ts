import { defined } from '@ssvirt/base/values/defined';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { printList } from '../output/print.ts';
import { note } from '../output/streams.ts';
import type { Format, View } from '../output/view.ts';
import { changeProfiles, readProfiles } from './file.ts';
import type { Profiles } from './profile.ts';

/** The displayed part of a profile, without tokens. */
interface ShownProfile {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly url: string;
  readonly user: string;
  readonly org: string;
  readonly isLoggedIn: boolean;
  readonly isRenewed: boolean;
}

const view: View<ShownProfile> = {
  plural: 'profiles: "ssvirt login" creates one',
  name: ({ name }) => name,
  columns: [
    { header: 'USED', cell: ({ isCurrent }) => (isCurrent ? '*' : '') },
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'SERVER', cell: ({ url }) => url },
    { header: 'USER', cell: ({ user, org }) => `${user}@${org}` },
    { header: 'LOGGED IN', cell: ({ isLoggedIn }) => isLoggedIn },
    { header: 'RENEWED', cell: ({ isRenewed }) => isRenewed, wide: true },
  ],
};

export function listProfiles(format: Format): void {
  const { current, profiles } = readProfiles();
  const shown = Object.entries(profiles).map(([name, { url, user, org, token, apiToken }]) => ({
    name,
    isCurrent: name === current,
    url,
    user,
    org,
    isLoggedIn: token !== undefined || apiToken !== undefined,
    isRenewed: apiToken !== undefined,
  }));
  printList(view, format, shown);
}

export function useProfile(name: string): void {
  changeProfiles((before) => ({ ...required(before, name), current: name }));
  note(`profile "${name}" is now the current one.`);
}

export function removeProfile(name: string): void {
  changeProfiles((before) => {
    const { current, profiles } = required(before, name);
    const { [name]: _removed, ...others } = profiles;
    const next = current === name ? Object.keys(others)[0] : current;
    return { profiles: others, ...defined({ current: next }) };
  });
  note(`profile "${name}" was removed.`);
}

function required(before: Profiles, name: string): Profiles {
  if (Object.hasOwn(before.profiles, name)) return before;
  const names = Object.keys(before.profiles);
  const known = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
  throw new CliFailure(`there is no profile "${name}"; ${known}.`, exitCodes.notFound);
}
