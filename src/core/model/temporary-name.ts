import { sha256Hex } from '../lib/hash.ts';
import { foldName } from './host-name.ts';
import { type HostId, temporaryNameMark } from './observed.ts';

/**
 * The temporary names that Rampart gives. They contain the final name, so that any later run, on any machine and
 * without local state, can finish the rename.
 *
 *     BER-WEB-02 ~rampart~3f9a1c        will become BER-WEB-02
 *     OLD-KIOSK ~rampart-gone~81b2c0    was OLD-KIOSK, and will be deleted
 */
export type TemporaryNameKind = 'rename' | 'deletion';

export interface TemporaryName {
  readonly kind: TemporaryNameKind;
  /** The final name, or the previous name of a host to be deleted; cut short if the service refused the length. */
  readonly shown: string;
  readonly hash: string;
}

const markers = { rename: ' ~rampart~', deletion: ' ~rampart-gone~' } as const;
/**
 * Part of the hash in temporary names. After a change, Rampart would not recognize the names that earlier runs gave.
 */
const hashedKinds = { rename: 'wanted', deletion: 'gone' } as const;
const hashLength = 6;
const pattern = /^(.*) ~rampart(-gone)?~([0-9a-f]{6,64})$/s;

export interface TemporaryNameOptions {
  /** Folded names that must not be taken. */
  readonly taken: { has(folded: string): boolean };
  /** The longest result, in UTF-16 units; the shown part is cut to fit. */
  readonly maxLength?: number;
}

/** The temporary name of a host. The hash grows by two digits until the name is free. */
export function temporaryName(
  kind: TemporaryNameKind,
  hostId: HostId,
  name: string,
  options: TemporaryNameOptions,
): string {
  const digits = digitsOf(kind, hostId, name);
  for (let length = hashLength; length <= digits.length; length += 2) {
    const ending = `${markers[kind]}${digits.slice(0, length)}`;
    const room = Math.max(0, (options.maxLength ?? Number.POSITIVE_INFINITY) - ending.length);
    const candidate = `${cut(name, room)}${ending}`;
    if (!options.taken.has(foldName(candidate))) return candidate;
  }
  throw new Error('all possible temporary names of a host are in use');
}

function digitsOf(kind: TemporaryNameKind, hostId: HostId, name: string): string {
  return sha256Hex(`${hashedKinds[kind]}\n${hostId}\n${name}`);
}

export function readTemporaryName(name: string | null): TemporaryName | undefined {
  const match = name?.includes(temporaryNameMark) === true ? pattern.exec(name) : null;
  if (match === null) return undefined;
  return {
    kind: match[2] === undefined ? 'rename' : 'deletion',
    shown: match[1] ?? '',
    hash: match[3] ?? '',
  };
}

/** Did Rampart give this host the temporary name for exactly this final name? */
export function isTemporaryNameFor(
  temporary: TemporaryName,
  kind: TemporaryNameKind,
  hostId: HostId,
  name: string,
): boolean {
  return (
    temporary.kind === kind &&
    name.startsWith(temporary.shown) &&
    digitsOf(kind, hostId, name).startsWith(temporary.hash)
  );
}

/**
 * Does the hash prove that Rampart made this name? It can't if the name was cut, or only looks like a temporary name.
 */
export function isProvenTemporaryName(temporary: TemporaryName, hostId: HostId): boolean {
  return isTemporaryNameFor(temporary, temporary.kind, hostId, temporary.shown);
}

function cut(name: string, room: number): string {
  if (name.length <= room) return name;
  const end = room > 0 && /[\ud800-\udbff]/.test(name[room - 1] ?? '') ? room - 1 : room;
  return name.slice(0, end);
}
