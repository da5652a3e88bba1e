import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate for `service.test`, 127.0.0.1 and 0.0.0.0 that vouches for itself, and its key, both in PEM. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(hex('06082a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from('service.test')))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const names = sequence(
    der(0x82, Buffer.from('service.test')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x87, Buffer.from([0, 0, 0, 0])),
  );
  const isAuthority = sequence(hex('0603551d13'), der(0x04, sequence(hex('0101ff'))));
  const extensions = der(0xa3, sequence(sequence(hex('0603551d11'), der(0x04, names)), isAuthority));
  const certified = sequence(
    hex('a003020102'),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', certified, privateKey)]);
  const certificate = sequence(certified, algorithm, der(0x03, signature)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
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
