import { mostProposedAccounts, mostProposedHosts, type ProposalRequest } from '../../../api/proposals.ts';
import { grouped } from '../../../core/lib/words.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { pagesOf } from '../../database/page.ts';
import type { DriftRecord } from '../../hosts/records/hosts.ts';
import { hostFilterOf } from '../../hosts/routes/search-hosts.ts';
import { missing } from '../../http/api-answers.ts';
import type { RouteCall } from '../../http/route.ts';
import type { ChosenHost } from '../decisions/selected-changes.ts';
import type { DraftedChange, ProposalDraft } from '../rules/draft-proposal.ts';

export interface Drafted {
  readonly hosts: readonly ChosenHost[];
  readonly draft: ProposalDraft;
}

export type Asked = Pick<RouteCall, 'visible' | 'parts'>;

/** The requested edits, for the hosts that the caller may change. */
export async function draftOf(request: ProposalRequest, call: Asked): Promise<Result<Drafted>> {
  const { hosts: given, search, drift } = request;
  if ([given, search, drift].filter((each) => each !== undefined).length !== 1) return failed(oneChoice);
  const found = await chosenHosts(request, call);
  if (!found.ok) return found;
  const { hosts, differences } = found.value;
  if (hosts.length === 0) return failed(nobody);
  if (new Set(hosts.map(({ account }) => account)).size > mostProposedAccounts)
    return failed(tooManyAccounts);
  const change = changeOf(request.change, differences);
  if (!change.ok) return change;
  const draft = await call.parts.work.draftProposal(hosts, change.value);
  return draft.ok ? ok({ hosts, draft: draft.value }) : draft;
}

function changeOf(
  { kind, group, find = '', replace }: ProposalRequest['change'],
  drift: readonly DriftRecord[],
): Result<DraftedChange> {
  switch (kind) {
    case 'adopt':
      return ok({ kind, drift });
    case 'move':
      return group === undefined ? failed(noGroup) : ok({ kind, group });
    case 'rename':
      return replace === undefined ? failed(noText) : ok({ kind, find, replace });
    case 'antivirus':
    case 'delete':
      return ok({ kind });
  }
}

interface Chosen {
  readonly hosts: readonly ChosenHost[];
  /** The differences of these hosts, if the change adopts them. */
  readonly differences: readonly DriftRecord[];
}

async function chosenHosts(
  { hosts: given = [], search, drift, change }: ProposalRequest,
  { visible, parts }: Asked,
): Promise<Result<Chosen>> {
  const { store } = parts;
  if (drift !== undefined) {
    const rows = await allRows((cursor) =>
      store.hosts.drift({ ...drift, ignored: false, visible, cursor, limit: 500 }),
    );
    if (!rows.ok) return rows;
    const hosts = new Map(
      rows.value.map(({ account, host_id: hostId, name }) => [
        hostId,
        { account, hostId: hostId as HostId, name },
      ]),
    );
    return ok({ hosts: [...hosts.values()], differences: rows.value });
  }
  const hosts: ChosenHost[] = [];
  if (search === undefined) {
    for (const { account, host_id: id } of given) {
      const host = await store.hosts.find(account, id, visible);
      if (host === undefined) return failed(missing);
      hosts.push({ account, hostId: host.host_id as HostId, name: host.name });
    }
  } else {
    const filter = hostFilterOf(search, visible, parts);
    if (!filter.ok) return filter;
    const rows = await allRows((cursor) => store.hosts.list({ ...filter.value, cursor, limit: 500 }));
    if (!rows.ok) return rows;
    hosts.push(
      ...rows.value.map(({ account, host_id: hostId, name }) => ({
        account,
        hostId: hostId as HostId,
        name,
      })),
    );
  }
  const differences: DriftRecord[] = [];
  if (change.kind === 'adopt')
    for (const [account, chosen] of Map.groupBy(hosts, (host) => host.account)) {
      const hostIds = chosen.map(({ hostId }) => hostId);
      const rows = await allRows((cursor) =>
        store.hosts.drift({ account, hostIds, ignored: false, visible, cursor, limit: 500 }),
      );
      if (!rows.ok) return rows;
      differences.push(...rows.value);
    }
  return ok({ hosts, differences });
}

/** All rows of a list, or a problem if they are of more hosts than a proposal may have. */
async function allRows<Row extends { readonly account: string; readonly host_id: string }>(
  read: Parameters<typeof pagesOf<Row>>[0],
): Promise<Result<readonly Row[]>> {
  const rows: Row[] = [];
  const hosts = new Set<string>();
  for await (const page of pagesOf(read)) {
    if (!page.ok) return page;
    rows.push(...page.value);
    for (const { account, host_id: id } of page.value) hosts.add(`${account}/${id}`);
    if (hosts.size > mostProposedHosts) return failed(tooManyHosts);
  }
  return ok(rows);
}

const noGroup = problem('invalid-value', '"change.group" is missing', {
  hint: 'name the group, or give null',
});
const noText = problem('invalid-value', '"change.replace" is missing', {
  hint: 'give the new text of the names',
});
const oneChoice = problem('invalid-value', 'Give exactly one of "hosts", "search" and "drift"', {
  hint: 'name the hosts, or say what selects them',
});
const nobody = problem('not-found', 'No host was chosen', {
  hint: 'GET /api/v1/hosts lists the hosts that a search finds',
});
const tooManyHosts = problem('too-large', `A proposal has at most ${grouped(mostProposedHosts)} hosts`, {
  hint: 'narrow the search, choose one cause, or write a rule in the desired state',
});
const tooManyAccounts = problem('too-large', `A proposal has at most ${mostProposedAccounts} accounts`, {
  hint: 'choose hosts of fewer accounts',
});
