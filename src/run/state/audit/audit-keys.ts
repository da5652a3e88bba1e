import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { codeOf } from '../../../core/lib/error-code.ts';
import { type Environment, valueOf } from '../../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';

/** The environment variable with the path of the key file. */
export const auditKeyVariable = 'RAMPART_AUDIT_KEY_FILE';

/** The Ed25519 keys for the heads of an audit log. */
export interface AuditKeys {
  /** The key that signs; absent if the file has only public keys. */
  readonly signing?: { readonly id: string; readonly key: KeyObject };
  /** The keys whose signatures are accepted, by their id. */
  readonly known: ReadonlyMap<string, KeyObject>;
}

const mostBytes = 64 * 1024;
const block = /-----BEGIN (PRIVATE|PUBLIC) KEY-----[\s\S]*?-----END \1 KEY-----/g;

/**
 * Keys in PEM form. The first private key signs; signatures of every key in the file are accepted, so that a new key can
 * follow an earlier one. No problem quotes the content.
 */
function parseAuditKeys(text: string, shown: string): Result<AuditKeys> {
  const known = new Map<string, KeyObject>();
  let signing: AuditKeys['signing'];
  for (const [pem, kind] of text.matchAll(block)) {
    const read = readKey(pem, kind === 'PRIVATE');
    if (read === undefined) return failed(notKeys(shown, 'has a key that is not an Ed25519 key'));
    const id = keyId(read.publicKey);
    known.set(id, read.publicKey);
    if (read.privateKey !== undefined) signing ??= { id, key: read.privateKey };
  }
  if (known.size === 0) return failed(notKeys(shown, 'has no key in PEM form'));
  return ok({ known, ...(signing === undefined ? {} : { signing }) });
}

/**
 * Reads a file of keys. A key in the state folder would be useless: anyone who can change the log there could sign it
 * again.
 */
export function readAuditKeys(path: string, shown: string, stateDir?: string): Result<AuditKeys> {
  try {
    if (stateDir !== undefined && isInside(path, stateDir))
      return failed(
        problem('configuration', `the audit key ${shown} is in the folder of the state that it protects`, {
          hint: `move it to a folder that only this user can write, and set ${auditKeyVariable}`,
        }),
      );
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > mostBytes) return failed(notKeys(shown, 'is not a file of keys'));
    return parseAuditKeys(readFileSync(path, 'utf8'), shown);
  } catch (error) {
    return failed(notKeys(shown, `can't be read (${codeOf(error)})`));
  }
}

/** The keys that the environment names; undefined if it names none. */
export function auditKeysOf(
  env: Environment,
  path: (given: string) => string,
  stateDir?: string,
): Result<AuditKeys | undefined> {
  const shown = valueOf(env, auditKeyVariable);
  return shown === undefined ? ok(undefined) : readAuditKeys(path(shown), shown, stateDir);
}

/** Creates a file with a new key that only its owner can read; another process may create it at the same time. */
export function createAuditKey(path: string): Result<null> {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 });
    return ok(null);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return ok(null);
    return failed(
      problem('configuration', `the audit key ${path} can't be created (${codeOf(error)})`, {
        hint: `set ${auditKeyVariable} to a file that this user can write`,
      }),
    );
  }
}

function readKey(
  pem: string,
  isPrivate: boolean,
): { readonly publicKey: KeyObject; readonly privateKey?: KeyObject } | undefined {
  try {
    const privateKey = isPrivate ? createPrivateKey(pem) : undefined;
    const publicKey = createPublicKey(pem);
    if (publicKey.asymmetricKeyType !== 'ed25519') return undefined;
    return { publicKey, ...(privateKey === undefined ? {} : { privateKey }) };
  } catch {
    return undefined;
  }
}

function keyId(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** Follows links, because a link into the folder is a file of the folder. */
function isInside(path: string, folder: string): boolean {
  try {
    return realpathSync(path).startsWith(`${realpathSync(folder)}${sep}`);
  } catch {
    return false;
  }
}

function notKeys(shown: string, why: string): Problem {
  return problem('configuration', `the audit key ${shown} ${why}`, {
    hint: 'make one with: openssl genpkey -algorithm ed25519 -out audit-key.pem',
  });
}
