import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountConfig } from '../../src/accounts/config/account-config.ts';
import { type Role, roles } from '../../src/api/access/action.ts';
import { type Grant, isVisible, type Visible } from '../../src/api/access/grants.ts';
import type { ApiRoute, RouteCall } from '../../src/server/http/route.ts';
import { createHttp, type Http } from '../../src/server/start/create-http.ts';
import { routes } from '../../src/server/start/routes.ts';
import type { Store } from '../../src/server/store/open-store.ts';
import { givenAccountConfig } from '../given/account-config.ts';
import { httpParts, identifyBy, settingsOf } from './http/given.ts';

interface Expected {
  readonly roles: readonly Role[];
  /** One account, rows of accounts, something that belongs to no account, or only the caller. */
  readonly on: 'account' | 'accounts' | 'server' | 'self';
}

const everyone: readonly Role[] = roles;
const readsOne: Expected = { roles: everyone, on: 'account' };
const readsMany: Expected = { roles: everyone, on: 'accounts' };
const approves: Expected = { roles: ['approver', 'admin'], on: 'account' };
const rollsOut: Expected = { roles: ['operator', 'admin'], on: 'accounts' };
const redrives: Expected = { roles: ['operator', 'admin'], on: 'server' };
const managesTokens: Expected = { roles: ['admin'], on: 'server' };

/** Written by hand for every operation. A new route fails until somebody decides who may call it. */
const expected: Readonly<Record<string, Expected>> = {
  getMe: { roles: everyone, on: 'self' },
  getOverview: readsMany,
  getHistory: readsMany,
  listAccounts: readsMany,
  getAccount: readsOne,
  listDrift: readsOne,
  listAccountHosts: readsOne,
  listTimeline: readsOne,
  checkAccounts: { roles: ['planner', 'operator', 'admin'], on: 'accounts' },
  planAccounts: { roles: ['planner', 'admin'], on: 'accounts' },
  listCauses: readsMany,
  listHosts: readsMany,
  countHosts: readsMany,
  getHost: readsOne,
  listPlans: readsMany,
  comparePlans: readsMany,
  getPlan: readsOne,
  listPlanHosts: readsOne,
  getPlanFiles: readsOne,
  getPlanDocument: readsOne,
  approvePlan: approves,
  rejectPlan: approves,
  rehearsePlan: { roles: ['planner', 'approver', 'operator', 'admin'], on: 'account' },
  commentPlan: { roles: ['planner', 'approver', 'operator', 'admin'], on: 'account' },
  proposeChange: { roles: ['planner', 'admin'], on: 'accounts' },
  openProposal: { roles: ['planner', 'admin'], on: 'accounts' },
  listRuns: readsMany,
  getRun: readsOne,
  listRunEvents: readsOne,
  stopRun: { roles: ['operator', 'admin'], on: 'account' },
  overrideRun: { roles: ['operator', 'admin'], on: 'account' },
  undoRun: { roles: ['operator', 'admin'], on: 'account' },
  listRollouts: readsMany,
  getRollout: readsMany,
  startRollout: { roles: ['operator', 'admin'], on: 'accounts' },
  stopRollout: rollsOut,
  continueRollout: rollsOut,
  abortRollout: rollsOut,
  listAudit: readsMany,
  listAuditChoices: readsMany,
  exportAudit: readsMany,
  verifyAudit: { roles: everyone, on: 'server' },
  getSettings: { roles: everyone, on: 'server' },
  listDeliveries: { roles: everyone, on: 'server' },
  resendDelivery: redrives,
  testNotification: redrives,
  redriveNotification: redrives,
  listTokens: managesTokens,
  createToken: managesTokens,
  revokeToken: managesTokens,
  listPauses: readsMany,
  listIgnores: readsOne,
  createIgnore: { roles: ['operator', 'admin'], on: 'account' },
  deleteIgnore: { roles: ['operator', 'admin'], on: 'account' },
  createPause: { roles: ['operator', 'admin'], on: 'accounts' },
  deletePause: { roles: ['operator', 'admin'], on: 'accounts' },
  streamEvents: readsMany,
};

const labels = new Set(['region']);
const account = (name: string, region: string): AccountConfig =>
  givenAccountConfig({ name, labels: { region }, configuredLabels: labels, isReviewed: true });

/** Every plan and run belongs to contoso. */
const ofContoso = (_id: string, visible: Visible) =>
  Promise.resolve(isVisible(visible, 'contoso') ? { account: 'contoso' } : undefined);
const store = { plans: { find: ofContoso }, runs: { find: ofContoso }, events: {} } as unknown as Store;

/** The same route, whose handler only records the call and the accounts that it was given. */
function reporting({ params: _params, query: _query, body: _body, ...route }: ApiRoute): ApiRoute {
  return {
    ...route,
    handle: async ({ visible }: RouteCall) => Response.json({ reached: route.id, visible }),
  };
}

const own = 'region == "eu"';
const foreign = 'region == "us"';
const nowhere = 'region == "moon"';

/** The grants of a caller are in the token. */
const tokens: Record<string, { readonly grants: readonly Grant[] }> = { nothing: { grants: [] } };
for (const role of roles) {
  tokens[`${role}-everywhere`] = { grants: [{ role }] };
  for (const [name, where] of Object.entries({ own, foreign, nowhere }))
    tokens[`${role}-${name}`] = { grants: [{ role, where }] };
}

let http: Http;
beforeAll(() => {
  const many = { burst: 1_000_000, perSecond: 1_000_000 };
  http = createHttp(
    httpParts({
      settings: settingsOf({ accounts: [account('contoso', 'eu'), account('fabrikam', 'us')], labels }),
      store,
      identify: identifyBy(tokens),
      limits: { caller: many, stranger: many },
    }),
    routes.map(reporting),
  );
});
afterAll(() => http.close());

async function call({ method, path }: ApiRoute, token: string | null): Promise<string> {
  const address = path.replace('/accounts/{name}', '/accounts/contoso').replaceAll(/\{\w+\}/g, 'x');
  const request = new Request(`http://127.0.0.1:4567${address}`, {
    method: method.toUpperCase(),
    headers: {
      host: '127.0.0.1:4567',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'post' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'post' ? { body: '{}' } : {}),
  });
  const answer = await http.fetch(request);
  if (answer.status !== 200) return String(answer.status);
  const { visible } = (await answer.json()) as { readonly visible: Visible };
  return `reached with ${visible === 'all' ? 'all' : visible.join(', ') || 'nothing'}`;
}

/** What a caller with one grant gets. */
function outcome({ roles: allowed, on }: Expected, role: Role, scope: string): string {
  const seen = { everywhere: 'all', own: 'contoso', foreign: 'fabrikam', nowhere: 'nothing' }[scope] ?? '';
  const isAllowed = allowed.includes(role);
  switch (on) {
    case 'self':
      return `reached with ${seen}`;
    case 'accounts':
      return isAllowed && scope !== 'nowhere' ? `reached with ${seen}` : '403';
    case 'server':
      return isAllowed && scope === 'everywhere' ? 'reached with all' : '403';
    case 'account':
      if (scope === 'foreign' || scope === 'nowhere') return '404';
      return isAllowed ? `reached with ${seen}` : '403';
  }
}

test('every route of the API is in a handwritten list of who may call it', () => {
  const byName = (one: string, other: string) => one.localeCompare(other);
  expect(routes.map(({ id }) => id).toSorted(byName)).toEqual(Object.keys(expected).toSorted(byName));
});

describe.each(routes.map((route) => [route.id, route] as const))('the route %s', (id, route) => {
  const needs = expected[id] as Expected;

  test('can be called by exactly the roles in the table, on their accounts only', async () => {
    for (const role of roles) {
      for (const scope of ['everywhere', 'own', 'foreign', 'nowhere']) {
        const who = `${role}-${scope}`;
        expect([who, await call(route, who)]).toEqual([who, outcome(needs, role, scope)]);
      }
    }
  });

  test('can be called by nobody without a token, with a wrong one, or without a role', async () => {
    expect(await call(route, null)).toBe('401');
    expect(await call(route, 'wrong')).toBe('401');
    const refusals = { self: 'reached with nothing', accounts: '403', server: '403', account: '404' };
    expect(await call(route, 'nothing')).toBe(refusals[needs.on]);
  });
});
