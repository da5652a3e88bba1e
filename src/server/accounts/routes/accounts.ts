import type { z } from 'zod';
import type { Visible } from '../../../api/access/grants.ts';
import {
  type AccountDetail,
  accountDetail,
  accountRow,
  accountsQuery,
  accountsRequest,
  cause,
  causesQuery,
  driftQuery,
  driftRow,
  healths,
  timelineRow,
} from '../../../api/accounts.ts';
import { hostRow, hostsQuery } from '../../../api/hosts.ts';
import { accepted, accountParams, pageOf, pageQuery } from '../../../api/resource.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { searchHosts } from '../../hosts/routes/search-hosts.ts';
import { missing } from '../../http/api-answers.ts';
import { listedValues } from '../../http/listed-values.ts';
import { readAccount } from '../../http/on-account.ts';
import { type Answered, type HttpParts, type RouteCall, recordAct, route } from '../../http/route.ts';
import { toAccountRow } from '../../http/shapes.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import { windowsNow } from '../decisions/windows-now.ts';
import { happen } from '../rules/happen.ts';
import { pauseFinder } from './paused-accounts.ts';
import { selectedNames } from './selected-names.ts';

/** What a check leaves for the page of an account, as far as it is as expected. */
const checkedDetail = accountDetail.pick({ windows: true, coverage: true, policies: true });
const noDetail: z.infer<typeof checkedDetail> = {
  windows: [],
  coverage: { inventory: [], antivirus: [], tables: [] },
  policies: [],
};

/** A check that another version of Rampart made may leave something else. */
function readDetail(given: unknown): z.infer<typeof checkedDetail> {
  const read = checkedDetail.safeParse(typeof given === 'object' ? { ...noDetail, ...given } : given);
  return read.success ? read.data : noDetail;
}

/** The windows and freezes of the operator now. */
function operatorWindows(name: string, { settings, clock }: Pick<HttpParts, 'settings' | 'clock'>) {
  const own = accountNamed(settings, name)?.windows ?? [];
  const { freezes } = settings;
  const now = new Date(clock.now()).toISOString();
  return windowsNow({ windows: [...own, ...settings.windows], freezes }, now);
}

export const accountRoutes = [
  route({
    id: 'listAccounts',
    method: 'get',
    path: '/api/v1/accounts',
    tag: 'Accounts',
    summary: 'List accounts, those with the worst health first.',
    access: { action: 'read', on: 'accounts' },
    query: accountsQuery,
    answer: pageOf(accountRow),
    async handle({ query, visible, parts }) {
      const names = namesOf(parts, query.where, visible);
      if (!names.ok) return names;
      const health = listedValues(query.health, [...healths, 'unchecked'] as const, 'health');
      if (!health.ok) return health;
      const page = await parts.store.accounts.list({
        visible,
        cursor: query.cursor,
        limit: query.limit,
        text: query.q,
        names: names.value,
        health: health.value,
        cause: query.cause,
      });
      if (!page.ok) return page;
      const pauseOf = pauseFinder(await parts.store.pauses.list(), parts.settings);
      return ok({
        ...page.value,
        items: page.value.items.map((each) => toAccountRow(each, pauseOf(each.name))),
      });
    },
  }),
  route({
    id: 'getAccount',
    method: 'get',
    path: '/api/v1/accounts/{name}',
    tag: 'Accounts',
    summary: 'Show one account.',
    access: readAccount,
    params: accountParams,
    answer: accountDetail,
    async handle({ params: { name }, visible, parts }) {
      const { store, settings } = parts;
      const account = await store.accounts.find(name, visible);
      if (account === undefined) return failed(missing);
      const [detail, causes, pauses] = [
        readDetail(await store.accounts.detail(name, visible)),
        await store.causes.list({ visible, account: name }),
        await store.pauses.list(),
      ];
      if (!causes.ok) return causes;
      return ok({
        ...toAccountRow(account, pauseFinder(pauses, settings)(name)),
        ...detail,
        windows: [...detail.windows, ...operatorWindows(name, parts)],
        causes: causes.value.items,
        rejection: account.plan === null ? rejectionIn(await store.plans.rejected(name)) : null,
      });
    },
  }),
  route({
    id: 'listDrift',
    method: 'get',
    path: '/api/v1/accounts/{name}/drift',
    tag: 'Accounts',
    summary: 'List the attributes of hosts that differ from the desired state.',
    access: readAccount,
    params: accountParams,
    query: driftQuery,
    answer: pageOf(driftRow),
    async handle({ params: { name }, query, visible, parts: { store } }) {
      const { cursor, limit, cause: ofCause, attribute, host_id, ignored } = query;
      return store.hosts.drift({
        visible,
        account: name,
        cursor,
        limit,
        cause: ofCause,
        attribute,
        hostIds: host_id === undefined ? undefined : [host_id],
        ignored: ignored === undefined ? undefined : ignored === 'true',
      });
    },
  }),
  route({
    id: 'listAccountHosts',
    method: 'get',
    path: '/api/v1/accounts/{name}/hosts',
    tag: 'Accounts',
    summary: 'List the hosts of one account.',
    access: readAccount,
    params: accountParams,
    query: hostsQuery.omit({ account: true, where: true }),
    answer: pageOf(hostRow),
    handle: ({ params: { name }, query, visible, parts }) =>
      searchHosts({ ...query, account: name }, visible, parts),
  }),
  route({
    id: 'listTimeline',
    method: 'get',
    path: '/api/v1/accounts/{name}/timeline',
    tag: 'Accounts',
    summary:
      'List what happened to one account, latest first: plans, decisions, runs, drift, ignores and pauses.',
    access: readAccount,
    params: accountParams,
    query: pageQuery,
    answer: pageOf(timelineRow),
    handle: ({ params: { name }, query, visible, parts: { store } }) =>
      store.timeline({ visible, account: name, ...query }),
  }),
  route({
    id: 'checkAccounts',
    method: 'post',
    path: '/api/v1/accounts/check',
    tag: 'Accounts',
    summary: 'Read fleets now and compare them with the desired state.',
    access: { action: 'check', on: 'accounts' },
    body: accountsRequest,
    answer: accepted,
    status: 202,
    handle: (call) => queueChecks(call, 'check'),
  }),
  route({
    id: 'planAccounts',
    method: 'post',
    path: '/api/v1/accounts/plan',
    tag: 'Accounts',
    summary: 'Read fleets now and make a plan for each account that differs.',
    access: { action: 'plan', on: 'accounts' },
    body: accountsRequest,
    answer: accepted,
    status: 202,
    handle: (call) => queueChecks(call, 'plan'),
  }),
  route({
    id: 'listCauses',
    method: 'get',
    path: '/api/v1/causes',
    tag: 'Overview',
    summary: 'List what causes differences, over all accounts.',
    access: { action: 'read', on: 'accounts' },
    query: causesQuery,
    answer: pageOf(cause),
    handle: ({ query, visible, parts: { store } }) => store.causes.list({ visible, ...query }),
  }),
];

/** The decision that closed the latest of these plans. */
function rejectionIn([plan]: readonly PlanRecord[]): Answered<AccountDetail['rejection']> {
  const rejection = plan?.approvals.findLast(({ decision }) => decision === 'rejected');
  if (plan === undefined || rejection === undefined) return null;
  const { by, at, comment } = rejection;
  return { plan: plan.id, by, at, reason: comment };
}

async function queueChecks(
  call: RouteCall<unknown, unknown, z.output<typeof accountsRequest>>,
  kind: 'check' | 'plan',
): Promise<Result<{ accounts: number; queued: number }>> {
  const { body, visible, parts, may } = call;
  const chosen = chosenAccounts(body, parts, visible);
  if (!chosen.ok) return chosen;
  // `visible` is limited to the accounts on which the caller may do this.
  const allowed = new Set(visible === 'all' ? chosen.value : visible);
  const names = chosen.value.filter((name) => allowed.has(name));
  const refused = body.names?.find((name) => !names.includes(name));
  if (refused !== undefined) {
    return failed(
      problem('not-found', `There is no account "${refused}", or you may not ${kind} it`, {
        hint: 'GET /api/v1/accounts lists the accounts that you may see',
      }),
    );
  }
  const recorded = await recordAct(
    call,
    kind === 'check' ? 'check-requested' : 'plan-requested',
    { accounts: names.length, first: names.slice(0, 20) },
    body.reason,
  );
  if (!recorded.ok) return recorded;
  // Someone who may also run or approve plans takes responsibility for changes that were undone, stopped, rejected or
  // failed: in mode correct, planning again lets the server repeat them, which a planner may not do.
  const isPlanned = (name: string) => kind === 'plan' && (may('run', name) || may('approve', name));
  for (const name of names.filter(isPlanned)) await happen(name, { kind: 'hold-lifted' }, parts);
  return ok({ accounts: names.length, queued: await parts.queue.send('check', names) });
}

function chosenAccounts(
  { names, where }: z.output<typeof accountsRequest>,
  { settings }: Pick<HttpParts, 'settings'>,
  visible: Visible,
): Result<readonly string[]> {
  if (where !== undefined) return selectedNames(settings, where, visible);
  const all = settings.accounts.map(({ name }) => name);
  if (names === undefined) return ok(all);
  const known = new Set(all);
  return ok([...new Set(names)].filter((name) => known.has(name)));
}

function namesOf(
  { settings }: Pick<HttpParts, 'settings'>,
  where: string | undefined,
  visible: Visible,
): Result<readonly string[] | undefined> {
  return where === undefined ? ok(undefined) : selectedNames(settings, where, visible);
}
