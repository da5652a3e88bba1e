import { toGrant } from '../../../api/access/grants.ts';
import { idParams, pageOf, pageQuery } from '../../../api/resource.ts';
import { createdToken, newToken, tokenRow } from '../../../api/settings.ts';
import { failed, ok } from '../../../core/problem/problem.ts';
import { mapPage } from '../../database/page.ts';
import { missing } from '../../http/api-answers.ts';
import { recordAct, route } from '../../http/route.ts';
import { toTokenRow } from '../../http/shapes.ts';
import { createToken } from './create-token.ts';

export const tokenRoutes = [
  route({
    id: 'listTokens',
    method: 'get',
    path: '/api/v1/tokens',
    tag: 'Tokens',
    summary: 'List the tokens of scripts, without the tokens themselves.',
    access: { action: 'manage-tokens', on: 'server' },
    query: pageQuery,
    answer: pageOf(tokenRow),
    async handle({ query, parts: { store } }) {
      return mapPage(await store.tokens.list(query), toTokenRow);
    },
  }),
  route({
    id: 'createToken',
    method: 'post',
    path: '/api/v1/tokens',
    tag: 'Tokens',
    summary: 'Create a token with at most your own roles. Only this answer contains it.',
    access: { action: 'manage-tokens', on: 'server' },
    body: newToken,
    answer: createdToken,
    status: 201,
    isSecret: true,
    async handle({ body: { name, grants, expires_in_days }, identity, parts, peer }) {
      const asked = { name, grants: grants.map(toGrant), days: expires_in_days };
      const created = await createToken(asked, identity, peer.address, parts);
      if (!created.ok) return created;
      return ok({ ...toTokenRow(created.value.record), token: created.value.token });
    },
  }),
  route({
    id: 'revokeToken',
    method: 'delete',
    path: '/api/v1/tokens/{id}',
    tag: 'Tokens',
    summary: 'Revoke a token at once.',
    access: { action: 'manage-tokens', on: 'server' },
    params: idParams,
    answer: tokenRow,
    async handle(call) {
      const { params, parts } = call;
      const token = await parts.store.tokens.find(params.id);
      if (token === undefined) return failed(missing);
      if (token.revoked_at !== null) return ok(toTokenRow(token));
      const recorded = await recordAct(call, 'token-revoked', { token: token.name, token_id: token.id });
      if (!recorded.ok) return recorded;
      return ok(toTokenRow((await parts.store.tokens.revoke(token.id)) ?? token));
    },
  }),
];
