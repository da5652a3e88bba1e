import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Grant } from '../../../api/access/grants.ts';
import { toGrant } from '../../../api/access/grants.ts';
import { printable } from '../../../core/lib/printable.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { PipelineSettings } from '../../settings/server-settings.ts';
import type { Acts, LoginParts } from '../rules/acts.ts';
import type { PipelineKeys } from '../rules/pipeline-keys.ts';
import { hashOfSecret, randomSecret } from '../rules/secret-text.ts';
import type { StoredIdentity } from '../rules/stored-identity.ts';
import { pipelineLifeMs, pipelineTokenPrefix } from './identify.ts';

export interface PipelineToken {
  readonly token: string;
  readonly subject: Extract<StoredIdentity, { kind: 'pipeline' }>['subject'];
  readonly grants: readonly Grant[];
  readonly expiresAt: Date;
}

type ExchangeParts = Pick<LoginParts, 'settings' | 'store' | 'clock' | 'hide'> & {
  readonly acts: Acts;
  readonly keys: PipelineKeys;
};

/** The issuer's tokens of jobs live longer than this; the job must exchange them early. */
const mostAge = '1h';
const clockTolerance = '30s';
const longestToken = 16_384;

/** Other claims are compared with the settings. */
const usedClaims = z.object({
  sub: z.string().regex(/^[\x20-\x7e]{1,500}$/),
  jti: z.string(),
  exp: z.number(),
});

/**
 * Exchanges the OIDC token of a GitHub or GitLab job for a token of the server. The issuer must be one of the settings,
 * so the token itself never decides where its keys are read. Each token is exchanged once.
 */
export async function exchangeToken(
  jwt: string,
  from: string,
  { settings, store, clock, hide, acts, keys }: ExchangeParts,
): Promise<Result<PipelineToken>> {
  const issuer = issuerOf(jwt);
  if (issuer === null) return refused(noToken, 'send the OIDC token that the CI system gives to the job');
  const rules = settings.pipelines.filter((each) => each.issuer === issuer);
  if (rules.length === 0)
    return refused(`its issuer "${printable(issuer.slice(0, 200))}" is not in the settings`);
  const claims = await verified(jwt, issuer, rules, keys, clock.now());
  if (!claims.ok) return claims;
  const used = usedClaims.safeParse(claims.value);
  if (!used.success) {
    return refused(`its claim "${used.error.issues[0]?.path[0]?.toString()}" is missing or not usable`);
  }
  const { sub, jti, exp } = used.data;
  const matching = rules.filter((rule) => matches(rule, claims.value));
  if (matching.length === 0) return refused('no pipeline in the settings has its audience and claims');
  if (!(await store.tickets.useJti(issuer, jti, new Date((exp + 60) * 1000)))) {
    return refused('it was exchanged before', 'request a new token from the CI system for each exchange');
  }
  const subject = { kind: 'pipeline' as const, id: sub, name: nameOf(claims.value, sub) };
  const grants = matching.map(toGrant);
  const recorded = await acts.record({
    kind: 'token-exchanged',
    by: subject,
    from,
    what: { issuer, grants },
  });
  if (!recorded.ok) return recorded;
  const token = pipelineTokenPrefix + randomSecret();
  hide([token]);
  const identity: StoredIdentity = { kind: 'pipeline', subject, grants };
  await store.sessions.create({ hash: hashOfSecret(token), identity, lifeMs: pipelineLifeMs });
  return ok({ token, subject, grants, expiresAt: new Date(clock.now() + pipelineLifeMs) });
}

function issuerOf(jwt: string): string | null {
  if (jwt.length > longestToken) return null;
  try {
    const issuer: unknown = decodeJwt(jwt).iss;
    return typeof issuer === 'string' ? issuer : null;
  } catch {
    return null;
  }
}

async function verified(
  jwt: string,
  issuer: string,
  rules: readonly PipelineSettings[],
  keys: PipelineKeys,
  now: number,
): Promise<Result<JWTPayload>> {
  try {
    const { payload } = await jwtVerify(jwt, await keys.of(issuer), {
      issuer,
      audience: rules.map(({ audience }) => audience),
      algorithms: ['RS256'],
      maxTokenAge: mostAge,
      clockTolerance,
      currentDate: new Date(now),
    });
    return ok(payload);
  } catch (error) {
    return error instanceof errors.JOSEError ? refused(wordsOf(error)) : failed(unavailable(issuer));
  }
}

/** Claims are compared as texts: providers write ids as texts and as numbers. A rule without claims matches nothing. */
function matches({ audience, claims }: PipelineSettings, payload: JWTPayload): boolean {
  const required = Object.entries(claims);
  return (
    required.length > 0 &&
    [payload.aud].flat().includes(audience) &&
    required.every(([name, values]) => {
      const value = payload[name];
      const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return isScalar && values.includes(String(value));
    })
  );
}

/** The repository as GitHub or GitLab calls it, which is only shown. */
function nameOf(payload: JWTPayload, sub: string): string {
  const name = payload['repository'] ?? payload['project_path'];
  return printable((typeof name === 'string' && name !== '' ? name : sub).slice(0, 200));
}

function wordsOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `its claim "${error.claim}" is ${error.reason === 'missing' ? 'missing' : 'not the expected one'}`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'its key is unknown to the issuer';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'it is not signed with RS256';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  return noToken;
}

const noToken = 'it is not a valid JSON Web Token with an issuer';

function refused(
  why: string,
  hint = 'compare issuer, audience and claims with "pipelines" in the settings of the server',
) {
  return failed(problem('not-authenticated', `The pipeline's token is refused: ${why}`, { hint }));
}

function unavailable(issuer: string): Problem {
  return problem('network', `The keys of ${issuer} can't be read, so its tokens can't be checked`, {
    hint: 'try again; if this persists, check the network between the server and the issuer',
  });
}
