/** The image of an order's disk. */
import { refused, type Read } from './parameters/parameter-problem.ts';

const LONGEST = 512;
const schemes: readonly string[] = ['docker://', 'oci-archive://'];

// [REGISTRY[:PORT]/]NAME[:TAG][@DIGEST], as container runtimes parse it.
const part = '[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*';
const registry = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]+\\])(?::\\d{1,5})?';
const tag = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const digest = 'sha(?:256:[a-f0-9]{64}|512:[a-f0-9]{128})';
const reference = new RegExp(`^(?:${registry}/)?${part}(?:/${part})*(?::${tag})?(?:@${digest})?$`);

/** `readImage` returns the image with a scheme, as CDI needs it: AAP's orders have no scheme, others may have one. */
export function readImage(field: string, value: unknown): Read<string> {
  const image = typeof value === 'string' && value.length <= LONGEST ? withScheme(value) : undefined;
  if (image !== undefined) return { value: image };
  return refused(field, withoutLogin(value), {
    rule: `an image [REGISTRY/]NAME[:TAG][@DIGEST] of at most ${LONGEST} characters without spaces, with docker:// or oci-archive:// or no scheme before it`,
    remedy: `Write for example "${field}": "quay.io/containerdisks/fedora:latest"`,
  });
}

function withScheme(value: string): string | undefined {
  const scheme = schemes.find((one) => value.startsWith(one));
  const rest = value.slice(scheme?.length ?? 0);
  const isGood = scheme === 'oci-archive://' ? isPath(rest) : reference.test(rest);
  return isGood ? `${scheme ?? 'docker://'}${rest}` : undefined;
}

function isPath(text: string): boolean {
  return /^[\w./:@+-]+$/.test(text) && !text.includes('://');
}

/** Some users write a password there. It must not appear in a status. */
function withoutLogin(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const login = /^([a-z-]*:\/\/)?[^/]*:.*@(?!sha\d)/is;
  return value.slice(0, LONGEST).replace(login, '$1***@');
}
