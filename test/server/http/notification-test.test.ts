import { expect, test } from 'vitest';
import { failed, type Problem, problem } from '../../../src/core/problem/problem.ts';
import type { ServerWork } from '../../../src/server/http/server-work.ts';
import { createHttp } from '../../../src/server/start/create-http.ts';
import { httpParts, settingsOf } from './given.ts';

const place = { file: 'rampart.config.yaml', line: 1, col: 1 };
const channel = {
  kind: 'slack',
  name: 'team',
  url: { kind: 'variable', variable: 'RAMPART_CHAT_URL' },
  place,
} as never;

const answerTo = async (refusal: Problem) => {
  const work = { testNotification: async () => failed(refusal) } as unknown as ServerWork;
  const http = createHttp(httpParts({ settings: settingsOf({ notifications: [channel] }), work }));
  const address = 'http://127.0.0.1/api/v1/notifications/team/test';
  const headers = { authorization: 'Bearer admin', host: '127.0.0.1' };
  const answer = await http.fetch(new Request(address, { method: 'POST', headers }), {
    address: '127.0.0.1',
  });
  return { status: answer.status, body: (await answer.json()) as object, headers: answer.headers };
};

test.each([
  ['not-authenticated', 502],
  ['forbidden', 502],
  ['missing-credentials', 502],
  ['not-found', 502],
  ['rate-limited', 502],
  ['timed-out', 504],
] as const)(
  'a receiver that fails a test message with %s does not sign its sender out',
  async (code, status) => {
    const { headers, ...answer } = await answerTo(problem(code, 'the receiver refuses'));
    expect(answer).toMatchObject({ status, body: { code, detail: 'the receiver refuses' } });
    expect(headers.get('www-authenticate')).toBeNull();
  },
);
