/**
 * What exact reading of a host list costs: the ratio to plain `JSON.parse` of the same bytes, decoding in both.
 * Half of the ids lie beyond 2^53. The two are timed in turns, so that a busy machine slows both.
 */
import { parseExactJson } from '../src/core/lib/exact-json.ts';
import { inTurns } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';

const decoder = new TextDecoder('utf-8');
const plain = (bytes: Uint8Array) => JSON.parse(decoder.decode(bytes)) as unknown;

const report = openReport('Reading a list exactly', 'as a ratio to plain `JSON.parse` of the same bytes');
const row = report.table(['hosts', 'bytes', 'JSON.parse', 'exact', 'ratio', 'goal']);
const sizes = [
  [1_000, 301],
  [10_000, 61],
  [100_000, 15],
] as const;
for (const [hosts, rounds] of isQuick ? sizes.slice(0, 2) : sizes) {
  const bytes = listOf(hosts);
  const [base = 0, exact = 0] = inTurns(rounds, [() => plain(bytes), () => parseExactJson(bytes)]);
  const times = [base, exact].map((ms) => `${ms.toFixed(2)} ms`);
  row([hosts.toLocaleString('en'), String(bytes.length), ...times, (exact / base).toFixed(2), '1.7']);
}

function listOf(count: number): Uint8Array {
  const hosts = Array.from({ length: count }, (_, index) => {
    const id =
      index % 2 === 0 ? String(9007199254740993n + BigInt(index) * 7919n) : String(200_000_000 + index);
    return `{"description":"BER-WEB-${index}","groupid":${index % 40},"id":${id},"isHostOnline":${index % 3 !== 0}}`;
  });
  return new TextEncoder().encode(`{"groups":[{"id":-1,"name":null}],"hosts":[${hosts.join(',')}]}`);
}
