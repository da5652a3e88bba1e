import { didYouMean, nearest, quoted } from '../../core/lib/words.ts';
import { type HostId, toHostId } from '../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { FleetReader } from '../../service/wire/fleet.ts';

/** A host's name and id, from any list. */
export interface NamedHost {
  readonly id: HostId;
  readonly name: string | null;
}

/** Finds the one host that a word of the command line refers to. Digits are an id, anything else is a name. */
export function findHost(word: string, hosts: readonly NamedHost[]): Result<NamedHost> {
  const id = toHostId(word);
  const found = hosts.filter((host) => (id === undefined ? host.name === word : host.id === id));
  const [first] = found;
  if (first !== undefined && found.length === 1) return ok(first);
  if (found.length > 1) {
    return failed(
      problem('ambiguous-host', `${found.length} hosts have the name ${quoted(word)}`, {
        hint: `use an id: ${found.map((host) => host.id).join(', ')}`,
        hostIds: found.map((host) => host.id),
      }),
    );
  }
  const names = id === undefined ? hosts.flatMap(({ name }) => (name === null ? [] : [name])) : [];
  return failed(
    problem(
      'missing-host',
      id === undefined ? `no host has the name ${quoted(word)}` : `host ${id} does not exist in this account`,
      { hint: didYouMean(nearest(word, names)) ?? hintFor(word) },
    ),
  );
}

function hintFor(word: string): string {
  const list = 'list the hosts with: rampart hosts';
  return digits.test(word) && toHostId(word) === undefined
    ? `it is not an id either: ids are 64-bit integers without leading zeros; ${list}`
    : list;
}

const digits = /^-?\d+$/;

/** The id of the host that a word refers to. Only a name needs a list, and it uses the one with its own limit. */
export async function findHostId(word: string, reader: FleetReader): Promise<Result<HostId>> {
  const id = toHostId(word);
  if (id !== undefined) return ok(id);
  const names = await reader.readNames();
  if (!names.ok) return names;
  const host = findHost(
    word,
    [...names.value].map(([hostId, name]) => ({ id: hostId, name })),
  );
  return host.ok ? ok(host.value.id) : host;
}
