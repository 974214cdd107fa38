/**
 * What the guest gets at its first boot. KubeVirt limits each text inside the VirtualMachine to 2048 bytes. A longer
 * text, or one that comes from a Secret, is put into a Secret.
 */
import { defined } from '@ssvirt/base/values/defined';
import { cloudInitDisk } from '../tenant-vm/disk-names.ts';
import { noUserData, opaqueSecret } from '../tenant-vm/guest-data.ts';
import type { KubeLike } from '../tenant-vm/kube-like.ts';
import { childMetadata, type MachineIdentity } from './identity.ts';
import { cloudInitSecretName } from './names.ts';
import { orProblem, refuse } from './problem.ts';
import type { ResolvedMachine } from './resolve.ts';
import type { CloudInitSpec, MachineProblem } from './resource.ts';

type Json = Readonly<Record<string, unknown>>;

export interface CloudInit {
  readonly secret?: KubeLike;
  /** For the VM's template. */
  readonly volume?: Json;
}

const MOST_INLINE = 2048;
/** The limit for all values of a Secret together. */
const MOST_IN_SECRET = 1024 * 1024;

export const defaultSecretKey = 'userdata';

/** The Secret that must be read first; undefined if the Machine states its user data itself. */
export function wantedSecret({
  cloudInit: asked,
}: Pick<ResolvedMachine, 'cloudInit'>): { name: string; key: string } | undefined {
  if (asked?.secretRef === undefined || isSaid(asked.userData)) return undefined;
  return { name: asked.secretRef.name, key: asked.secretRef.key ?? defaultSecretKey };
}

/**
 * Returns the value of that key; absent if there is no such Secret. Guests read text: any other data would reach them
 * garbled and is refused.
 */
export function secretText(
  { name, key }: { readonly name: string; readonly key: string },
  data: Readonly<Record<string, string>> | undefined,
): { readonly text?: string } | { readonly problem: MachineProblem } {
  if (data === undefined) return {};
  const value = data[key];
  return orProblem(() => {
    if (value === undefined)
      refuse(
        `spec.cloudInit.secretRef: the Secret "${name}" has no key "${key}" (${keysOf(data)}): add it, or name another key.`,
        'CloudInitSecretNotFound',
      );
    const text = utf8(Buffer.from(value, 'base64'));
    if (text === undefined)
      refuse(
        `spec.cloudInit.secretRef: the key "${key}" of the Secret "${name}" is not UTF-8 text: store the user data there unencoded and uncompressed.`,
        'CloudInitSecretInvalid',
      );
    return { text };
  });
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const MOST_KEYS = 10;

function keysOf(data: Readonly<Record<string, string>>): string {
  const keys = Object.keys(data);
  const more = keys.length > MOST_KEYS ? ', …' : '';
  const some = keys.slice(0, MOST_KEYS).map((key) => `"${key}"`);
  return keys.length === 0 ? 'it has none' : `it has ${some.join(', ')}${more}`;
}

/** `secretText` is the value of `wantedSecret`'s key; undefined if there is no such Secret or no such key. */
export function cloudInit(
  identity: MachineIdentity,
  resolved: Pick<ResolvedMachine, 'cloudInit'>,
  secretText?: string,
): CloudInit | { readonly problem: MachineProblem } {
  const { cloudInit: asked } = resolved;
  if (asked === undefined || isEmpty(asked)) return {};
  return orProblem(() => {
    const wanted = wantedSecret(resolved);
    if (wanted !== undefined && secretText === undefined)
      refuse(
        `spec.cloudInit.secretRef: the Secret "${wanted.name}" with the key "${wanted.key}" does not exist in the namespace "${identity.namespace}": create it, or name another.`,
        'CloudInitSecretNotFound',
      );
    const userData = (wanted === undefined ? asked.userData : secretText) || noUserData;
    const networkData = isSaid(asked.networkData) ? asked.networkData : undefined;
    return wanted === undefined && fits(userData) && fits(networkData ?? '')
      ? { volume: inline(userData, networkData) }
      : bySecret(identity, userData, networkData);
  });
}

function inline(userData: string, networkData: string | undefined): Json {
  const data = { userData, ...defined({ networkData }) };
  return { name: cloudInitDisk, cloudInitNoCloud: data };
}

function bySecret(identity: MachineIdentity, userData: string, networkData: string | undefined): Required<CloudInit> {
  const texts = { userdata: userData, ...defined({ networkdata: networkData }) };
  const size = Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size > MOST_IN_SECRET)
    refuse(
      `spec.cloudInit has ${size} bytes of user data and network data: a Secret holds at most ${MOST_IN_SECRET}. Let the guest fetch the rest itself, for example with "#include".`,
    );
  const name = cloudInitSecretName(identity.name);
  const volume = {
    name: cloudInitDisk,
    cloudInitNoCloud: {
      secretRef: { name },
      ...(networkData === undefined ? {} : { networkDataSecretRef: { name } }),
    },
  };
  return { secret: opaqueSecret(childMetadata(identity, name), texts), volume };
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= MOST_INLINE;
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function isEmpty({ userData, networkData, secretRef }: CloudInitSpec): boolean {
  return !isSaid(userData) && !isSaid(networkData) && secretRef === undefined;
}
