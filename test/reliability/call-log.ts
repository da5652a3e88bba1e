import { parseExactJsonText } from '../../src/core/lib/exact-json.ts';
import { isInt64 } from '../../src/core/lib/int64.ts';
import type { GroupId, HostId } from '../../src/core/model/observed.ts';
import type { EmulatedAction } from '../../src/service/emulator/emulated-action.ts';
import type { StoredHostState } from '../../src/service/emulator/fleet-state.ts';

/** A host in a read; its group if the list has it. */
export interface Shown {
  readonly name: string | null;
  readonly groupId?: GroupId;
}

/** The latest read that reached a run: every host that it showed. */
export type View = ReadonlyMap<HostId, Shown>;

/** One call of a plan, with what was known when it was sent and what was true when it arrived. */
export interface WriteCall {
  /** Counts the runs of a world from 0. */
  readonly run: number;
  readonly action: 'renameHost' | 'moveHosts' | 'deleteHosts' | 'installAntivirus' | 'refreshAntivirusStatus';
  readonly hosts: readonly HostId[];
  /** The new name, or the id of the group. */
  readonly to: string | null;
  readonly view: View;
  /** Each host when the call arrived; null if the call never did. */
  truth: ReadonlyMap<HostId, StoredHostState | undefined> | null;
  /** Null: no response. */
  status: number | null;
}

interface Written {
  readonly action: EmulatedAction | null;
  readonly path: string;
  readonly body: string | null;
}

/** The effect that a request wants; undefined for a read. */
export function readWrite({
  action,
  path,
  body,
}: Written): Pick<WriteCall, 'action' | 'hosts' | 'to'> | undefined {
  const content = body === null ? {} : (parseExactJsonText(body) as Readonly<Record<string, unknown>>);
  switch (action) {
    case 'renameHost':
      return { action, hosts: [pathId(path)], to: String(content['newDescription']) };
    case 'moveHosts':
      return { action, hosts: idsIn(content['hostIds']), to: pathId(path) };
    case 'deleteHosts':
      return { action, hosts: idsIn(content['hostIds']), to: null };
    case 'installAntivirus':
    case 'refreshAntivirusStatus':
      return { action, hosts: idsIn(content['targetHostIds']), to: null };
    default:
      return undefined;
  }
}

function pathId(path: string): HostId {
  const id = path.split('/').find(isInt64);
  if (id === undefined) throw new Error(`no id in ${path}`);
  return id as HostId;
}

function idsIn(ids: unknown): readonly HostId[] {
  return (ids as readonly (string | number)[]).map((id) => String(id) as HostId);
}
