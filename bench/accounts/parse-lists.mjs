/**
 * Fetches and parses the list of each account, so many at a time: what every program that plans them must do.
 *
 *     node parse-lists.mjs CONFIG PARALLEL
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Pool } from 'undici';
import { parse } from 'yaml';

const [config = '', parallel = '1'] = process.argv.slice(2);
const { defaults, accounts } = parse(readFileSync(config, 'utf8'));
const pool = new Pool(defaults.baseUrl, { connections: Number(parallel) });
const waiting = Object.entries(accounts);
let lists = 0;

await Promise.all(Array.from({ length: Number(parallel) }, fetchNext));
await pool.close();
console.log(lists);

async function fetchNext() {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, { companyId }] = next;
    const psk = readFileSync(join(dirname(config), 'keys', `${name}.key`), 'utf8').trim();
    const answer = await pool.request({
      method: 'GET',
      path: '/public-api/v2/hostswithgroups',
      headers: { authorization: `Basic ${Buffer.from(`${companyId}:${psk}`).toString('base64')}` },
    });
    if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.statusCode}`);
    lists += Object.keys(JSON.parse(await answer.body.text())).length;
  }
}
