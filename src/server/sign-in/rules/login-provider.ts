import type * as OpenId from 'openid-client';
import { codeOf } from '../../../core/lib/error-code.ts';
import { printable } from '../../../core/lib/printable.ts';
import type { Clock } from '../../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { createGuardedHttp, type GuardedHttp } from '../../../service/client/guarded-fetch.ts';
import { readSecret } from '../../settings/read-secret.ts';
import type { LoginSettings } from '../../settings/server-settings.ts';
import type { LoginParts } from './acts.ts';
import { emailIn, groupsIn, nameIn } from './people-claims.ts';

/** What a browser carries from the start of a login to its end. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where to go afterwards. */
  readonly to: string;
}

export interface Person {
  /** The id at the provider. */
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly groups: readonly string[];
}

/** An OpenID Connect provider. No method rejects, and no problem contains a secret. */
export interface LoginProvider {
  /** `asksWho`: the provider asks who signs in, even if it knows the browser. */
  begin(
    to: string,
    asksWho?: boolean,
  ): Promise<Result<{ readonly url: string; readonly attempt: LoginAttempt }>>;
  /** `search` is the query of the callback. */
  finish(search: string, attempt: LoginAttempt): Promise<Result<Person>>;
  /** Where to sign out of the provider; null if it offers nothing, or is down. */
  logoutUrl(): Promise<string | null>;
  close(): Promise<void>;
}

/** The metadata of the provider are read again after this time. */
const freshMs = 3_600_000;
/** After a failure, the provider is left alone for this time. */
const restMs = 3_000;
/** How far the clock of the provider may be ahead of ours. */
const toleranceMs = 30_000;

type Library = typeof OpenId;

export function createLoginProvider(login: LoginSettings, parts: LoginParts): LoginProvider {
  const { clock, url } = parts;
  const issuer = new URL(login.issuer);
  const http = guardedHttpFor(issuer, parts);
  const discover = cached(clock, () => discoverProvider(login, issuer, http, parts));
  const callback = () => `${url()}/login/callback`;

  return {
    async begin(to, asksWho = false) {
      const client = await import('openid-client');
      const config = await discover();
      if (!config.ok) return config;
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        to,
      };
      const address = client.buildAuthorizationUrl(config.value, {
        redirect_uri: callback(),
        scope: login.scopes.join(' '),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
        ...(asksWho ? { prompt: 'login' } : {}),
      });
      return ok({ url: address.href, attempt });
    },

    async finish(search, { state, nonce, verifier }) {
      const client = await import('openid-client');
      const config = await discover();
      if (!config.ok) return config;
      try {
        const tokens = await client.authorizationCodeGrant(config.value, new URL(callback() + search), {
          expectedState: state,
          // With it, the response must contain a token about the person.
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const claims = tokens.claims();
        if (claims === undefined || !/^[\x21-\x7e]{1,255}$/.test(claims.sub)) return failed(noPerson);
        // The library checks when a token ends, and not that it has begun.
        if (claims.iat * 1_000 > clock.now() + toleranceMs) return failed(notYet);
        return ok(await personOf(claims, tokens.access_token, config.value));
      } catch (error) {
        return failed(refusal(client, error));
      }
    },

    async logoutUrl() {
      const client = await import('openid-client');
      const config = await discover();
      if (!config.ok || config.value.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(config.value, { post_logout_redirect_uri: `${url()}/` }).href;
    },

    close: () => http.close(),
  };

  /** Many providers put the groups only into one of the two places. */
  async function personOf(
    claims: Readonly<Record<string, unknown>> & { readonly sub: string },
    accessToken: string,
    config: OpenId.Configuration,
  ): Promise<Person> {
    let all = claims;
    if (
      groupsIn(claims, login.groupsClaim) === null &&
      config.serverMetadata().userinfo_endpoint !== undefined
    ) {
      const { fetchUserInfo } = await import('openid-client');
      all = { ...(await fetchUserInfo(config, accessToken, claims.sub)), ...claims };
    }
    return {
      id: claims.sub,
      name: nameIn(all),
      email: emailIn(all),
      groups: groupsIn(all, login.groupsClaim) ?? [],
    };
  }
}

/** The operator wrote the address of the issuer, so its host may be in a private network. */
export function guardedHttpFor(issuer: URL, { settings, env }: LoginParts): GuardedHttp {
  return createGuardedHttp({
    allowed: [...settings.allow, { kind: 'host', host: issuer.hostname }],
    env,
  });
}

async function discoverProvider(
  login: LoginSettings,
  issuer: URL,
  http: GuardedHttp,
  { env, hide, settings }: LoginParts,
): Promise<Result<OpenId.Configuration>> {
  const client = await import('openid-client');
  const secret = readSecret(login.clientSecret, 'the client secret of the login', {
    env,
    folder: settings.folder,
    hide,
  });
  if (!secret.ok) return secret;
  try {
    const config = await client.discovery(
      issuer,
      login.clientId,
      { client_secret: secret.value },
      (server, ...rest) => {
        const methods = server.token_endpoint_auth_methods_supported;
        const isBasic = methods === undefined || methods.includes('client_secret_basic');
        (isBasic ? client.ClientSecretBasic : client.ClientSecretPost)(secret.value)(server, ...rest);
      },
      {
        [client.customFetch]: http.fetch,
        execute: [
          // The key of the provider is checked too, although the token comes from it directly.
          client.enableNonRepudiationChecks,
          // The settings allow plain http to this machine only, and so does the connection.
          ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    return ok(config);
  } catch (error) {
    return failed(unreachable(issuer, error));
  }
}

/** The last good value is kept while making a new one fails. */
function cached<T>(clock: Clock, make: () => Promise<Result<T>>): () => Promise<Result<T>> {
  let last: { readonly at: number; readonly result: Result<T> } | undefined;
  let making: Promise<Result<T>> | undefined;
  return async () => {
    if (last !== undefined && clock.now() - last.at < (last.result.ok ? freshMs : restMs)) return last.result;
    making ??= make().finally(() => {
      making = undefined;
    });
    const made = await making;
    const kept = !made.ok && last?.result.ok === true ? last.result : made;
    last = { at: made.ok ? clock.now() : clock.now() - (kept.ok ? freshMs - restMs : 0), result: kept };
    return kept;
  };
}

const retry = 'sign in again; if this persists, check the settings under "login" and at the provider';
const noPerson = problem('not-authenticated', 'The login provider returned no usable user id', {
  hint: retry,
});
const notYet = problem('not-authenticated', "The login provider's token was issued in the future", {
  hint: 'compare the clocks of the provider and of this machine, then sign in again',
});

function unreachable(issuer: URL, error: unknown): Problem {
  // The library wraps a network error in one that only says that something went wrong.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? `: ${printable(cause.message)}` : '';
  return problem('network', `The login provider ${issuer.origin} can't be used${why}`, {
    hint: 'check server.login.issuer and the network; Rampart tries again at the next login',
  });
}

/** In our words: the messages of the library and of the provider may quote the request. */
function refusal(client: Library, error: unknown): Problem {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const code = /^[a-z_]{1,60}$/.test(error.error) ? error.error : 'error';
    return problem('not-authenticated', `The login provider refused the login (${code})`, { hint: retry });
  }
  const code = codeOf(error);
  const known = /^OAUTH_[A-Z_]{1,60}$/.test(code);
  return problem(
    known ? 'not-authenticated' : 'network',
    known
      ? `The login provider's answer is not valid (${code})`
      : 'The login provider did not finish the login',
    { hint: retry },
  );
}
