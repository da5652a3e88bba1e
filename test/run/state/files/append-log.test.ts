import { describe, expect, it } from 'vitest';
import { type LogFile, startLog } from '../../../../src/run/state/files/append-log.ts';

/** A file that records its operations, and fails on demand. */
function fakeFile(fails: (operation: string, index: number) => boolean = () => false) {
  const operations: string[] = [];
  const run = async (operation: string): Promise<void> => {
    operations.push(operation);
    await Promise.resolve();
    if (fails(operation, operations.length - 1)) {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    }
  };
  const file: LogFile = {
    appendFile: (text) => run(`write ${text.replaceAll('\n', '|')}`),
    datasync: () => run('sync'),
    close: () => run('close'),
  };
  return { operations, file };
}

describe('an append-only log', () => {
  it('resolves a durable line only after the fsync', async () => {
    let release = () => {};
    const synced = new Promise<void>((resolve) => {
      release = resolve;
    });
    const file: LogFile = { ...fakeFile().file, datasync: () => synced };
    let onDisk = false;
    const line = startLog(file)
      .commit('a')
      .then(() => {
        onDisk = true;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(onDisk).toBe(false);
    release();
    await line;
    expect(onDisk).toBe(true);
  });
  it('leaves a line that is not urgent to the next fsync', async () => {
    const { file, operations } = fakeFile();
    const log = startLog(file);
    await log.append('a');
    expect(operations).toEqual(['write a|']);
    await Promise.all([log.append('b'), log.commit('c')]);
    expect(operations).toEqual(['write a|', 'write b|c|', 'sync']);
  });
  it.each(['write', 'sync'])('accepts nothing more after a %s that failed', async (broken) => {
    const { file, operations } = fakeFile((operation) => operation.startsWith(broken));
    const log = startLog(file);
    await expect(log.commit('a')).rejects.toMatchObject({ code: 'ENOSPC' });
    const before = operations.length;
    await expect(log.commit('b')).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(log.append('c')).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(operations).toHaveLength(before);
  });
  it('writes one group after another, and closes only after the last', async () => {
    const gate = Promise.withResolvers<void>();
    const { file, operations } = fakeFile();
    const log = startLog({
      ...file,
      async appendFile(text) {
        await file.appendFile(text);
        await gate.promise;
      },
    });
    const first = log.append('a');
    await nextTurn();
    const second = log.append('b');
    await nextTurn();
    expect(operations).toEqual(['write a|']);
    gate.resolve();
    await Promise.all([first, second, log.close()]);
    expect(operations).toEqual(['write a|', 'write b|', 'close']);
  });
  it('is closed only once its file is closed', async () => {
    const closing = Promise.withResolvers<void>();
    const log = startLog({ ...fakeFile().file, close: () => closing.promise });
    let isClosed = false;
    const closed = log.close().then(() => {
      isClosed = true;
    });
    await nextTurn();
    expect(isClosed).toBe(false);
    closing.resolve();
    await closed;
  });
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
