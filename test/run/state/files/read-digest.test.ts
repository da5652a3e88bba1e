import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readDigest } from '../../../../src/run/state/files/read-digest.ts';
import type { JournalRecord } from '../../../../src/run/state/journal/record.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { givenBegin, givenHead, timeAt } from '../../../given/runs.ts';
import { traced } from '../../../given/traced-files.ts';

const chunk = 64 * 1024;
const head = givenHead(0, { epoch: 1 });
const digest = { done: 99, deleted: 7, requests: [] };
const end: JournalRecord = { type: 'end', at: timeAt(9), exit_code: 0, digest };
const line = (record: object) => `${JSON.stringify(record)}\n`;
const begins = (count: number) =>
  Array.from({ length: count }, (_, index) => line(givenBegin(`s${index}`, 'rename', ['1']))).join('');
const many = begins(1200);

let folder: string;
beforeEach(() => {
  folder = givenFolder();
});

/** What is read of a file with this text: each place and length, and whether all of it was read. */
async function read(text: string) {
  const path = join(folder, 'run.ndjson');
  await writeFile(path, text);
  const handle = await open(path, 'r');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const parts = vi.spyOn(prototype, 'read');
  const whole = vi.spyOn(prototype, 'readFile');
  try {
    const { result, operations } = await traced(() => readDigest(path));
    if (result.status === 'rejected') throw result.reason;
    return {
      result: result.value,
      parts: parts.mock.calls.map(([, , length, position]) => [position, length]),
      isWhole: whole.mock.calls.length > 0,
      closed: operations.filter((each) => each === 'close run.ndjson').length,
    };
  } finally {
    vi.restoreAllMocks();
  }
}

describe('the digest of a journal', () => {
  it('is read from the two ends of a long one', async () => {
    const text = line(head) + many + line(end);
    expect(text.length).toBeGreaterThan(chunk + 1000);
    const { result, parts, isWhole, closed } = await read(text);
    expect(result).toMatchObject({ value: { head, ...digest, state: 'completed', lastAt: timeAt(9) } });
    expect(parts).toEqual([
      [0, chunk],
      [text.length - chunk, chunk],
    ]);
    expect(isWhole).toBe(false);
    expect(closed).toBe(1);
  });

  it('is read as a whole from a short one', async () => {
    const { parts, isWhole, result } = await read(line(head) + line(end));
    expect([parts, isWhole]).toEqual([[], true]);
    expect(result).toMatchObject({ value: { done: 99, exitCode: 0 } });
  });

  it('is read as a whole from a journal of at most one chunk', async () => {
    const rest = chunk - line(head).length - line(end).length;
    const padded = (length: number) => {
      const empty = line({ ...givenBegin('s', 'rename', []), pad: '' });
      return line({ ...givenBegin('s', 'rename', []), pad: 'x'.repeat(length - empty.length) });
    };
    expect((await read(line(head) + padded(rest) + line(end))).isWhole).toBe(true);
    const longer = await read(line(head) + padded(rest + 1) + line(end));
    expect(longer.isWhole).toBe(false);
    expect(longer.parts).toEqual([
      [0, chunk],
      [1, chunk],
    ]);
  });

  it('is read in ever larger pieces if the last line is long', async () => {
    const requests = Array.from({ length: 3000 }, (_, index) => ({
      host_id: String(100_000_000 + index),
      kind: 'antivirus' as const,
      at: timeAt(1),
      in_doubt: false,
    }));
    const last = line({ ...end, digest: { ...digest, requests } });
    expect(last.length).toBeGreaterThan(2 * chunk);
    expect(last.length).toBeLessThan(8 * chunk);
    const text = line(head) + begins(6000) + last;
    expect(text.length).toBeGreaterThan(8 * chunk);
    const { result, parts, isWhole } = await read(text);
    expect(result).toMatchObject({ value: { done: 99, requests } });
    expect(parts).toEqual([
      [0, chunk],
      [text.length - chunk, chunk],
      [text.length - 8 * chunk, 8 * chunk],
    ]);
    expect(isWhole).toBe(false);
  });

  it('is read from the start if the last line is nearly all of it', async () => {
    const requests = Array.from({ length: 3000 }, (_, index) => ({
      host_id: String(100_000_000 + index),
      kind: 'refresh' as const,
      at: timeAt(1),
      in_doubt: true,
    }));
    const text = line(head) + line({ ...end, digest: { ...digest, requests } });
    const { result, parts, isWhole } = await read(text);
    expect(result).toMatchObject({ value: { done: 99, requests } });
    expect(parts.at(-1)).toEqual([0, text.length]);
    expect(isWhole).toBe(false);
  });

  const install = (id: string, outcome: 'done' | 'unknown') =>
    line(givenBegin(id, 'antivirus', ['7'])) +
    line({ type: 'outcome', at: timeAt(2), step: id, outcome } satisfies JournalRecord);
  const outcome = (step: string, value: string) =>
    line({ type: 'outcome', at: timeAt(3), step, outcome: value, problem: { code: 'x', message: '"done"' } });
  it.each([
    ['the run has not ended', line(head) + many, { state: 'crashed', done: 0, lastAt: timeAt(1) }],
    [
      'the end says nothing',
      line(head) + many + line({ ...end, digest: undefined, pace: { rate: 3, latency: 1 } }),
      { state: 'completed', done: 0, lastAt: timeAt(9), pace: { rate: 3, latency: 1 } },
    ],
    ['the last line is cut off', line(head) + many + line(end).slice(0, -5), { state: 'crashed' }],
    ['only its end is cut off', line(head) + many + line(end).slice(0, -1), { state: 'crashed', done: 0 }],
    ['a character follows the end', `${line(head)}${many}${line(end).slice(0, -1)}x`, { state: 'crashed' }],
    [
      'steps are done, already done or failed',
      line(head) + many + outcome('s1', 'done') + outcome('s2', 'already') + outcome('s3', 'failed'),
      { state: 'crashed', done: 2, lastAt: timeAt(3) },
    ],
    [
      'hosts were deleted or asked for an install',
      line(head) +
        install('i1', 'done') +
        many +
        line(givenBegin('d1', 'delete', ['8', '9'])) +
        install('i2', 'unknown'),
      {
        done: 1,
        deleted: 2,
        requests: [
          { host_id: '7', kind: 'antivirus', at: timeAt(1), in_doubt: false },
          { host_id: '7', kind: 'antivirus', at: timeAt(1), in_doubt: true },
        ],
      },
    ],
    [
      'a line is longer than what is read at once',
      line(head) +
        line({ ...givenBegin('s', 'rename', []), pad: 'é'.repeat(300_000) }) +
        outcome('s', 'done'),
      { state: 'crashed', done: 1 },
    ],
  ])('is that of all records if %s', async (_what, text, expected) => {
    const { result, isWhole, closed } = await read(text);
    expect(result).toMatchObject({ ok: true, value: expected });
    expect(isWhole).toBe(true);
    expect(closed).toBe(1);
  });

  it('is that of all lines but the last if that is damaged', async () => {
    const { result, isWhole } = await read(`${line(head)}${many}{"type"\n`);
    expect(result).toMatchObject({ ok: true, value: { state: 'crashed' } });
    expect(isWhole).toBe(true);
  });

  it('is a problem with the line if a line that it needs is damaged', async () => {
    const { result } = await read(`${line(head)}x\n${many}`);
    expect(result).toMatchObject({ ok: false, problems: [{ place: { line: 2 } }] });
  });

  it.each([
    ['has no head', many + line(end)],
    ['has a damaged head', `{\n${many}${line(end)}`],
    ['is one endless line', 'x'.repeat(9 * chunk)],
    [
      'is one line that begins with a head',
      `${JSON.stringify({ ...head, plan_checksum: '' }).replace(
        '"plan_checksum":""',
        `"plan_checksum":"${'x'.repeat(chunk - 1 - JSON.stringify({ ...head, plan_checksum: '' }).length)}"`,
      )} and more\n`,
    ],
    ['is one line of nothing', `${'x'.repeat(2 * chunk)}\n`],
  ])('is a problem if it %s', async (_what, text) => {
    const { result, closed } = await read(text);
    expect(result.ok).toBe(false);
    expect(closed).toBe(1);
  });

  it('is computed from the lines, not from the whole, if the head is longer than a chunk', async () => {
    const long = line({ ...head, plan_checksum: 'x'.repeat(chunk) });
    const { result, isWhole } = await read(long + many + line(end));
    expect(result).toMatchObject({ ok: true, value: { done: 99 } });
    expect(isWhole).toBe(true);
  });

  it("is a rejection if the file can't be opened", async () => {
    await expect(readDigest(join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });
});
