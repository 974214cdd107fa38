import { ApiClient } from '../api/client.ts';
import { Refusal } from '../api/refusal.ts';
import { targetOf } from '../api/target.ts';
import { CliFailure } from '../output/failure.ts';
import { exitCodes } from '../output/exit-code.ts';
import { note } from '../output/streams.ts';
import { changeProfiles, readProfiles } from '../profile/file.ts';

/**
 * Ends the session, revokes the API token that `login` created for this computer, and forgets both. They are forgotten
 * even if the server cannot be reached.
 */
export async function logOut(named: string | undefined): Promise<void> {
  const { current, profiles } = readProfiles();
  const name = named ?? process.env['SSVIRT_PROFILE'] ?? current;
  const profile = name === undefined ? undefined : profiles[name];
  if (name === undefined || profile === undefined)
    throw new CliFailure('you are not logged in.', exitCodes.notLoggedIn);
  const { token, apiToken, ...kept } = profile;
  if (token !== undefined || apiToken !== undefined) await endAtServer(name, apiToken?.id);
  changeProfiles((before) => ({ ...before, profiles: { ...before.profiles, [name]: kept } }));
  note(`logged out of ${profile.url}.`);
}

async function endAtServer(name: string, apiToken: string | undefined): Promise<void> {
  const client = new ApiClient(targetOf(name));
  try {
    // A token that was created elsewhere is not ours to revoke.
    if (apiToken !== undefined && apiToken !== '')
      await client.api.DELETE('/cloudapi/1.0.0/tokens/{tokenId}', {
        params: { path: { tokenId: `urn:vcloud:token:${apiToken}` } },
      });
    else await client.api.DELETE('/cloudapi/1.0.0/sessions/current');
  } catch (error) {
    const isOver = error instanceof CliFailure && error.exitCode === exitCodes.notLoggedIn;
    if (!(error instanceof CliFailure)) throw error;
    if (!isOver && !(error instanceof Refusal && error.status === 401))
      note(`ssvirt: the server could not be reached: ${error.message} The session will expire there.`);
  } finally {
    await client.close();
  }
}
