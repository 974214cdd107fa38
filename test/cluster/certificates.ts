/** Throw-away certificates for loopback servers, made without openssl. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { der } from './der.ts';

const day = 24 * 3600 * 1000;
const signature = der.sequence(der.oid('1.2.840.10045.4.3.2')); // ecdsa-with-SHA256

export interface KeyAndCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends KeyAndCertificate {
  issue(request: CertificateRequest): KeyAndCertificate;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly organisation?: string;
  readonly dns?: readonly string[];
  readonly ips?: readonly string[];
}

export function createAuthority(commonName: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = distinguishedName({ commonName });
  const certify = (subject: Buffer, key: KeyObject, extensions: Buffer[]): string => {
    const body = der.sequence(
      der.tagged(0, der.integer(Buffer.from([2]))),
      der.integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      signature,
      issuer,
      der.sequence(der.time(new Date(Date.now() - day)), der.time(new Date(Date.now() + 30 * day))),
      subject,
      key.export({ type: 'spki', format: 'der' }),
      der.tagged(3, der.sequence(...extensions)),
    );
    return pem('CERTIFICATE', der.sequence(body, signature, der.bits(sign('sha256', body, own.privateKey))));
  };
  const keyId = createHash('sha1')
    .update(own.publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
  const cert = certify(issuer, own.publicKey, [
    extension('2.5.29.19', der.sequence(der.boolean(true)), true),
    extension('2.5.29.15', der.bits(Buffer.from([0x06]), 1), true), // keyCertSign, cRLSign
    extension('2.5.29.14', der.octets(keyId)),
  ]);
  const issue = (request: CertificateRequest): KeyAndCertificate => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      cert: certify(distinguishedName(request), keys.publicKey, [
        extension('2.5.29.15', der.bits(Buffer.from([0x80]), 7), true), // digitalSignature
        extension('2.5.29.37', der.sequence(der.oid('1.3.6.1.5.5.7.3.1'), der.oid('1.3.6.1.5.5.7.3.2'))),
        extension('2.5.29.35', der.sequence(der.implicit(0, keyId))),
        ...alternativeNames(request),
      ]),
      key: keyText(keys.privateKey),
    };
  };
  return { cert, key: keyText(own.privateKey), issue };
}

/** The one RSA key with which a control plane signs and checks the tokens of ServiceAccounts. */
export function createServiceAccountKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

const keyText = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

function distinguishedName({ commonName, organisation }: CertificateRequest): Buffer {
  const part = (oid: string, value: string): Buffer => der.set(der.sequence(der.oid(oid), der.utf8(value)));
  return der.sequence(
    ...(organisation === undefined ? [] : [part('2.5.4.10', organisation)]),
    part('2.5.4.3', commonName),
  );
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  return der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octets(value));
}

function alternativeNames({ dns = [], ips = [] }: CertificateRequest): Buffer[] {
  if (dns.length + ips.length === 0) return [];
  const names = [
    ...dns.map((name) => der.implicit(2, Buffer.from(name))),
    ...ips.map((ip) => der.implicit(7, Buffer.from(ip.split('.').map(Number)))),
  ];
  return [extension('2.5.29.17', der.sequence(...names))];
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
