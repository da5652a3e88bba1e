import { writeSync } from 'node:fs';
import pg from 'pg';

/**
 * Loaded before the program: the process stops itself once the database has its third group of begins, and before the
 * run hears of it, which is exactly between `begin` and the call.
 */
const query = pg.Client.prototype.query as (...given: readonly unknown[]) => unknown;
let begins = 0;

async function stopThen(result: Promise<unknown>): Promise<unknown> {
  const answer = await result;
  begins += 1;
  if (begins === 3) {
    writeSync(2, 'stopped between begin and call\n');
    process.kill(process.pid, 'SIGSTOP');
  }
  return answer;
}

pg.Client.prototype.query = function (this: pg.Client, ...given: readonly unknown[]): unknown {
  const result = query.apply(this, given as unknown[]);
  const isBegin = given.some((each) => JSON.stringify(each)?.includes('type\\":\\"begin') === true);
  return isBegin && result instanceof Promise ? stopThen(result) : result;
} as typeof pg.Client.prototype.query;
