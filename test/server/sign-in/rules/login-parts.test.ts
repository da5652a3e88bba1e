import { generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { once } from '../../../../src/core/lib/once.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../../src/core/problem/problem.ts';
import type { AuditLog } from '../../../../src/run/state/audit/audit-log.ts';
import type { AuditEntry } from '../../../../src/run/state/audit/audit-record.ts';
import type { LoginSettings, PipelineSettings } from '../../../../src/server/settings/server-settings.ts';
import { cookiesFor } from '../../../../src/server/sign-in/routes/cookies.ts';
import { createToken } from '../../../../src/server/sign-in/routes/create-token.ts';
import { exchangeToken } from '../../../../src/server/sign-in/routes/exchange.ts';
import { loginProblem } from '../../../../src/server/sign-in/routes/login-answers.ts';
import {
  createLinkAnswers,
  createProviderAnswers,
  createSessions,
} from '../../../../src/server/sign-in/routes/sessions.ts';
import { createActs, type LoginParts } from '../../../../src/server/sign-in/rules/acts.ts';
import { readAttempts, writeAttempts } from '../../../../src/server/sign-in/rules/login-attempts.ts';
import { createLoginLink } from '../../../../src/server/sign-in/rules/login-link.ts';
import type { LoginProvider, Person } from '../../../../src/server/sign-in/rules/login-provider.ts';
import { csrfOf } from '../../../../src/server/sign-in/rules/own-pages.ts';
import { emailIn, groupsIn, nameIn } from '../../../../src/server/sign-in/rules/people-claims.ts';
import type { PipelineKeys } from '../../../../src/server/sign-in/rules/pipeline-keys.ts';
import { hashOfSecret } from '../../../../src/server/sign-in/rules/secret-text.ts';
import { grantsOf } from '../../../../src/server/sign-in/rules/stored-identity.ts';
import { inAWhile, place } from '../../jobs/given.ts';
import { forgedToken } from '../forged-token.ts';

function givenActs(clock = { now: () => 0, sleep: async () => {} }) {
  const entries: AuditEntry[] = [];
  const audit = {
    append: async (_clock: unknown, added: readonly AuditEntry[]) => {
      entries.push(...added);
      return ok({ seq: 1, hash: '' });
    },
  } as unknown as AuditLog;
  return { entries, acts: createActs({ audit, clock }) };
}

describe('a record of an act', () => {
  test('contains who did it, from where, and why', async () => {
    const { entries, acts } = givenActs();
    const by = { kind: 'token', id: 'id-1', name: 'a\nscript' } as const;
    await acts.record({ kind: 'paused', by, from: '192.0.2.1', what: { scope: 'all' }, reason: 'a\nmove' });
    expect(entries).toStrictEqual([
      {
        kind: 'paused',
        origin: { actor: 'a script', host: '192.0.2.1', command: 'server', reason: 'a move' },
        what: { by: { ...by, name: 'a script' }, scope: 'all' },
      },
    ]);
  });

  test('reports an unknown name, and a first refusal counts no others', async () => {
    const { entries, acts } = givenActs();
    const by = { kind: 'person', id: '', name: '' } as const;
    await acts.recordRefusal({ kind: 'login-refused', by, from: '', what: {} });
    expect(entries).toStrictEqual([
      {
        kind: 'login-refused',
        origin: { actor: 'unknown', host: 'unknown', command: 'server' },
        what: { by: { kind: 'person', id: '', name: '' } },
      },
    ]);
  });
});

describe('the records of refusals', () => {
  const given = () => {
    let time = 0;
    const { entries, acts } = givenActs({ now: () => time, sleep: async () => {} });
    const refuse = async (id: string, times = 1) => {
      const by = { kind: 'person', id, name: id } as const;
      for (let at = 0; at < times; at += 1)
        await acts.recordRefusal({ kind: 'login-refused', by, from: '192.0.2.1', what: {} });
      return entries.length;
    };
    return { entries, refuse, pass: (ms: number) => (time += ms) };
  };

  test('are limited to 20 for one sender, then one in a minute, which counts those between', async () => {
    const { entries, refuse, pass } = given();
    expect(await refuse('a', 25)).toBe(20);
    pass(59_000);
    expect(await refuse('a')).toBe(20);
    pass(2_000);
    expect(await refuse('a')).toBe(21);
    expect(entries.at(-1)?.what).toMatchObject({ unrecorded: 6 });
    expect(await refuse('b')).toBe(22);
    expect(entries.at(-1)?.what).not.toHaveProperty('unrecorded');
  });

  test('are limited to 200 for all senders, then one in ten seconds', async () => {
    const { refuse, pass } = given();
    for (let sender = 0; sender < 11; sender += 1) await refuse(`s${sender}`, 19);
    expect(await refuse('late')).toBe(200);
    pass(5_000);
    expect(await refuse('later')).toBe(200);
    pass(2_000);
    expect(await refuse('latest')).toBe(201);
  });
});

/** The parts of signing in with a store in memory, which waits a while before each change, and an audit log that may refuse. */
function givenParts({ isRecorded = true, url = 'http://127.0.0.1:4567' } = {}) {
  const done: string[] = [];
  const hidden: string[] = [];
  const problems: Problem[] = [];
  const sessions = new Map<string, { identity: unknown; lifeMs: number }>();
  const tickets: [string, string, Date][] = [];
  const parts = {
    settings: { labels: new Set(['region']), pipelines: [] },
    clock: { now: () => now, sleep: async () => {} },
    hide: (secrets: readonly string[]) => void hidden.push(...secrets),
    url: () => url,
    onProblem: (each: Problem) => void problems.push(each),
    audit: {
      append: async (_: unknown, [entry]: readonly AuditEntry[]) => {
        await inAWhile(3);
        done.push(`audit ${entry?.kind} ${JSON.stringify(entry?.what)}`);
        return isRecorded ? ok({ seq: 1, hash: '' }) : failed(problem('state', 'the log is full'));
      },
    },
    store: {
      sessions: {
        create: async ({ hash, identity, lifeMs }: { hash: string; identity: unknown; lifeMs: number }) => {
          await inAWhile(1);
          sessions.set(hash, { identity, lifeMs });
          done.push('create');
        },
        remove: async (hash: string) => {
          await inAWhile(5);
          done.push(sessions.delete(hash) ? 'remove' : 'remove nothing');
        },
        use: async (hash: string) => sessions.get(hash),
      },
      tokens: {
        create: async (token: object) => {
          done.push('token');
          return { id: 't1', ...token };
        },
      },
      tickets: {
        put: async (kind: string) => {
          await inAWhile(1);
          done.push(`put ${kind}`);
        },
        useJti: async (...ticket: [string, string, Date]) => {
          const isNew = !tickets.some(([issuer, id]) => issuer === ticket[0] && id === ticket[1]);
          tickets.push(ticket);
          return isNew;
        },
      },
    },
  } as unknown as LoginParts;
  return { parts, acts: createActs(parts), done, hidden, problems, sessions, tickets };
}
const now = Date.parse('2026-11-23T08:00:00Z');
const ada = { kind: 'person', id: 'oidc-ada', name: 'Ada' } as const;
const peer = { address: '192.0.2.1' };

describe("an action that can't be recorded in the audit log", () => {
  const lost = { ok: false, problems: [{ message: 'the log is full' }] };

  test('is a failure that the operator sees, too', async () => {
    const { acts, problems } = givenParts({ isRecorded: false });
    expect(await acts.record({ kind: 'login', by: ada, from: '192.0.2.1', what: {} })).toMatchObject(lost);
    expect(problems).toMatchObject([{ message: 'the log is full' }]);
  });

  test('creates no token', async () => {
    const { parts, acts, done, hidden } = givenParts({ isRecorded: false });
    const creator = {
      subject: ada,
      email: null,
      grants: [{ role: 'admin' as const }],
      csrf: null,
      expiresAt: null,
    };
    const request = { name: 'script', grants: [{ role: 'viewer' as const }], days: 7 };
    expect(await createToken(request, creator, '192.0.2.1', { ...parts, acts })).toMatchObject(lost);
    expect(done).toHaveLength(1);
    expect(hidden).toEqual([]);
    const fine = givenParts();
    const made = await createToken(request, creator, '192.0.2.1', { ...fine.parts, acts: fine.acts });
    expect(made).toMatchObject({
      ok: true,
      value: { record: { lifeMs: 7 * 86_400_000, createdBy: ada, grants: [{ role: 'viewer' }] } },
    });
    if (made.ok) expect(fine.hidden).toEqual([made.value.token]);
  });

  test('begins no session', async () => {
    const { parts, acts, sessions } = givenParts({ isRecorded: false });
    const request = new Request('http://127.0.0.1:4567/login/callback');
    const person = { kind: 'person' as const, subject: ada, email: null, groups: [] };
    const answer = await createSessions(parts, acts).begin(person, request, peer, '/');
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect([answer.headers.getSetCookie(), sessions.size]).toEqual([[], 0]);
  });

  test('gives a pipeline no token', async () => {
    const { parts, acts, sessions } = givenParts({ isRecorded: false });
    const { jwt, keys, pipelines } = await givenJob();
    const given = { ...parts, settings: { ...parts.settings, pipelines }, acts, keys };
    expect(await exchangeToken(jwt, '192.0.2.1', given)).toMatchObject(lost);
    expect(sessions.size).toBe(0);
  });
});

const keyPair = once(() => generateKeyPair('RS256'));

/** The token of a job, its issuer's keys, and two rules that it fulfils. */
async function givenJob(claims: object = {}) {
  const { privateKey, publicKey } = await keyPair();
  const issuer = 'https://token.example.com';
  const seconds = now / 1000;
  const jwt = await forgedToken(privateKey, {
    iss: issuer,
    aud: 'rampart',
    sub: 'repo:acme/fleet',
    jti: 'job-1',
    iat: seconds,
    exp: seconds + 600,
    repository: 'acme/fleet',
    run: 7,
    ...claims,
  });
  const rule = { issuer, audience: 'rampart', claims: { run: ['7'] }, place };
  const pipelines: PipelineSettings[] = [
    { ...rule, role: 'planner', where: 'region == "eu"' },
    { ...rule, role: 'viewer' },
  ];
  return { jwt, pipelines, keys: { of: async () => publicKey } as unknown as PipelineKeys };
}

describe('the token of a job', () => {
  const exchanged = async (claims: object = {}, change: (jwt: string) => string = (jwt) => jwt) => {
    const given = givenParts();
    const { jwt, keys, pipelines } = await givenJob(claims);
    const { parts, acts } = given;
    const exchange = () =>
      exchangeToken(change(jwt), '192.0.2.1', {
        ...parts,
        settings: { ...parts.settings, pipelines },
        acts,
        keys,
      });
    return { ...given, exchange, result: await exchange() };
  };

  test('becomes a token with the roles of its rules, which is hidden, stored as a hash, and ends after an hour', async () => {
    const { result, hidden, sessions, done } = await exchanged();
    expect(result).toMatchObject({
      ok: true,
      value: {
        grants: [{ role: 'planner', where: 'region == "eu"' }, { role: 'viewer' }],
        expiresAt: new Date(now + 3_600_000),
        subject: { kind: 'pipeline', id: 'repo:acme/fleet', name: 'acme/fleet' },
      },
    });
    if (!result.ok) throw new Error('no token');
    expect(Object.keys(result.value.grants[1] ?? {})).toEqual(['role']);
    expect(hidden).toEqual([result.value.token]);
    expect([...sessions.keys()]).toEqual([hashOfSecret(result.value.token)]);
    expect(sessions.get(hashOfSecret(result.value.token))?.lifeMs).toBe(3_600_000);
    expect(done.map((each) => each.split(' ').slice(0, 2).join(' '))).toEqual([
      'audit token-exchanged',
      'create',
    ]);
  });

  test('is remembered until it has surely ended, and used once', async () => {
    const { exchange, tickets } = await exchanged();
    expect(tickets).toEqual([['https://token.example.com', 'job-1', new Date(now + 660_000)]]);
    expect(await exchange()).toMatchObject({ ok: false });
  });

  test('is read up to 16,384 characters', async () => {
    const longest = 16_384;
    const { jwt } = await givenJob({ more: '' });
    const payload = jwt.split('.')[1] ?? '';
    const bytes = Math.floor(((longest - (jwt.length - payload.length)) * 3) / 4);
    const more = 'x'.repeat(bytes - Buffer.from(payload, 'base64url').length);
    let length = 0;
    const measured = (token: string) => {
      length = token.length;
      return token;
    };
    expect([(await exchanged({ more }, measured)).result.ok, length]).toEqual([true, longest]);
    const { result } = await exchanged({ more: `${more}x` });
    expect(result).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining('issuer') }] });
    expect((await exchanged({}, () => 'no.token')).result.ok).toBe(false);
  });

  test.each([
    [
      'no algorithm',
      ([, payload, signature]: readonly string[]) => `e30.${payload}.${signature}`,
      /not a valid/,
    ],
    [
      'a foreign signature',
      ([head, payload]: readonly string[]) => `${head}.${payload}.${'A'.repeat(342)}`,
      /signature is wrong/,
    ],
  ])('is refused in our words with %s', async (_what, change, words) => {
    const { result } = await exchanged({}, (jwt) => change(jwt.split('.')));
    expect(result).toMatchObject({ ok: false, problems: [{ message: expect.stringMatching(words) }] });
  });

  test('counts if its claim is a number or a truth value', async () => {
    expect((await exchanged({ run: '7' })).result.ok).toBe(true);
    const job = await givenJob({ run: true });
    const { parts, acts } = givenParts();
    const pipelines = job.pipelines.map((each) => ({ ...each, claims: { run: ['true'] } }));
    const settings = { ...parts.settings, pipelines };
    expect((await exchangeToken(job.jwt, '', { ...parts, settings, acts, keys: job.keys })).ok).toBe(true);
  });

  test('has a name of at most 200 characters', async () => {
    const { result } = await exchanged({ repository: 'x'.repeat(300) });
    expect(result.ok && result.value.subject.name).toBe('x'.repeat(200));
    const group = await exchanged({ repository: undefined, project_path: 'acme/group' });
    expect(group.result.ok && group.result.value.subject.name).toBe('acme/group');
  });
});

describe('the session of a browser', () => {
  const person = { kind: 'person' as const, subject: ada, email: null, groups: ['a', 'b'] };
  const requestOf = (headers: Record<string, string> = {}, method = 'GET') =>
    new Request('http://127.0.0.1:4567/logout', { method, headers });

  test("replaces the browser's earlier one, after the login was recorded", async () => {
    const { parts, acts, done, sessions } = givenParts();
    sessions.set(hashOfSecret('planted'), { identity: {}, lifeMs: 1 });
    const request = requestOf({ cookie: 'rampart-session=planted' });
    const answer = await createSessions(parts, acts).begin(person, request, peer, '/plans/7');
    expect(done.map((each) => each.replace(/"by":\{[^}]*\},?/, ''))).toEqual([
      'audit login {"groups":2}',
      'remove',
      'create',
    ]);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/plans/7']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [session = '', login] = answer.headers.getSetCookie();
    expect(session).toMatch(/^rampart-session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
    expect(login).toBe('rampart-login=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
    expect(
      sessions.get(hashOfSecret(session.slice('rampart-session='.length, session.indexOf(';')))),
    ).toEqual({
      identity: person,
      lifeMs: 12 * 3_600_000,
    });
  });

  test('lasts as long as the settings say', async () => {
    const { parts, acts, sessions } = givenParts();
    const login = { session: { idleMs: 60_000, lifeMs: 7_200_000 } } as LoginSettings;
    const own = { ...parts, settings: { ...parts.settings, login } };
    const answer = await createSessions(own, acts).begin(person, requestOf(), peer, '/');
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=7200;');
    expect([...sessions.values()]).toEqual([{ identity: person, lifeMs: 7_200_000 }]);
  });

  test('ends before the logout is recorded, and before the browser goes on to the provider', async () => {
    const { parts, acts, done, sessions } = givenParts();
    const secret = 's'.repeat(43);
    sessions.set(hashOfSecret(secret), { identity: person, lifeMs: 1 });
    const headers = {
      cookie: `rampart-session=${secret}`,
      origin: 'http://127.0.0.1:4567',
      'x-rampart-csrf': csrfOf(secret),
    };
    const end = createSessions(parts, acts).end;
    const answer = await end(requestOf(headers, 'POST'), peer, async () => 'https://login.example.com/out');
    expect(await answer.json()).toEqual({ redirect: 'https://login.example.com/out' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([
      'rampart-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(done.map((each) => each.split(' ').slice(0, 2).join(' '))).toEqual(['remove', 'audit logout']);
    expect(sessions.size).toBe(0);
    const again = await end(requestOf(headers, 'POST'), peer, async () => 'https://login.example.com/out');
    expect(await again.json()).toEqual({ redirect: null });
    expect(await (await end(requestOf({}, 'POST'), peer, async () => 'x')).json()).toEqual({
      redirect: null,
    });
  });
});

describe('a login that fails', () => {
  const attempt = { state: 's', nonce: 'n', verifier: 'v', to: '/' };
  const finishedAs = async (finished: Result<Person>) => {
    const given = givenParts();
    const settings = {
      roles: [{ group: 'ops', role: 'operator', place: { file: 'c', line: 1, col: 1 } }],
    } as unknown as LoginSettings;
    const provider = { finish: async () => finished } as unknown as LoginProvider;
    const { callback } = createProviderAnswers(
      given.parts,
      { settings, provider },
      createSessions(given.parts, given.acts),
      given.acts,
    );
    const cookie = `rampart-login=${writeAttempts(attempt, [])}`;
    const request = new Request('http://127.0.0.1:4567/login/callback?state=s', { headers: { cookie } });
    return { ...given, answer: await callback(request, peer) };
  };
  const gone = 'rampart-login=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax';

  test('at the provider is reported to the operator, and is in the audit log before the response', async () => {
    const down = problem('network', 'The provider is down');
    const { answer, done, problems } = await finishedAs(failed(down));
    expect([answer.status, problems]).toEqual([502, [down]]);
    expect(done).toEqual([expect.stringMatching(/^audit login-refused .*"why":"The provider is down"/)]);
    expect(answer.headers.getSetCookie()).toEqual([gone]);
  });

  test('because of a missing role names the person in the audit log before the response', async () => {
    const person = { id: ada.id, name: ada.name, email: null, groups: ['everyone'] };
    const { answer, done, problems } = await finishedAs(ok(person));
    expect([answer.status, problems]).toEqual([403, []]);
    expect(done).toEqual([expect.stringMatching(/^audit login-refused .*"name":"Ada".*no role/)]);
    expect(answer.headers.getSetCookie()).toEqual([gone]);
  });
});

describe('the response to a browser that is not signed in', () => {
  const asked = async (accept: string, refused: Problem) => {
    const answer = loginProblem(refused, { headers: new Headers({ accept }) });
    return { text: await answer.text(), cache: answer.headers.get('cache-control') };
  };

  test('is text with a hint, if there is one, and is never cached', async () => {
    const hinted = problem('not-authenticated', 'You are not signed in', { hint: 'open /login' });
    expect(await asked('text/html', hinted)).toEqual({
      text: 'You are not signed in.\n\nWhat to do: open /login\n',
      cache: 'no-store',
    });
    expect(await asked('text/html', problem('network', 'The provider is down'))).toEqual({
      text: 'The provider is down.\n',
      cache: 'no-store',
    });
    expect(JSON.parse((await asked('application/json', hinted)).text)).toMatchObject({ hint: 'open /login' });
  });
});

describe('the link of a login', () => {
  test('is stored before it is printed', async () => {
    const { parts, done } = givenParts();
    const link = createLoginLink(parts).then(() => done.push('printed'));
    await link;
    expect(done).toEqual(['put login-link', 'printed']);
  });

  test("is not created if nobody reads the server's output", async () => {
    const { parts, acts, done } = givenParts();
    const answers = createLinkAnswers(parts, createSessions(parts, acts));
    const visit = await answers.login(new Request('http://127.0.0.1:4567/login'), { address: '127.0.0.1' });
    expect([visit.status, done]).toEqual([401, []]);
  });
});

describe('the logins that a browser has begun', () => {
  const attempt = (number: number, to = '/') => ({ state: `s${number}`, nonce: 'n', verifier: 'v', to });

  test('are read as they were written, latest first', () => {
    const value = writeAttempts(attempt(2), [attempt(1)]);
    expect(readAttempts(value)).toEqual([attempt(2), attempt(1)]);
    expect(readAttempts(undefined)).toEqual([]);
  });

  test('fit into a cookie: the earliest are forgotten, and the latest never', () => {
    const to = `/${'x'.repeat(100)}`;
    let value = '';
    const counts: number[] = [];
    for (let at = 100; at < 300; at += 1) {
      value = writeAttempts(attempt(at, to), readAttempts(value));
      counts.push(readAttempts(value).length);
    }
    const kept = readAttempts(value);
    expect(value.length).toBeLessThanOrEqual(3_500);
    expect(kept.length).toBeGreaterThan(5);
    expect(kept).toEqual(kept.map((_, at) => attempt(299 - at, to)));
    expect(counts.slice(kept.length)).toEqual(counts.slice(kept.length).map(() => kept.length));
  });

  test('fill the cookie to its last byte', () => {
    const size = (to: string) => JSON.stringify([attempt(1, to)]).length;
    // 3,500 characters of the cookie are 2,625 bytes.
    const [longest, longer] = [0, 1].map((more) => `/${'x'.repeat(2_625 - size('/') + more)}`);
    expect(readAttempts(writeAttempts(attempt(1, longest), []))).toEqual([]);
    expect(writeAttempts(attempt(1, longest), []).length).toBe(3_500);
    expect(readAttempts(writeAttempts(attempt(1, longer), []))).toEqual([attempt(1)]);
  });

  test('forget the requested page if it does not fit', () => {
    const value = writeAttempts(attempt(1, `/${'x'.repeat(3_000)}`), [attempt(0)]);
    expect(readAttempts(value)).toEqual([attempt(1)]);
  });
});

describe('the claims of a person', () => {
  test('have groups as a list, as one text, or not at all', () => {
    expect(groupsIn({ groups: ['a', 'b'] }, 'groups')).toEqual(['a', 'b']);
    expect(groupsIn({ groups: 'a' }, 'groups')).toEqual(['a']);
    expect(groupsIn({ groups: ['a', '', 7, null, ['b'], 'x'.repeat(501)] }, 'groups')).toEqual(['a']);
    expect(groupsIn({ groups: 'x'.repeat(500) }, 'groups')).toEqual(['x'.repeat(500)]);
    expect(groupsIn({}, 'groups')).toBe(null);
    expect(groupsIn({}, 'toString')).toBe(null);
    expect(groupsIn({ groups: Array.from({ length: 2_000 }, (_, at) => `g${at}`) }, 'groups')).toHaveLength(
      1_000,
    );
  });

  test('have a name on one line, whatever the provider sends', () => {
    expect(nameIn({ name: 'Ada\n Lovelace', sub: '1' })).toBe('Ada Lovelace');
    expect(nameIn({ name: ' ', preferred_username: 'ada' })).toBe('ada');
    expect(nameIn({ name: 7, email: 'ada@example.com' })).toBe('ada@example.com');
    const all = { sub: '1', email: 'ada@example.com', preferred_username: 'ada', name: 'Ada' };
    expect(nameIn(all)).toBe('Ada');
    expect(nameIn({ ...all, name: undefined })).toBe('ada');
    expect(nameIn({ ...all, name: '', preferred_username: undefined })).toBe('ada@example.com');
    expect(nameIn({ sub: '1' })).toBe('1');
    expect(nameIn({})).toBe('unknown');
    expect(nameIn({ name: `a\u202e${'b'.repeat(500)}` })).toMatch(/^a‹U\+202E›b{198}$/);
    expect(emailIn({ email: ['a'] })).toBe(null);
  });
});

describe('the roles of groups', () => {
  test('are those of every rule that contains one of them exactly', () => {
    const rules = [
      { group: 'ops', role: 'operator' as const, place },
      { group: 'ops', role: 'approver' as const, where: 'true', place },
      { group: 'OPS', role: 'admin' as const, place },
    ];
    expect(grantsOf(['ops', 'ops'], rules)).toStrictEqual([
      { role: 'operator' },
      { role: 'approver', where: 'true' },
    ]);
    expect(grantsOf([], rules)).toEqual([]);
  });
});

describe('cookies', () => {
  test('are read by their exact name', () => {
    const read = (cookie: string, isTls = false) =>
      cookiesFor(isTls).read(new Headers({ cookie }), 'rampart-session');
    expect(read('a=b; rampart-session=x=y; c=d')).toBe('x=y');
    expect(read('xrampart-session=a')).toBe(undefined);
    expect(read('rampart-session=')).toBe(undefined);
    expect(read('rampart-session=a', true)).toBe(undefined);
    expect(read('__Host-rampart-session=a', true)).toBe('a');
    expect(cookiesFor(false).read(new Headers(), 'rampart-session')).toBe(undefined);
    expect(read('rampart-session=a; rampart-session=b')).toBe(undefined);
  });

  test('are written for this host only behind TLS, and removed by an empty value', () => {
    const life = 'Path=/; Max-Age=60; HttpOnly; SameSite=Lax';
    expect(cookiesFor(false).write('rampart-login', 'x', 60.9)).toBe(`rampart-login=x; ${life}`);
    expect(cookiesFor(true).write('rampart-login', 'x', 60)).toBe(`__Host-rampart-login=x; ${life}; Secure`);
    expect(cookiesFor(false).write('rampart-login', '', 60)).toContain('Max-Age=0;');
  });
});
