/**
 * A certificate authority for development machines: it issues server certificates for loopback, and client
 * certificates.
 */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const TEN_YEARS = 10 * 365 * 24 * 3600 * 1000;

export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority extends KeyPair {
  issue(request: CertificateRequest): Promise<KeyPair>;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly addresses?: readonly string[];
  readonly server?: boolean;
}

export async function createAuthority(commonName: string): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys: keys as never,
    signingAlgorithm: ALGORITHM,
    ...validity(),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return authorityOf(certificate, keys.privateKey, await exportKey(keys.privateKey));
}

export async function loadAuthority(pair: KeyPair): Promise<Authority> {
  const der = x509.PemConverter.decodeFirst(pair.key);
  const key = await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, true, ['sign']);
  return authorityOf(new x509.X509Certificate(pair.certificate), key, pair.key);
}

function authorityOf(certificate: x509.X509Certificate, signingKey: webcrypto.CryptoKey, key: string): Authority {
  return { certificate: certificate.toString('pem'), key, issue: (request) => issue(certificate, signingKey, request) };
}

async function issue(
  issuer: x509.X509Certificate,
  signingKey: webcrypto.CryptoKey,
  request: CertificateRequest,
): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const usage = request.server === true ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
  const names: x509.JsonGeneralNames = [
    ...(request.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(request.addresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    subject: new x509.Name([
      ...(request.organizations ?? []).map((value) => ({ O: [value] })),
      { CN: [request.commonName] },
    ]).toString(),
    issuer: issuer.subject,
    publicKey: keys.publicKey as never,
    signingKey: signingKey as never,
    signingAlgorithm: ALGORITHM,
    ...validity(),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([usage]),
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await exportKey(keys.privateKey) };
}

function validity(): { notBefore: Date; notAfter: Date } {
  // An hour before now, for clients whose clock is slow.
  return { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + TEN_YEARS) };
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
