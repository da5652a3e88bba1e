import { describe, expect, it } from 'vitest';
import type { Emulator } from '../../src/service/emulator/emulator.ts';
import { realisticLimits } from '../../src/service/emulator/realistic-limits.ts';
import { connected, givenService, workplace } from '../given/command-line.ts';

const fleet = {
  hosts: [
    { id: '9223372036854775807', name: 'A' },
    { id: '2', name: 'off\u001b[31m', online: false },
    { id: '3', name: 'C' },
  ],
};
const posts = ({ requests }: Emulator) => requests.filter(({ method }) => method === 'POST');

interface Row {
  readonly id: string;
  readonly outcome: string;
  readonly reported?: boolean | null;
}
const rowsOf = (out: string) => (JSON.parse(out) as Row[]).map(({ id, outcome }) => [id, outcome]);

describe('antivirus refresh', () => {
  it('shows the result for each host, and names offline hosts', async () => {
    const { rampart, emulator } = await connected(fleet);
    const { code, out, err } = await rampart('hosts antivirus refresh --all');
    expect(code).toBe(5);
    expect(out.replaceAll(/ {2,}/g, ' | ').split('\n')).toEqual([
      'ID | NAME | STATE | OUTCOME',
      '9223372036854775807 | A | online | sent',
      '2 | off␛[31m | offline | not-delivered',
      '3 | C | online | sent',
      '',
    ]);
    expect(err).toContain('1 of 3 hosts may not have received the command: off␛[31m (2, offline)');
    expect(posts(emulator).map(({ body }) => body)).toEqual(['{"targetHostIds":[9223372036854775807,2,3]}']);
  });

  it('of hosts by name and by id asks each once', async () => {
    const { rampart, emulator } = await connected(fleet);
    const { code, out } = await rampart('hosts antivirus refresh C 3 9223372036854775807 --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([
      { id: '9223372036854775807', name: 'A', online: true, outcome: 'sent' },
      { id: '3', name: 'C', online: true, outcome: 'sent' },
    ]);
    expect(posts(emulator).map(({ body }) => body)).toEqual(['{"targetHostIds":[9223372036854775807,3]}']);
  });

  it('takes a condition', async () => {
    const { rampart } = await connected(fleet);
    const chosen = await rampart('hosts antivirus refresh --where host.online --json');
    expect(chosen.code).toBe(0);
    expect(rowsOf(chosen.out)).toEqual([
      ['9223372036854775807', 'sent'],
      ['3', 'sent'],
    ]);
  });

  it('of a condition that is true of none sends nothing', async () => {
    const { rampart, emulator } = await connected(fleet);
    const { code, err } = await rampart(['hosts', 'antivirus', 'refresh', '--where', 'host.name == "no"']);
    expect(code).toBe(0);
    expect(err).toContain('nothing was sent');
    expect(posts(emulator)).toEqual([]);
  });

  it('sends at most 1,000 ids in a call', async () => {
    const { rampart } = await workplace();
    const hosts = Array.from({ length: 2001 }, (_, index) => ({ id: String(index + 1), name: `H${index}` }));
    const { env, emulator } = await givenService({ hosts });
    expect((await rampart('hosts antivirus refresh --all', { env })).code).toBe(0);
    const sizes = posts(emulator).map(({ body }) => (body ?? '').split(',').length);
    expect(sizes).toEqual([1000, 1000, 1]);
  });

  const misuses: readonly [string, readonly string[], string][] = [
    ['no hosts', [], 'no hosts are selected'],
    ['hosts and --all', ['C', '--all'], 'more than one way'],
    ['--where and --all', ['--where', 'true', '--all'], 'more than one way'],
    ['a host that there is not', ['C', 'nobody'], 'no host has the name "nobody"'],
    ['a condition that is none', ['--where', 'host.nmae == "C"'], 'did you mean "name"?'],
    ['a wait that is no time', ['C', '--wait', 'soon'], 'It must be a time'],
  ];
  it.each(misuses)('with %s is refused, and sends no command', async (_, argv, words) => {
    const { rampart, emulator } = await connected(fleet);
    const { code, out, err } = await rampart(['hosts', 'antivirus', 'refresh', ...argv]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain(words);
    expect(posts(emulator)).toEqual([]);
  });
});

describe('a refresh that the service refuses', () => {
  const refresh = async (effect: object, argv: readonly string[] = ['--all']) => {
    const { rampart, emulator } = await connected(fleet, {
      faults: [{ action: 'refreshAntivirusStatus', nth: 1, effect: effect as never }],
    });
    const ran = await rampart(['hosts', 'antivirus', 'refresh', '--json', ...argv]);
    return { ...ran, calls: posts(emulator).length };
  };

  it.each([
    ['401', { kind: 'status', status: 401 }, 4, 'not-sent'],
    ['403', { kind: 'status', status: 403 }, 1, 'not-sent'],
    ['400 that names no host', { kind: 'status', status: 400 }, 1, 'not-sent'],
    ['405', { kind: 'status', status: 405 }, 1, 'not-sent'],
  ])('with %s reports that nothing was sent', async (_, effect, exit, outcome) => {
    const { code, out } = await refresh(effect);
    expect(code).toBe(exit);
    expect(new Set(rowsOf(out).map(([, each]) => each))).toEqual(new Set([outcome]));
  });

  it('with a 429 is asked again', async () => {
    const { out, calls } = await refresh({ kind: 'rate-limit', retryDelay: 3 });
    expect(rowsOf(out).map(([, each]) => each)).toEqual(['sent', 'not-delivered', 'sent']);
    expect(calls).toBe(2);
  });

  it('with a 500 leaves it open', async () => {
    const { code, out } = await refresh({ kind: 'status', status: 500 });
    expect(code).toBe(5);
    expect(new Set(rowsOf(out).map(([, each]) => each))).toEqual(new Set(['unknown']));
  });

  it('for hosts that it names is sent to the rest', async () => {
    const { code, out, err, calls } = await refresh({
      kind: 'status',
      status: 400,
      text: '{"message":"Invalid host ids.","hostIds":[2]}',
    });
    expect(code).toBe(5);
    expect(rowsOf(out)).toEqual([
      ['9223372036854775807', 'sent'],
      ['2', 'not-sent'],
      ['3', 'sent'],
    ]);
    expect(calls).toBe(2);
    expect(err).toContain('the request was repeated without this host');
  });

  it('as too large is sent in halves', async () => {
    const { out, calls } = await refresh({ kind: 'status', status: 413 });
    expect(rowsOf(out).map(([, each]) => each)).toEqual(['sent', 'not-delivered', 'sent']);
    expect(calls).toBe(3);
  });

  it('with an answer that leaves a host out says that it is not known', async () => {
    const { code, out } = await refresh({
      kind: 'status',
      status: 200,
      text: '{"commandStatuses":[{"targetHostId":9223372036854775807,"sentSuccessfully":true},{"targetHostId":99,"sentSuccessfully":true}]}',
    });
    expect(code).toBe(5);
    expect(rowsOf(out)).toEqual([
      ['9223372036854775807', 'sent'],
      ['2', 'unknown'],
      ['3', 'unknown'],
    ]);
  });
});

describe('antivirus refresh --wait', () => {
  /** Hosts whose definitions change when their status is read for the n-th time. */
  const given = async (changes: Readonly<Record<number, string>>, limited = false) => {
    const running: { emulator?: Emulator } = {};
    const service = await givenService(fleet, {
      ...(limited ? { limits: realisticLimits } : {}),
      hooks: {
        beforeEach: ({ action, nth }) => {
          const id = action === 'listAntivirusDetails' ? changes[nth] : undefined;
          if (id === undefined) return;
          running.emulator?.edit({ kind: 'antivirus', id, antivirus: { definitionVersion: `new ${nth}` } });
        },
      },
    });
    running.emulator = service.emulator;
    return service;
  };
  const reads = ({ requests }: Emulator) =>
    requests.filter(({ action }) => action === 'listAntivirusDetails').length;

  it('ends as soon as each host has reported something new', async () => {
    const { rampart } = await workplace();
    const { env, emulator } = await given({ 2: '3', 3: '9223372036854775807' });
    const { code, out, err } = await rampart('hosts antivirus refresh --where host.online --wait 1h --json', {
      env,
    });
    expect(code).toBe(0);
    expect((JSON.parse(out) as Row[]).map(({ reported }) => reported)).toEqual([true, true]);
    expect(err).toContain('All of the 2 hosts that received the command reported something new.');
    expect(reads(emulator)).toBe(3);
  });

  it('ends when the time is over, and says what is unknown', async () => {
    const { rampart } = await workplace();
    const { env, emulator } = await given({ 2: '3' });
    const { code, out, err } = await rampart('hosts antivirus refresh --where host.online --wait 1m --json', {
      env,
    });
    expect(code).toBe(0);
    expect((JSON.parse(out) as Row[]).map(({ reported }) => reported)).toEqual([false, true]);
    expect(err).toContain(
      '1 of 2 hosts that received the command reported something new within 1 min. The result of the rest is unknown: the service does not show when a host answered, and a host that reports the same status as before looks like one that did not answer.',
    );
    expect(err).toContain('The result of the rest is unknown');
    // Before, then after 5, 15, 35 and 60 seconds.
    expect(reads(emulator)).toBe(5);
  });

  it('waits for no host that did not get the command', async () => {
    const { rampart } = await workplace();
    const { env, emulator } = await given({});
    const { code, out, err } = await rampart('hosts antivirus refresh 2 --wait 1h --json', { env });
    expect(code).toBe(5);
    expect((JSON.parse(out) as Row[]).map(({ reported }) => reported)).toEqual([null]);
    expect(err).toContain('nothing to wait for');
    expect(reads(emulator)).toBe(1);
  });

  it("that can't read the status anymore still reports what was sent", async () => {
    const { rampart } = await connected(fleet, {
      faults: [{ action: 'listAntivirusDetails', from: 2, effect: { kind: 'status', status: 403 } }],
    });
    const { code, out, err } = await rampart('hosts antivirus refresh C --wait 1m --json');
    expect(code).toBe(0);
    expect(rowsOf(out)).toEqual([['3', 'sent']]);
    expect(err).toContain('warning[not-allowed]');
  });

  it('that is interrupted reports what was sent, and exits with 130', async () => {
    const { rampart, interrupt } = await connected(fleet, {
      hooks: {
        beforeEach: ({ action, nth }) => {
          if (action === 'listAntivirusDetails' && nth === 2) interrupt();
        },
      },
    });
    const { code, out } = await rampart('hosts antivirus refresh C --wait 1h --json');
    expect(code).toBe(130);
    expect(rowsOf(out)).toEqual([['3', 'sent']]);
  });
});
