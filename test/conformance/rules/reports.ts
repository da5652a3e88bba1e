import { expect } from 'vitest';
import { hardwareFields, systemFields } from '../../../src/service/contract/inventory.ts';
import { hostIds, paths, type Reply, type Send } from '../../service/emulator/calls.ts';
import { ids, reported } from '../fixture.ts';
import { type Rule, rule } from '../rule.ts';

const minute = 60_000;

function reportRules(
  kind: 'hardware' | 'system',
  [fields, create, token, data]: readonly number[],
): readonly Rule[] {
  const names = kind === 'hardware' ? hardwareFields : systemFields;
  const at = (number: number | undefined) => `section 4, #${number}`;
  const make = (send: Send, body = hostIds(...reported)): Promise<Reply> =>
    send('POST', paths.reports(kind), body);
  const read = (send: Send, reportToken: string): Promise<Reply> =>
    send('GET', paths.report(kind, reportToken));
  const current = async (send: Send) => (await send('GET', paths.reports(kind))).json;

  return [
    rule(at(fields), `the ${kind} fields are those of section 2`, async ({ send }) => {
      expect((await send('GET', paths.fields(kind))).json).toEqual(names);
    }),
    rule('section 3', `there is no ${kind} token at first, and one can be made at once`, async ({ send }) => {
      expect(await current(send)).toEqual({ token: null, expires: null });
    }),
    rule(at(create), `making a ${kind} report gives 201, a token and when it expires`, async ({ send }) => {
      const reply = await make(send);
      expect(reply.status).toBe(201);
      expect(reply.json).toEqual({
        token: expect.any(String),
        expires: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
      });
    }),
    rule(
      'section 3',
      `a second ${kind} report before that is denied, and the first lives on`,
      async ({ send }) => {
        const { json } = await make(send);
        const second = await make(send);
        expect(second.status).toBe(429);
        expect(second.json).toEqual({ message: expect.any(String), retryDelay: expect.any(Number) });
        expect(await current(send)).toEqual(json);
      },
    ),
    rule(
      'section 8',
      `a ${kind} report can be made again once the token has expired`,
      async ({ send, advance }) => {
        const first = await make(send);
        await advance(minute - 1);
        expect((await make(send)).status).toBe(429);
        await advance(1);
        const next = await make(send);
        expect(next.status).toBe(201);
        expect(next.json.token).not.toBe(first.json.token);
      },
    ),
    rule(at(token), `the ${kind} token can be read again while it lives`, async ({ send, advance }) => {
      const { json } = await make(send);
      expect(await current(send)).toEqual(json);
      await advance(minute);
      expect(await current(send)).toEqual({ token: null, expires: null });
    }),
    rule(at(data), `${kind} data come in pages of fifty in the order asked for`, async ({ send }) => {
      const asked = [...reported].reverse();
      const { json: made } = await make(send, hostIds(...asked));
      const pages: string[][] = [];
      let next: string | null = made.token;
      while (next !== null) {
        const reply = await read(send, next);
        expect(reply.status).toBe(200);
        expect([made.token, null]).toContain(reply.json.report.token);
        expect(reply.json.report.expires).toBe(made.expires);
        pages.push(Object.keys(reply.json.hosts));
        next = reply.json.report.token;
      }
      expect(pages.map((page) => page.length)).toEqual([50, 50, 20]);
      expect(new Set(pages[0])).toEqual(new Set(asked.slice(0, 50)));
      expect(new Set(pages.flat())).toEqual(new Set(asked));
    }),
    rule(
      'section 3',
      `an exhausted ${kind} token is not found, and blocks a new one until it expires`,
      async (subject) => {
        const { send, advance } = subject;
        const { json } = await make(send, hostIds(...reported.slice(0, 50)));
        expect((await read(send, json.token)).json.report.token).toBeNull();
        expect((await read(send, json.token)).status).toBe(404);
        expect(await current(send)).toEqual({ token: null, expires: json.expires });
        expect((await make(send)).status).toBe(429);
        await advance(minute);
        expect((await make(send)).status).toBe(201);
      },
    ),
    rule('section 3', `an expired ${kind} token is not found`, async ({ send, advance }) => {
      const { json } = await make(send);
      expect((await read(send, json.token)).status).toBe(200);
      await advance(minute);
      expect((await read(send, json.token)).status).toBe(404);
    }),
    rule('section 3', `an unknown ${kind} token is not found`, async ({ send }) => {
      const reply = await read(send, 'no-such-token');
      expect(reply.status).toBe(404);
      expect(typeof reply.json.message).toBe('string');
    }),
    rule('section 3', `the ${kind} token is no token of the other inventory`, async ({ send }) => {
      const other = kind === 'hardware' ? 'system' : 'hardware';
      const { json } = await make(send);
      expect((await send('GET', paths.report(other, json.token))).status).toBe(404);
      expect((await send('POST', paths.reports(other), hostIds(reported[0] as string))).status).toBe(201);
    }),
    rule('section 8', `each profile has a ${kind} token of its own`, async ({ send, session }) => {
      const authorization = JSON.stringify(session);
      const { json } = await make(send);
      const other = await send('POST', paths.reports(kind), hostIds(...reported), {
        headers: { authorization },
      });
      expect(other.status).toBe(201);
      expect(other.json.token).not.toBe(json.token);
      const stolen = await send('GET', paths.report(kind, json.token), undefined, {
        headers: { authorization },
      });
      expect(stolen.status).toBe(404);
    }),
    rule(at(data), `hosts without ${kind} inventory are missing`, async ({ send }) => {
      const { json } = await make(send, hostIds(ids.kiosk, reported[0] as string));
      expect(Object.keys((await read(send, json.token)).json.hosts)).toEqual([reported[0]]);
    }),
    rule(at(create), `unknown ${kind} fields are refused`, async ({ send }) => {
      expect((await make(send, '{"hostIds":[5000],"fields":["Color"]}')).status).toBe(400);
    }),
    rule(at(create), `unknown hosts are refused by the ${kind} report and named`, async ({ send }) => {
      const reply = await make(send, hostIds(reported[0] as string, ids.unknown));
      expect(reply.status).toBe(400);
      expect(reply.json.hostIds).toEqual([Number(ids.unknown)]);
    }),
    rule(
      'section 8',
      `a service may show only fifty hosts of a ${kind} report in all`,
      async ({ send }) => {
        const { json } = await make(send);
        const page = await read(send, json.token);
        expect(Object.keys(page.json.hosts)).toHaveLength(50);
        expect(page.json.report.token).toBeNull();
      },
      { reportHosts: '50-in-all' },
    ),
    rule(
      at(data),
      `a fresh ${kind} report may not be ready for some seconds`,
      async ({ send, advance }) => {
        const { json } = await make(send);
        expect((await read(send, json.token)).status).toBe(404);
        await advance(3_000);
        expect((await read(send, json.token)).status).toBe(200);
      },
      { reportReadyAfterMs: 3_000 },
    ),
  ];
}

async function firstRecord(send: Send, kind: string, body: string): Promise<unknown> {
  const { json } = await send('POST', paths.reports(kind), body);
  const page = await send('GET', paths.report(kind, json.token));
  return Object.values(page.json.hosts)[0];
}

export const allReportRules = [
  ...reportRules('hardware', [7, 8, 9, 10]),
  ...reportRules('system', [11, 12, 13, 14]),
  rule('section 2', 'a hardware record has the id of its host', async ({ send }) => {
    expect(await firstRecord(send, 'hardware', hostIds('5000'))).toEqual({
      hostId: 5000,
      serviceTag: 'ST5000',
      processors: [{ id: '0', type: 'x64', speed: '3100' }],
    });
  }),
  rule('section 4, #8', 'only the fields asked for are in the record', async ({ send }) => {
    expect(await firstRecord(send, 'hardware', '{"hostIds":[5000],"fields":["CpuSpeed"]}')).toEqual({
      hostId: 5000,
      processors: [{ id: '0', speed: '3100' }],
    });
  }),
  rule(
    'section 4, #12',
    'only the fields asked for are in the record, in either spelling',
    async ({ send }) => {
      expect(await firstRecord(send, 'system', '{"hostIds":[5000],"fields":["ExternalIP"]}')).toEqual({
        hostId: 5000,
        externalIp: '203.0.113.7',
      });
    },
  ),
];
