/** Whether certificates and keys are ones, said before the first handshake says it in OpenSSL's words. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Says what is wrong with a bundle of authorities, or undefined. */
export function authorityProblem(pem: string): string | undefined {
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) return 'it holds no certificate in PEM form';
  return certificates.some((text) => certificate(text) === undefined) ? 'it holds a broken certificate' : undefined;
}

export function pairProblem(certificatePem: string, keyPem: string): string | undefined {
  const [first] = certificatePem.match(CERTIFICATE) ?? [];
  const leaf = first === undefined ? undefined : certificate(first);
  if (leaf === undefined) return 'the client certificate is no certificate in PEM form';
  const key = privateKey(keyPem);
  if (key === undefined) return 'the client key is no private key in PEM form, or it is encrypted';
  return leaf.checkPrivateKey(key) ? undefined : 'the client key does not belong to the client certificate';
}

function certificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // The reason is OpenSSL's, about the bytes; the caller says which field it is.
    return undefined;
  }
}

function privateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // As above; and nothing about a key gets into an error.
    return undefined;
  }
}
