import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredServer } from './measured-server.ts';

/** The requests of the console's pages while someone looks at them. */
const routes = [
  '/api/v1/me',
  '/api/v1/overview',
  '/api/v1/history?days=1',
  '/api/v1/causes',
  '/api/v1/accounts',
  '/api/v1/accounts?health=drifted',
  '/api/v1/accounts/{account}',
  '/api/v1/accounts/{account}/hosts',
  '/api/v1/accounts/{account}/drift',
  '/api/v1/hosts?q=srv',
  '/api/v1/hosts/facets?q=srv',
  '/api/v1/plans',
  '/api/v1/runs',
  '/api/v1/pauses',
];

/** How long a person waits between two requests of a page, in milliseconds: below the rate limit of one token. */
const gapMs = 50;

/**
 * Sends the requests of the console one after another while `work` is done again and again. Returns their times in
 * milliseconds, sorted.
 */
export async function measureApi(
  { url, token, ask }: MeasuredServer,
  requests: number,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const [account = ''] = ask('select name from rampart_server.account order by name limit 1').split('\n');
  const paths = routes.map((route) => route.replace('{account}', encodeURIComponent(account)));
  const send = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  for (const path of paths) await send(path);
  let isOver = false;
  const working = (async () => {
    while (!isOver) await work();
  })();
  const times: number[] = [];
  for (let sent = 0; sent < requests; sent += 1) {
    const start = performance.now();
    await send(paths[sent % paths.length] ?? '');
    times.push(performance.now() - start);
    await pause(gapMs);
  }
  isOver = true;
  await working;
  return times.toSorted((a, b) => a - b);
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
