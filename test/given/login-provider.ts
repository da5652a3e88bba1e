import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import {
  type Adapter,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  Provider,
} from 'oidc-provider';
import { once } from '../../src/core/lib/once.ts';
import { listen } from './loopback.ts';

export interface GivenPerson {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly groups?: unknown;
}

export interface GivenProviderOptions {
  readonly redirectUris: readonly string[];
  /** Who signs in next, without being asked; null refuses. */
  readonly person: () => GivenPerson | null;
  /** Whether the groups are in the token, and not only in the response of the endpoint for facts about the person. */
  readonly groupsInToken?: boolean;
  readonly configuration?: Configuration;
  readonly client?: Partial<ClientMetadata>;
  /** Answers a request in place of the provider. */
  readonly interfere?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export const givenClient = { id: 'rampart', secret: 'client-secret-canary-0123456789abcdef' };

/** Making a key takes long, so all providers of a test file have the same one. */
const keyPair = once(() => generateKeyPair('RS256', { extractable: true }));

/** A real OpenID Connect provider on this machine, until the test is over. */
export async function startLoginProvider(options: GivenProviderOptions) {
  const requests: string[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response.writeHead(503).end();
  };
  const port = await listen(
    createServer((request, response) => {
      requests.push(`${request.method} ${request.url?.split('?')[0]}`);
      if (options.interfere?.(request, response) !== true) answer(request, response);
    }),
  );
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = await keyPair();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: givenClient.id,
        client_secret: givenClient.secret,
        redirect_uris: [...options.redirectUris],
        post_logout_redirect_uris: options.redirectUris.map((each) => new URL('/', each).href),
        response_types: ['code'],
        grant_types: ['authorization_code'],
        ...options.client,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'one' }] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'], groups: ['groups'] },
    conformIdTokenClaims: options.groupsInToken !== true,
    cookies: { keys: ['test'] },
    adapter: MapAdapter,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ ...options.person(), sub: id }),
    }),
    renderError: (context, { error, error_description }) => {
      context.type = 'text/plain';
      context.body = `${error}: ${error_description}`;
    },
    ...options.configuration,
  });
  const handle = provider.callback();
  answer = (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) {
      void interact(provider, options.person(), request, response);
    } else void handle(request, response);
  };
  return { issuer, requests, privateKey };
}

async function interact(
  provider: Provider,
  person: GivenPerson | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (person === null) {
    const refusal = { error: 'access_denied', error_description: 'refused <script>' };
    return provider.interactionFinished(request, response, refusal);
  }
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: person.sub } });
  }
  const grant =
    (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
    new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) });
  grant.addOIDCScope('openid profile email groups');
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

/** The provider warns on every start if it is given none. */
class MapAdapter implements Adapter {
  readonly #kept = new Map<string, AdapterPayload>();

  async upsert(id: string, payload: AdapterPayload) {
    this.#kept.set(id, payload);
  }
  async find(id: string) {
    return this.#kept.get(id);
  }
  async findByUid(uid: string) {
    return [...this.#kept.values()].find((each) => each.uid === uid);
  }
  async findByUserCode() {
    return undefined;
  }
  async consume(id: string) {
    const payload = this.#kept.get(id);
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id: string) {
    this.#kept.delete(id);
  }
  async revokeByGrantId(grantId: string) {
    for (const [id, { grantId: own }] of this.#kept) if (own === grantId) this.#kept.delete(id);
  }
}
