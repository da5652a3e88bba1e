import { temporaryName } from '../../src/core/model/temporary-name.ts';
import type {
  AntivirusStep,
  BatchMember,
  DeleteStep,
  Expectation,
  MoveStep,
  RefreshStep,
  RenameStep,
  StepId,
  TemporaryRenameStep,
} from '../../src/core/plan/types/step.ts';
import { groupId, hostId } from './fleet.ts';

/** A host as a step relies on it: `H1`, in no group, unless said otherwise. */
export interface GivenExpectation {
  readonly id: number;
  readonly name?: string | null;
  readonly group?: number;
}

const reason = { file: 'fleet.yaml', line: 1, col: 1 };
const base = (id: string, after: readonly string[] = []) => ({
  id: id as StepId,
  after: after as readonly StepId[],
  hazards: [],
});

function expects({ id, name = `H${id}`, group = -1 }: GivenExpectation): Expectation {
  return { hostId: hostId(id), name, groupId: groupId(group) };
}

function member(given: GivenExpectation | number): BatchMember {
  const host = expects(typeof given === 'number' ? { id: given } : given);
  return { hostId: host.hostId, name: host.name, reason, expects: host, hazards: [] };
}

type Hosts = readonly (GivenExpectation | number)[];

export function renameStep(
  id: string,
  host: GivenExpectation,
  to: string,
  { after = [], from }: { readonly after?: readonly string[]; readonly from?: string | null } = {},
): RenameStep {
  const known = expects(host);
  return {
    ...base(id, after),
    kind: 'rename',
    hostId: known.hostId,
    from: from === undefined ? known.name : from,
    to,
    reason,
    expects: known,
  };
}

export function temporaryRenameStep(
  id: string,
  host: GivenExpectation,
  finalName: string,
  why: TemporaryRenameStep['why'] = 'cycle',
): TemporaryRenameStep {
  const known = expects(host);
  const kind = why === 'deletion' ? 'deletion' : 'rename';
  return {
    ...base(id),
    kind: 'temporary-rename',
    why,
    hostId: known.hostId,
    from: known.name ?? '',
    to: temporaryName(kind, known.hostId, finalName, { taken: new Set() }),
    finalName,
    reason,
    expects: known,
  };
}

export function moveStep(
  id: string,
  hosts: Hosts,
  group: number,
  groupName: string | null = 'Berlin',
): MoveStep {
  return { ...base(id), kind: 'move', groupId: groupId(group), groupName, hosts: hosts.map(member) };
}

export function antivirusStep(id: string, hosts: Hosts): AntivirusStep {
  return { ...base(id), kind: 'antivirus', hosts: hosts.map(member) };
}

export function refreshStep(id: string, hosts: Hosts): RefreshStep {
  return { ...base(id), kind: 'refresh', hosts: hosts.map(member) };
}

export function deleteStep(id: string, hosts: Hosts, after: readonly string[] = []): DeleteStep {
  return { ...base(id, after), kind: 'delete', hosts: hosts.map(member) };
}
