import { z } from 'zod';
import { facets, hostDetail, hostRow, hostsFilter, hostsQuery } from '../../../api/hosts.ts';
import { pageOf } from '../../../api/resource.ts';
import { failed, messageAndHint, ok } from '../../../core/problem/problem.ts';
import { missing } from '../../http/api-answers.ts';
import { readAccount } from '../../http/on-account.ts';
import { route } from '../../http/route.ts';
import { storedReview } from '../../plans/routes/plan-detail.ts';
import { explainHost } from './explain-host.ts';
import { hostHistory } from './host-history.ts';
import { hostFilterOf, searchHosts } from './search-hosts.ts';

const hostParams = z.object({ name: z.string().min(1).max(200), id: z.string().min(1).max(30) });

export const hostRoutes = [
  route({
    id: 'listHosts',
    method: 'get',
    path: '/api/v1/hosts',
    tag: 'Hosts',
    summary: 'Search the hosts of all accounts by text, group, state and drift.',
    access: { action: 'read', on: 'accounts' },
    query: hostsQuery,
    answer: pageOf(hostRow),
    handle: ({ query, visible, parts }) => searchHosts(query, visible, parts),
  }),
  route({
    id: 'countHosts',
    method: 'get',
    path: '/api/v1/hosts/facets',
    tag: 'Hosts',
    summary: 'Count the hosts of a search by account, group and state.',
    access: { action: 'read', on: 'accounts' },
    query: hostsFilter,
    answer: facets,
    async handle({ query, visible, parts }) {
      const filter = hostFilterOf(query, visible, parts);
      return filter.ok ? ok(await parts.store.hosts.facets(filter.value)) : filter;
    },
  }),
  route({
    id: 'getHost',
    method: 'get',
    path: '/api/v1/accounts/{name}/hosts/{id}',
    tag: 'Hosts',
    summary: 'Show one host: its facts, its differences, what decides each attribute, and its history.',
    access: readAccount,
    params: hostParams,
    answer: hostDetail,
    async handle({ params: { name, id }, visible, parts }) {
      const { store } = parts;
      const host = await store.hosts.find(name, id, visible);
      if (host === undefined) return failed(missing);
      const drift = await store.hosts.drift({ visible, account: name, hostIds: [id] });
      if (!drift.ok) return drift;
      const causes = await store.causes.list({ visible, account: name, limit: 500 });
      const account = await store.accounts.find(name, visible);
      if (account === undefined) return failed(missing);
      const open = account.plan === null ? undefined : await storedReview(parts, account.plan, visible);
      const planned =
        open?.ok === true ? open.value.review.hosts.find(({ host_id }) => host_id === id) : undefined;
      const claims = await parts.work.explain(host, account);
      const [why] = claims.problems;
      const history = await hostHistory(parts, account, id);
      if (!history.ok) return history;
      return ok({
        ...host,
        facts: { ...host.facts },
        drift: drift.value.items,
        explain: explainHost(
          host,
          { drift: drift.value.items, causes: causes.ok ? causes.value.items : [], planned },
          claims.ok ? claims.value : undefined,
        ),
        ...(claims.ok || why === undefined ? {} : { explain_problem: messageAndHint(why) }),
        plan: planned === undefined ? null : (account.plan?.id ?? null),
        ...history.value,
      });
    },
  }),
];
