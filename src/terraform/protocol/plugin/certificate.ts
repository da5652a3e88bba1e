import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface CertificateNames {
  /** The first is also the common name. */
  readonly hosts: readonly [string, ...string[]];
  readonly addresses?: readonly (readonly [number, number, number, number])[];
}

export interface SelfSigned {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly der: Buffer;
}

const marginMs = 60 * 60 * 1000;
const lifetimeMs = 10 * 365 * 24 * 60 * 60 * 1000;

/** A self-signed X.509 v3 certificate (ECDSA, P-256), valid for about ten years from an hour ago. */
export function selfSigned({ hosts, addresses = [] }: CertificateNames, now = Date.now()): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));
  const commonName = sequence(set(sequence(hex('0603550403'), utf8(hosts[0]))));
  const validity = sequence(time(now - marginMs), time(now + lifetimeMs));
  const names = sequence(
    ...hosts.map((host) => der(0x82, Buffer.from(host))),
    ...addresses.map((address) => der(0x87, Buffer.from(address))),
  );
  const alternativeNames = sequence(hex('0603551d11'), octets(names));
  const isAuthority = sequence(hex('0603551d13'), octets(sequence(hex('0101ff'))));
  const certified = sequence(
    hex('a003020102'),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName,
    validity,
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames, isAuthority)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', certified, privateKey)]);
  const certificate = sequence(certified, ecdsaWithSha256, der(0x03, signature));
  return {
    certificate: pem(certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    der: certificate,
  };
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** From 2050 on, years have four digits. */
function time(at: number): Buffer {
  const digits = `${new Date(at).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(content: Buffer): Buffer {
  return der(0x31, content);
}

function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

function octets(content: Buffer): Buffer {
  return der(0x04, content);
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
