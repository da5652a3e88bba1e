import { describe, expect, it } from 'vitest';
import { answer, scriptedService } from '../../given/scripted-service.ts';

const list = '{"hosts":[{"description":"A","id":9007199254740993,"isHostOnline":true,"color":"red"}]}';
const listed = {
  ok: true,
  value: { hosts: [{ description: 'A', id: '9007199254740993', isHostOnline: true, color: 'red' }] },
};
const rename = { path: { 'host-id': '5' }, body: { newDescription: 'x' } } as const;

describe('a success', () => {
  it.each([
    ['with exact ids and unknown fields', list],
    ['behind the guard', `)]}',${list}`],
    ['behind the guard and a newline', `)]}',\n${list}`],
    ['behind the guard and a Windows newline', `)]}',\r\n${list}`],
    ['behind a byte order mark', `\ufeff${list}`],
    ['behind both', `\ufeff)]}',\n${list}`],
  ])('is read %s', async (_, body) => {
    const { client } = scriptedService([answer(200, body, { 'content-type': 'text/html' })]);
    expect(await client.call('listHosts')).toEqual(listed);
  });

  it('accepts unknown numbers of an enumeration', async () => {
    const { client } = scriptedService([answer(200, { status: 99 })]);
    const result = await client.call('installAntivirus', { body: { targetHostIds: ['5'] } });
    expect(result).toEqual({ ok: true, value: { status: 99 } });
  });

  it.each([
    [204, ''],
    [200, '{"message":"renamed"}'],
    [200, ''],
  ])('of a write is null with %i %j', async (status, body) => {
    const { client } = scriptedService([answer(status, body)]);
    expect(await client.call('renameHost', rename)).toEqual({ ok: true, value: null });
  });

  it.each([202, 206, 201, 299])('of a write with %i leaves its outcome unknown', async (status) => {
    const { client, requests } = scriptedService([answer(status, '{}')]);
    expect(await client.call('renameHost', rename)).toMatchObject({
      ok: false,
      failure: { status, outcome: 'unknown', problem: { code: 'unexpected-status' } },
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['nothing at all', ''],
    ['half of it', list.slice(0, 40)],
    ['HTML', '<html><body>Welcome</body></html>'],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['a host without an id', '{"hosts":[{"description":"A","isHostOnline":true}]}'],
    ['an id that is a fraction', '{"hosts":[{"description":"A","id":1.5,"isHostOnline":true}]}'],
    ['an id beyond 64 bits', '{"hosts":[{"description":"A","id":9223372036854775808,"isHostOnline":true}]}'],
    ['invalid UTF-8', new Uint8Array([...new TextEncoder().encode('{"hosts":[],"x":"'), 0xff, 0x22, 0x7d])],
  ])('that is %s is a failure, never an absence', async (_, body) => {
    const { client, requests } = scriptedService([answer(200, body)], { retries: 2 });
    expect(await client.call('listHosts')).toMatchObject({
      ok: false,
      failure: { status: 200, problem: { code: 'malformed-response' } },
    });
    expect(requests).toHaveLength(3);
  });

  it('without the list that the contract promises is a failure, even as 204', async () => {
    const { client } = scriptedService([answer(204)]);
    expect(await client.call('listHosts')).toMatchObject({
      ok: false,
      failure: { problem: { code: 'unexpected-status' } },
    });
  });
});

describe('a refusal', () => {
  it.each([
    [400, 'bad-request', 'refused'],
    [401, 'not-authenticated', 'refused'],
    [403, 'forbidden', 'refused'],
    [404, 'not-found', 'refused'],
    [405, 'not-allowed', 'refused'],
    [409, 'conflict', 'refused'],
    [410, 'unexpected-status', 'refused'],
    [413, 'too-large', 'refused'],
    [415, 'not-json', 'refused'],
    [499, 'unexpected-status', 'refused'],
    [300, 'redirected', 'refused'],
    [399, 'redirected', 'refused'],
    [500, 'server-error', 'unknown'],
    [503, 'server-error', 'unknown'],
    [599, 'server-error', 'unknown'],
    [600, 'unexpected-status', 'unknown'],
  ])('with %i is %s, and the write is %s', async (status, code, outcome) => {
    const { client, requests } = scriptedService([answer(status, { message: 'No.' })]);
    const result = await client.call('renameHost', rename);
    expect(result).toMatchObject({
      ok: false,
      failure: {
        status,
        outcome,
        problem: { code, message: expect.stringContaining(': No.'), hint: expect.stringMatching(/\w{3}/) },
      },
    });
    expect(requests).toHaveLength(1);
  });

  it('names the target of a redirect', async () => {
    const { client } = scriptedService([answer(302, '', { location: 'https://elsewhere.example/' })]);
    const result = await client.call('listHosts');
    expect(result).toMatchObject({
      failure: {
        problem: {
          message: '"List the hosts" returned 302, a redirect to https://elsewhere.example/',
        },
      },
    });
  });

  it.each([
    ['JSON labeled as HTML', '{"message":"Host is offline","hostId":5}', 'text/html', ': Host is offline'],
    ['guarded JSON', ')]}\',\n{"message":"Host is offline"}', 'application/json', ': Host is offline'],
    ['a JSON string', '"Host is offline"', 'application/json', ': Host is offline'],
    ['plain text', '  Host is\n  offline ', 'text/plain', ': Host is offline'],
    [
      'HTML with a title',
      '<html><head><title>Bad &amp; worse</title></head><p>x</p></html>',
      'text/html',
      ': Bad & worse',
    ],
    ['HTML without one', '<h1>Not <b>now</b></h1><script>alert(1)</script>', 'text/html', ': Not now'],
    ['nothing', '', 'text/html', ''],
    ['JSON without a message', '{"error":1}', 'application/json', ''],
    ['a message that is no text', '{"message":{"a":1}}', 'application/json', ''],
    ['a list', '[1,2]', 'application/json', ''],
    ['JSON cut short', '{"message":"Host', 'application/json', ': {"message":"Host'],
  ])('is understood from %s', async (_, body, type, end) => {
    const { client } = scriptedService([answer(400, body, { 'content-type': type })]);
    const result = await client.call('deleteHosts', { body: { hostIds: ['5'] } });
    expect(result).toMatchObject({
      failure: {
        problem: {
          message: `"Delete hosts" returned 400 (a required parameter is missing or invalid)${end}`,
        },
      },
    });
  });

  it('names the hosts that the body names, exactly', async () => {
    const body = '{"message":"bad ids","hostIds":[9007199254740993,"7",7,"x",1.5,null],"hostId":8}';
    const { client } = scriptedService([answer(400, body)]);
    const result = await client.call('deleteHosts', { body: { hostIds: ['5'] } });
    expect(result).toMatchObject({
      failure: {
        hostIds: ['8', '9007199254740993', '7'],
        problem: { hostIds: ['8', '9007199254740993', '7'] },
      },
    });
  });

  it.each([
    ['a message', { message: 'x'.repeat(5_000_000) }],
    ['plain text', 'x'.repeat(5_000_000)],
    ['HTML', `<p>${'<i>'.repeat(1_000_000)}x`],
    ['open tags', '<title'.repeat(1_000_000)],
    ['backslashes', '\\'.repeat(1_000_000)],
    ['astral characters', '😀'.repeat(1_000_000)],
  ])('is limited if it is huge: %s', async (_, body) => {
    const { client } = scriptedService([answer(400, body)]);
    const result = await client.call('renameHost', rename);
    const message = result.ok ? '' : result.failure.problem.message;
    expect(message.length).toBeLessThan(700);
    expect(message.isWellFormed()).toBe(true);
  });
});
