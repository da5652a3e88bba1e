import type { z } from 'zod';
import { isVisible } from '../../../api/access/grants.ts';
import { limitGrants } from '../../../api/access/limit-grants.ts';
import { pauseShape } from '../../../api/accounts.ts';
import { idParams, pageOf, pageQuery } from '../../../api/resource.ts';
import { pauseRequest } from '../../../api/settings.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { afterCommit } from '../../http/after-commit.ts';
import { inThePast, missing } from '../../http/api-answers.ts';
import { type RouteCall, recordAct, route } from '../../http/route.ts';
import type { PauseRecord } from '../records/pauses.ts';
import { wakeAccounts } from '../rules/happen.ts';
import { coveredAccounts } from './paused-accounts.ts';
import { selectedNames } from './selected-names.ts';

export const pauseRoutes = [
  route({
    id: 'listPauses',
    method: 'get',
    path: '/api/v1/pauses',
    tag: 'Pauses',
    summary: 'List the pauses that hold now.',
    access: { action: 'read', on: 'accounts' },
    query: pageQuery,
    answer: pageOf(pauseShape),
    handle: ({ query, visible, parts: { store, settings } }) =>
      store.pauses.page(
        query,
        ({ scope }) =>
          visible === 'all' || coveredAccounts(scope, settings).some((name) => isVisible(visible, name)),
      ),
  }),
  route({
    id: 'createPause',
    method: 'post',
    path: '/api/v1/pauses',
    tag: 'Pauses',
    summary: 'Pause an account, the accounts of an expression, or everything.',
    access: { action: 'pause', on: 'accounts' },
    body: pauseRequest,
    answer: pauseShape,
    status: 201,
    async handle(call) {
      const { body, identity, parts } = call;
      const limited = withinOwn(call);
      if (!limited.ok) return limited;
      const scope = scopeOf({ ...body, where: limited.value });
      if (limited.value !== undefined) {
        const selected = selectedNames(parts.settings, limited.value, 'all');
        if (!selected.ok) return selected;
      }
      if (body.account !== undefined && coveredAccounts(scope, parts.settings).length === 0)
        return failed(missing);
      const until = body.until === undefined ? null : new Date(body.until);
      if (until !== null && until.getTime() <= parts.clock.now()) return failed(inThePast);
      const may = mayChange(call, scope);
      if (!may.ok) return may;
      const recorded = await recordAct(call, 'paused', auditDetails(scope), body.reason);
      if (!recorded.ok) return recorded;
      const made = await parts.store.transaction(async (store) => {
        const added = await store.pauses.add({ scope, by: identity.subject, reason: body.reason, until });
        await store.events.append(eventOf(added));
        return added;
      });
      await afterCommit(parts, () => wakeAccounts(parts));
      return ok(made);
    },
  }),
  route({
    id: 'deletePause',
    method: 'delete',
    path: '/api/v1/pauses/{id}',
    tag: 'Pauses',
    summary: 'End a pause.',
    access: { action: 'pause', on: 'accounts' },
    params: idParams,
    answer: pauseShape,
    async handle(call) {
      const { params, parts } = call;
      const found = (await parts.store.pauses.list()).find(({ id }) => id === params.id);
      if (found === undefined) return failed(missing);
      const may = mayChange(call, found.scope);
      if (!may.ok) return may;
      const recorded = await recordAct(call, 'resumed', auditDetails(found.scope));
      if (!recorded.ok) return recorded;
      await parts.store.transaction(async (store) => {
        await store.pauses.end(found.id);
        await store.events.append(eventOf(found));
      });
      await afterCommit(parts, () => wakeAccounts(parts));
      return ok(found);
    },
  }),
];

/**
 * The expression, limited to the accounts that the caller may pause. Refusing one that selects others would reveal
 * their names and labels.
 */
function withinOwn({
  body,
  visible,
  identity,
  parts,
}: RouteCall<unknown, unknown, z.output<typeof pauseRequest>>): Result<string | undefined> {
  const { where } = body;
  if (where === undefined || visible === 'all') return ok(where);
  const limited = limitGrants(identity.grants, [{ role: 'operator', where }], parts.settings.labels);
  return limited.ok ? ok(limited.value[0]?.where) : limited;
}

function scopeOf({
  account,
  where,
}: Pick<z.output<typeof pauseRequest>, 'account'> & { readonly where: string | undefined }): string {
  if (account !== undefined) return `account:${account}`;
  return where === undefined ? 'all' : `where:${where}`;
}

/**
 * A pause applies to accounts, so creating or ending one requires the role for each of them; for everything, and for an
 * expression that selects nothing now, it requires the role everywhere.
 */
function mayChange({ parts: { settings }, may, visible }: RouteCall, scope: string): Result<null> {
  const names = coveredAccounts(scope, settings);
  const isAllowed =
    scope === 'all' || names.length === 0 ? may('pause', null) : names.every((name) => may('pause', name));
  if (isAllowed) return ok(null);
  const isSeen = visible === 'all' || names.some((name) => isVisible(visible, name));
  return failed(isSeen ? forbidden : missing);
}

const forbidden = problem('forbidden', 'You may not pause all of these accounts', {
  hint: 'pause the accounts for which you have the role operator',
});

function auditDetails(scope: string) {
  return scope.startsWith('account:') ? { scope, account: scope.slice('account:'.length) } : { scope };
}

function eventOf({ id, scope }: PauseRecord) {
  const { account = null } = auditDetails(scope);
  return { type: 'account.changed', account, resource: null, data: { pause: id } } as const;
}
