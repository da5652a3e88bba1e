import { sha256Hex } from '../lib/hash.ts';
import type { HostId } from './host-id.ts';
import { foldName } from './host-name.ts';

/**
 * The temporary names that Rampart gives. They say where the host is going, so that any later run, on any
 * machine, with no local state, can finish the journey.
 *
 *     BER-WEB-02 ~rampart~3f9a1c        on its way to BER-WEB-02
 *     OLD-KIOSK ~rampart-gone~81b2c0    was OLD-KIOSK, is to be deleted
 */
export type TemporaryNameKind = 'wanted' | 'gone';

export interface TemporaryName {
  readonly kind: TemporaryNameKind;
  /** The wanted name, or the old one of a host to be deleted; cut short where the service refused the length. */
  readonly shown: string;
  readonly hash: string;
}

/** Every temporary name contains it, and hardly any other name does. */
export const temporaryNameMark = ' ~rampart';

const markers = { wanted: ' ~rampart~', gone: ' ~rampart-gone~' } as const;
const hashLength = 6;
const pattern = /^(.*) ~rampart(-gone)?~([0-9a-f]{6,64})$/s;

export interface TemporaryNameOptions {
  /** Folded names that must not be taken. */
  readonly taken: { has(folded: string): boolean };
  /** The longest result, in UTF-16 units; the shown part is cut to fit. */
  readonly maxLength?: number;
}

/** The parked name of a host; the hash grows by two digits until the name is free. */
export function temporaryName(
  kind: TemporaryNameKind,
  hostId: HostId,
  name: string,
  options: TemporaryNameOptions,
): string {
  const digits = sha256Hex(`${kind}\n${hostId}\n${name}`);
  for (let length = hashLength; length <= digits.length; length += 2) {
    const ending = `${markers[kind]}${digits.slice(0, length)}`;
    const room = Math.max(0, (options.maxLength ?? Number.POSITIVE_INFINITY) - ending.length);
    const candidate = `${cut(name, room)}${ending}`;
    if (!options.taken.has(foldName(candidate))) return candidate;
  }
  throw new Error('every temporary name of a host is in use');
}

export function readTemporaryName(name: string | null): TemporaryName | undefined {
  const match = name?.includes(temporaryNameMark) === true ? pattern.exec(name) : null;
  if (match === null) return undefined;
  return { kind: match[2] === undefined ? 'wanted' : 'gone', shown: match[1] ?? '', hash: match[3] ?? '' };
}

/** Did Rampart park this host for exactly this name? */
export function isTemporaryNameFor(
  temporary: TemporaryName,
  kind: TemporaryNameKind,
  hostId: HostId,
  name: string,
): boolean {
  return (
    temporary.kind === kind &&
    name.startsWith(temporary.shown) &&
    sha256Hex(`${kind}\n${hostId}\n${name}`).startsWith(temporary.hash)
  );
}

/** Does the hash prove that Rampart made this name? It can't where the name was cut, or only looks like one of ours. */
export function isProvenParkedName(temporary: TemporaryName, hostId: HostId): boolean {
  return isTemporaryNameFor(temporary, temporary.kind, hostId, temporary.shown);
}

function cut(name: string, room: number): string {
  if (name.length <= room) return name;
  const end = room > 0 && /[\ud800-\udbff]/.test(name[room - 1] ?? '') ? room - 1 : room;
  return name.slice(0, end);
}
