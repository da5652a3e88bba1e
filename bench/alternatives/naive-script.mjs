/**
 * What people write today: read the list and a table, then set what differs, one call after another. A call that
 * fails is printed, and the next one is tried.
 */
import { readFileSync } from 'node:fs';

const { SERVICE_URL, COMPANY_ID, PSK } = process.env;
const headers = {
  accept: 'application/JSON',
  'content-type': 'application/JSON; charset=utf-8',
  authorization: `Basic ${Buffer.from(`${COMPANY_ID}:${PSK}`).toString('base64')}`,
};

async function call(method, path, body) {
  const response = await fetch(`${SERVICE_URL}/public-api${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) console.error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

const { hosts, groups } = await call('GET', '/v2/hostswithgroups');
const [, ...rows] = readFileSync('hosts.csv', 'utf8').trim().split('\n');
for (const row of rows) {
  const [id, name, group] = row.split(',');
  const host = hosts.find((each) => each.id === Number(id));
  const groupId = groups.find((each) => each.name === group).id;
  if (host.description !== name) {
    await call('PUT', `/v1/hosts/${host.id}/description`, { newDescription: name });
  }
  if (host.groupid !== groupId) await call('PUT', `/v1/host-groups/${groupId}/hosts`, { hostIds: [host.id] });
}
