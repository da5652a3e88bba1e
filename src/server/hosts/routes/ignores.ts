import { ignore, ignored, ignoreRequest } from '../../../api/ignores.ts';
import { accountParams, idParams, pageOf, pageQuery } from '../../../api/resource.ts';
import { failed, ok, problem } from '../../../core/problem/problem.ts';
import { afterCommit } from '../../http/after-commit.ts';
import { inThePast, missing } from '../../http/api-answers.ts';
import { onAccount, readAccount } from '../../http/on-account.ts';
import { recordAct, route } from '../../http/route.ts';

const longest = 366 * 24 * 3_600_000;

export const ignoreRoutes = [
  route({
    id: 'listIgnores',
    method: 'get',
    path: '/api/v1/accounts/{name}/ignores',
    tag: 'Accounts',
    summary: 'List the differences of an account that are ignored until a time.',
    access: readAccount,
    params: accountParams,
    query: pageQuery,
    answer: pageOf(ignore),
    handle: ({ params: { name }, query, visible, parts: { store } }) =>
      store.ignores.list({ ...query, account: name, visible }),
  }),
  route({
    id: 'createIgnore',
    method: 'post',
    path: '/api/v1/accounts/{name}/ignores',
    tag: 'Accounts',
    summary: 'Ignore differences of an account until a time. Plans still contain them.',
    access: onAccount('pause'),
    params: accountParams,
    body: ignoreRequest,
    answer: ignored,
    status: 201,
    async handle(call) {
      const { params, body, identity, parts } = call;
      const until = new Date(body.until);
      const left = until.getTime() - parts.clock.now();
      if (left <= 0) return failed(inThePast);
      if (left > longest) return failed(tooLong);
      const recorded = await recordAct(
        call,
        'drift-ignored',
        {
          account: params.name,
          until: body.until,
          ...(body.cause === undefined
            ? { differences: body.differences?.length, first: body.differences?.slice(0, 20) }
            : { cause: body.cause }),
        },
        body.reason,
      );
      if (!recorded.ok) return recorded;
      const count = await parts.store.ignores.add({
        account: params.name,
        differences: body.differences?.map(({ host_id, attribute }) => ({ hostId: host_id, attribute })),
        cause: body.cause,
        reason: body.reason,
        by: identity.subject,
        until,
      });
      if (count === 0) return failed(nothing);
      await afterCommit(parts, () => parts.queue.send('check', [params.name]));
      return ok({ differences: count, until: until.toISOString() });
    },
  }),
  route({
    id: 'deleteIgnore',
    method: 'delete',
    path: '/api/v1/accounts/{name}/ignores/{id}',
    tag: 'Accounts',
    summary: 'Stop ignoring a difference before its time.',
    access: onAccount('pause'),
    params: accountParams.extend(idParams.shape),
    answer: ignore,
    async handle(call) {
      const { params, parts, visible } = call;
      const found = await parts.store.ignores.find(params.id, visible);
      if (found?.account !== params.name) return failed(missing);
      const recorded = await recordAct(call, 'drift-ignore-ended', {
        account: params.name,
        host: found.host_id,
        attribute: found.attribute,
      });
      if (!recorded.ok) return recorded;
      await parts.store.ignores.remove(found.id);
      await afterCommit(parts, () => parts.queue.send('check', [params.name]));
      return ok(found);
    },
  }),
];

const tooLong = problem('invalid-value', '"until" is more than 366 days away', {
  hint: 'give an earlier time, or change the desired state',
});
const nothing = problem('not-found', 'The last check did not find this difference', {
  hint: 'GET /api/v1/accounts/{name}/drift lists the differences',
});
