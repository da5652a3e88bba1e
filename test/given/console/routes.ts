import type { AccountRow } from '../../../src/api/accounts.ts';
import type { HostListRow } from '../../../src/api/hosts.ts';
import {
  causes,
  givenAccountDetail,
  givenAccounts,
  givenDrift,
  givenIgnores,
  givenTimeline,
} from './accounts.ts';
import type { FakeRequest, FakeRoute } from './fake-api.ts';
import { allHosts, facets, givenHost, givenHostDetail } from './hosts.ts';
import { givenHistory, givenMe, givenOverview } from './overview.ts';
import { after, givenPlanRow } from './plans.ts';
import { givenProposal } from './proposals.ts';

/** The part of a list that a request selects. The cursor is the index of its first row. */
export function pageOf<Row>({ query }: FakeRequest, rows: readonly Row[]) {
  const first = Number(query.get('cursor') ?? 0);
  const limit = Number(query.get('limit') ?? 100);
  const items = rows.slice(first, first + limit);
  const next = first + limit < rows.length ? { next: String(first + limit) } : {};
  return { status: 200, body: { items, total: rows.length, ...next } };
}

export function accountsRoute(accounts: readonly AccountRow[]): FakeRoute {
  return (request) => {
    const text = request.query.get('q') ?? '';
    const healths = request.query.get('health')?.split(',');
    return pageOf(
      request,
      accounts.filter(
        ({ name, health }) =>
          name.includes(text) && (healths === undefined || healths.includes(health ?? 'unchecked')),
      ),
    );
  };
}

function hostsRoute(hosts: readonly HostListRow[]): FakeRoute {
  return (request) => {
    const { query } = request;
    const text = query.get('q')?.toLowerCase() ?? '';
    const drifted = query.get('drifted');
    return pageOf(
      request,
      hosts.filter(
        (host) =>
          (host.name ?? '').toLowerCase().includes(text) &&
          (host.name ?? '').toLowerCase() >= (query.get('from') ?? '').toLowerCase() &&
          (drifted === null || String(host.drifted) === drifted) &&
          (query.get('group') ?? host.group) === host.group &&
          (query.get('state') ?? host.state) === host.state,
      ),
    );
  };
}

/** As many hosts as wanted, without keeping them. A search leaves one in a hundred. */
export function manyHostsRoute(count: number): FakeRoute {
  return ({ query }) => {
    const first = Number(query.get('cursor') ?? 0);
    const limit = Number(query.get('limit') ?? 100);
    const total = query.get('q') === null ? count : Math.ceil(count / 100);
    const length = Math.max(0, Math.min(limit, total - first));
    const items = Array.from({ length }, (_, index) => givenHost(first + index));
    return {
      status: 200,
      body: { items, total, ...(first + limit < total && { next: String(first + limit) }) },
    };
  };
}

const accounts = givenAccounts(1_204);

/** A server with many accounts on which something of everything happens. */
export function usualRoutes(): Readonly<Record<string, FakeRoute>> {
  return {
    'GET /me': { body: givenMe() },
    'GET /overview': { body: givenOverview() },
    'GET /history': { body: givenHistory() },
    'GET /causes': { body: { items: causes } },
    'GET /accounts': accountsRoute(accounts),
    'POST /accounts/check': { body: { accounts: 1, queued: 1 } },
    'POST /accounts/plan': { body: { accounts: 1, queued: 1 } },
    'POST /pauses': { body: {} },
    'DELETE /pauses/{id}': () => ({ status: 204, body: null }),
    'GET /accounts/{name}': { body: givenAccountDetail() },
    'GET /accounts/{name}/drift': (request) =>
      pageOf(
        request,
        givenDrift(24).filter(({ cause }) => cause === (request.query.get('cause') ?? cause)),
      ),
    'GET /accounts/{name}/ignores': (request) => pageOf(request, givenIgnores()),
    'POST /accounts/{name}/ignores': () => ({ status: 201, body: { differences: 1, until: after(10_080) } }),
    'DELETE /accounts/{name}/ignores/{id}': { body: givenIgnores()[0] },
    'GET /accounts/{name}/hosts': (request) => pageOf(request, allHosts.slice(0, 812)),
    'GET /accounts/{name}/timeline': (request) => pageOf(request, givenTimeline()),
    'GET /accounts/{name}/hosts/{id}': { body: givenHostDetail() },
    'GET /plans': (request) =>
      pageOf(request, [givenPlanRow(), givenPlanRow({ id: 'pl_contoso_0', state: 'done' })]),
    'GET /hosts': hostsRoute(allHosts),
    'GET /hosts/facets': { body: facets },
    'POST /proposals': { body: givenProposal() },
    'POST /proposals/open': () => ({
      status: 201,
      body: { pulls: [{ source: 'fleet', number: 128, page: 'https://github.com/acme/fleet/pull/128' }] },
    }),
  };
}
