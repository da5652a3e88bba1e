import { createHash, sign, verify } from 'node:crypto';
import { publicKeyOf, type SigningKey } from './ssh-key.ts';
import { sshReader, sshString } from './ssh-wire.ts';

/** Keeps a signature of a plan from passing as one of a Git commit or a file. */
const namespace = 'rampart-plan';

const magic = 'SSHSIG';
const version = 1;
const hash = 'sha512';
const signatureType = 'ssh-ed25519';
const armor = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)-----END SSH SIGNATURE-----\n?$/;

/** A signature as `ssh-keygen -Y sign -n rampart-plan` writes it (PROTOCOL.sshsig of OpenSSH). */
export function signText(text: string, { key, publicBlob }: SigningKey): string {
  const signature = sign(null, signedBytes(text, hash), key);
  const blob = Buffer.concat([
    Buffer.from(magic),
    Buffer.from([0, 0, 0, version]),
    sshString(publicBlob),
    sshString(namespace),
    sshString(''),
    sshString(hash),
    sshString(Buffer.concat([sshString(signatureType), sshString(signature)])),
  ]);
  const lines = blob.toString('base64').replace(/.{1,70}/g, '$&\n');
  return `-----BEGIN SSH SIGNATURE-----\n${lines}-----END SSH SIGNATURE-----\n`;
}

/** The public key whose signature of the text this is; undefined if it is no valid signature of this text. */
export function signerOf(text: string, armored: string): Buffer | undefined {
  const reader = sshReader(Buffer.from(armor.exec(armored)?.[1] ?? '', 'base64'));
  if (reader.bytes(magic.length)?.toString('latin1') !== magic || reader.uint32() !== version)
    return undefined;
  const publicBlob = reader.string();
  const [space, reserved, algorithm] = [reader.string(), reader.string(), reader.string()].map((each) =>
    each?.toString(),
  );
  const signature = sshReader(reader.string() ?? Buffer.alloc(0));
  const [type, bytes] = [signature.string()?.toString(), signature.string()];
  if (publicBlob === undefined || bytes === undefined || !reader.isAtEnd() || !signature.isAtEnd())
    return undefined;
  if (space !== namespace || reserved !== '' || type !== signatureType) return undefined;
  if (algorithm !== 'sha512' && algorithm !== 'sha256') return undefined;
  const key = publicKeyOf(publicBlob);
  return key !== undefined && verify(null, signedBytes(text, algorithm), key, bytes) ? publicBlob : undefined;
}

function signedBytes(text: string, algorithm: 'sha256' | 'sha512'): Buffer {
  return Buffer.concat([
    Buffer.from(magic),
    sshString(namespace),
    sshString(''),
    sshString(algorithm),
    sshString(createHash(algorithm).update(text).digest()),
  ]);
}
