// Names and groups hosts after assets.csv, as a script without Rampart does: node script.mjs
import { readFileSync } from 'node:fs';

const { RAMPART_BASE_URL: base, RAMPART_COMPANY_ID: company, RAMPART_PSK: key } = process.env;
const headers = {
  accept: 'application/json',
  'content-type': 'application/json',
  authorization: `Basic ${Buffer.from(`${company}:${key}`).toString('base64')}`,
};
let calls = 0;

async function call(method, path, body) {
  calls += 1;
  const response = await fetch(`${base}/public-api/${path}`, { method, headers, body: body && json(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return text === '' ? undefined : parsed(text);
}

// JSON.parse rounds ids above 2^53, so ids are texts here and numbers on the wire.
const parsed = (text) => JSON.parse(text.replace(/("(?:id|groupid)":)(-?\d+)/g, '$1"$2"'));
const json = (body) =>
  JSON.stringify(body).replace(/"hostIds":\[[^\]]*\]/, (list) => list.replace(/(\d)"|"(\d)/g, '$1$2'));

const [head, ...lines] = readFileSync('assets.csv', 'utf8').trim().split('\n');
const columns = head.split(';');
const register = new Map();
for (const line of lines) {
  const row = Object.fromEntries(line.split(';').map((cell, index) => [columns[index], cell.trim()]));
  if (row.Status === 'in use' && row.Serial !== '') register.set(row.Serial.toUpperCase(), row);
}

const { hosts, groups } = await call('GET', 'v2/hostswithgroups');
const groupIds = new Map(groups.map(({ name, id }) => [name, id]));
const serials = new Map();
const hostIds = hosts.map(({ id }) => id);
let { token } = await call('POST', 'v1/inventory/hardware/reports', { hostIds, fields: ['ServiceTag'] });
while (token) {
  const page = await call('GET', `v1/inventory/hardware/reports/${token}`);
  for (const [id, { serviceTag }] of Object.entries(page.hosts)) serials.set(id, serviceTag?.toUpperCase());
  token = page.report.token;
}

const moves = new Map();
for (const { id, description, groupid } of hosts) {
  const row = register.get(serials.get(id));
  if (row === undefined) continue;
  const group = groupIds.get(row.Site);
  if (group !== groupid) moves.set(group, [...(moves.get(group) ?? []), id]);
  if (row.Name === '' || row.Name === description) continue;
  try {
    await call('PUT', `v1/hosts/${id}/description`, { newDescription: row.Name });
  } catch (error) {
    console.error(`${description} is not renamed to ${row.Name}: ${error.message}`);
  }
}
for (const [group, ids] of moves) await call('PUT', `v1/host-groups/${group}/hosts`, { hostIds: ids });
console.log(`${calls} calls`);
