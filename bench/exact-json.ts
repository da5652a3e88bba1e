/**
 * What exact reading of a host list costs: the ratio to plain `JSON.parse` of the same bytes, decoding in both.
 * Half of the ids lie beyond 2^53. The two are timed in turns, so that a busy machine slows both.
 */
import { parseExactJson } from '../src/lib/exact-json.ts';

const decoder = new TextDecoder('utf-8');
const plain = (bytes: Uint8Array) => JSON.parse(decoder.decode(bytes)) as unknown;

console.log('hosts      bytes        JSON.parse   exact        ratio');
for (const [hosts, rounds] of [
  [1_000, 301],
  [10_000, 61],
  [100_000, 15],
] as const) {
  const bytes = listOf(hosts);
  const times: { readonly plain: number[]; readonly exact: number[] } = { plain: [], exact: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.plain.push(timeOf(() => plain(bytes)));
    times.exact.push(timeOf(() => parseExactJson(bytes)));
  }
  const [base, exact] = [median(times.plain), median(times.exact)];
  console.log(
    [
      String(hosts).padEnd(10),
      String(bytes.length).padEnd(12),
      `${base.toFixed(2)} ms`.padEnd(12),
      `${exact.toFixed(2)} ms`.padEnd(12),
      (exact / base).toFixed(2),
    ].join(' '),
  );
}

function listOf(count: number): Uint8Array {
  const hosts = Array.from({ length: count }, (_, index) => {
    const id =
      index % 2 === 0 ? String(9007199254740993n + BigInt(index) * 7919n) : String(200_000_000 + index);
    return `{"description":"BER-WEB-${index}","groupid":${index % 40},"id":${id},"isHostOnline":${index % 3 !== 0}}`;
  });
  return new TextEncoder().encode(`{"groups":[{"id":-1,"name":null}],"hosts":[${hosts.join(',')}]}`);
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}
