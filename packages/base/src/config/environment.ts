/** The environment: SSVIRT_ names that are derived from the keys, and the aliases of one process. */
import { nearest } from './nearest.ts';
import type { Entry, Process } from './schema.ts';
import type { Setting, Settings } from './setting.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that Kubernetes sets in each container for a Service whose name begins with ssvirt. */
const serviceLink = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
/**
 * Variables of the repository's own tests and tools, and variables of shells that call the API, by hand or with `ssvirt
 * vm`. Other commands run in such a shell too.
 */
const notConfig =
  /^SSVIRT_((NOT_RUN|BUILT|URL|CA|PASSWORDS|SESSION|TOKEN|API_TOKEN|ORG|PROFILE)$|(TEST|TOOLS|BENCH|SOAK|KUBECTL|CONFORMANCE|MUTATE)(_|$))/;

/** An empty variable counts as unset, because that is how shells, compose files and charts clear a variable. */
export function readEnvironment(
  entries: readonly Entry[],
  env: Environment,
  folder: string,
  process: Process | undefined,
): Settings {
  const settings = entries.flatMap((entry) => fromEnvironment(entry, env, folder, process) ?? []);
  return { settings, problems: unknownNames(entries, env) };
}

function fromEnvironment(
  entry: Entry,
  env: Environment,
  folder: string,
  process: Process | undefined,
): Setting | undefined {
  const aliases = entry.key.aliases.filter((alias) => alias.process === process).map((alias) => alias.env);
  for (const name of [entry.env, ...aliases]) {
    const text = env[name];
    if (text === undefined || text === '' || isServiceLink(name, text)) continue;
    return { path: entry.path, text, folder, source: { kind: 'environment', name } };
  }
  return undefined;
}

function unknownNames(entries: readonly Entry[], env: Environment): readonly string[] {
  const known = entries.map((entry) => entry.env);
  const unknown = Object.entries(env).filter(
    ([name, text = '']) =>
      name.startsWith('SSVIRT_') &&
      text !== '' &&
      !known.includes(name) &&
      !notConfig.test(name) &&
      !isServiceLink(name, text),
  );
  return unknown.map(([name]) => {
    const meant = nearest(name, known);
    return `${name} is not the variable of any key: ${meant === undefined ? 'unset it, or see "ssvirt config explain"' : `did you mean ${meant}?`}`;
  });
}

/** A Service named ssvirt-sandbox creates SSVIRT_SANDBOX_PORT=tcp://10.0.0.1:443, which is not one of our settings. */
function isServiceLink(name: string, text: string): boolean {
  return serviceLink.test(name) || (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(text));
}
