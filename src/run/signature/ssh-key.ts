import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { sshReader, sshString } from './ssh-wire.ts';

const keyType = 'ssh-ed25519';
const keyBytes = 32;
const openSshMagic = 'openssh-key-v1\0';
/** What DER writes before the bytes of an Ed25519 key (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that signs, and its public part as SSH writes it. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly publicBlob: Buffer;
}

/** An Ed25519 key of ssh-keygen or openssl, without a passphrase. No problem quotes the text. */
export function readSigningKey(text: string, shown: string): Result<SigningKey> {
  const seed = /BEGIN OPENSSH PRIVATE KEY/.test(text) ? seedOfOpenSsh(text) : undefined;
  const key = seed === undefined ? keyOfPem(text) : keyOfSeed(seed);
  if (key?.asymmetricKeyType !== 'ed25519') return failed(notKey(shown));
  return ok({ key, publicBlob: blobOf(key) });
}

function notKey(shown: string) {
  return problem('configuration', `${shown} is not an Ed25519 key without a passphrase`, {
    hint: 'make one with: ssh-keygen -t ed25519 -N "" -f plan-key',
  });
}

function keyOfPem(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}

function keyOfSeed(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
}

/** The format that PROTOCOL.key of OpenSSH describes, with one key and no cipher. */
function seedOfOpenSsh(text: string): Buffer | undefined {
  const outer = sshReader(Buffer.from(text.replace(/-----[A-Z ]+-----/g, ''), 'base64'));
  if (outer.bytes(openSshMagic.length)?.toString('latin1') !== openSshMagic) return undefined;
  if (outer.string()?.toString() !== 'none') return undefined;
  outer.string();
  outer.string();
  if (outer.uint32() !== 1) return undefined;
  outer.string();
  const inner = sshReader(outer.string() ?? Buffer.alloc(0));
  inner.bytes(8);
  if (inner.string()?.toString() !== keyType) return undefined;
  inner.string();
  const both = inner.string();
  return both?.length === 2 * keyBytes ? both.subarray(0, keyBytes) : undefined;
}

function blobOf(key: KeyObject): Buffer {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return Buffer.concat([sshString(keyType), sshString(der.subarray(-keyBytes))]);
}

/** The public key in a blob of SSH; undefined if it is of another type. */
export function publicKeyOf(blob: Buffer): KeyObject | undefined {
  const reader = sshReader(blob);
  const [type, bytes] = [reader.string(), reader.string()];
  if (type?.toString() !== keyType || bytes?.length !== keyBytes || !reader.isAtEnd()) return undefined;
  return createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' });
}
