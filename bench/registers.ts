/**
 * The cost of reading a register of 10,000 rows in pages of 100: the ratio to fetching and parsing the same pages one
 * after the other with `fetch`, from a server in this process that returns each page after 10 ms. The two run in turns.
 */
import { createServer } from 'node:http';
import { systemClock } from '../src/service/client/system-clock.ts';
import { fetchRegister } from '../src/service/registers/fetch-register.ts';
import { median } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';

const count = 10_000;
const size = 100;
const pages = Array.from({ length: count / size }, (_, page) =>
  JSON.stringify({
    total: count,
    rows: Array.from({ length: size }, (__, index) => ({
      serial: `5CG${page * size + index}`,
      name: `BER-LT-${page * size + index}`,
      status: { name: 'in use' },
      site: 'Berlin',
    })),
  }),
);
const server = createServer((request, response) => {
  const offset = Number(new URL(request.url ?? '/', 'http://register').searchParams.get('offset'));
  setTimeout(() => response.end(pages[offset / size]), 10);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('no port');
const url = `http://127.0.0.1:${address.port}`;

async function plain(): Promise<void> {
  for (let offset = 0; offset < count; offset += size)
    await (await fetch(`${url}/rows?limit=${size}&offset=${offset}`)).json();
}

async function register(): Promise<void> {
  const read = await fetchRegister(
    {
      source: 'cmdb',
      path: 'rows',
      rowsAt: 'rows',
      paging: { by: 'offset', param: 'offset', sizeParam: 'limit', size, first: 0, total: 'total' },
    },
    { env: { RAMPART_SOURCE_CMDB_URL: url }, folder: '.', clock: systemClock, hide: () => {} },
  );
  if (!read.ok || read.value.rows.length !== count) throw new Error('the register was not read');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const times: [number, number][] = [];
for (let round = 0; round < (isQuick ? 2 : 6); round += 1)
  times.push([await timed(plain), await timed(register)]);
server.close();
server.closeAllConnections();
const [base, read] = [median(times.map(([each]) => each)), median(times.map(([, each]) => each))];
const report = openReport('Reading a register over HTTP', 'as a ratio to fetching the same pages');
const row = report.table(['rows', 'pages', 'fetch', 'register', 'ratio', 'goal']);
row([
  count.toLocaleString('en'),
  String(pages.length),
  `${base.toFixed(0)} ms`,
  `${read.toFixed(0)} ms`,
  (read / base).toFixed(2),
  '1.2',
]);
