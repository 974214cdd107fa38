/** Checks certificates and keys before the first handshake would fail with an OpenSSL message. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** `authorityProblem` describes what is wrong with a bundle of authorities, or returns undefined. */
export function authorityProblem(pem: string): string | undefined {
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) return 'it contains no PEM certificate';
  return certificates.some((text) => certificate(text) === undefined)
    ? 'it contains an invalid certificate'
    : undefined;
}

export function pairProblem(certificatePem: string, keyPem: string): string | undefined {
  const [first] = certificatePem.match(CERTIFICATE) ?? [];
  const leaf = first === undefined ? undefined : certificate(first);
  if (leaf === undefined) return 'the client certificate is not a PEM certificate';
  const key = privateKey(keyPem);
  if (key === undefined) return 'the client key is not a PEM private key, or it is encrypted';
  return leaf.checkPrivateKey(key) ? undefined : 'the client key does not belong to the client certificate';
}

function certificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // OpenSSL's reason is about bytes; the caller names the field instead.
    return undefined;
  }
}

function privateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // As above; and an error must not reveal anything about a key.
    return undefined;
  }
}
