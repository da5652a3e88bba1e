// Serves assets.csv as a register over HTTP does: GET /assets?offset=0&limit=100
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [head, ...lines] = readFileSync('assets.csv', 'utf8').trim().split('\n');
const columns = head.split(';');
const all = lines.map((line) => {
  const cells = line.split(';');
  return Object.fromEntries(columns.map((name, index) => [name, cells[index]]));
});

const server = createServer(({ url }, response) => {
  const { searchParams } = new URL(url, 'http://127.0.0.1');
  const offset = Number(searchParams.get('offset') ?? 0);
  const rows = all.slice(offset, offset + Number(searchParams.get('limit') ?? 100));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ total: all.length, rows }));
});
server.listen(Number(process.argv[2] ?? 8123), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);
