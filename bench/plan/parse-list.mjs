// What any program does at least: it fetches the list and parses it, with rounded ids.
import { get } from 'node:http';

const { RAMPART_BASE_URL: url } = process.env;
get(`${url}/public-api/v2/hostswithgroups`, (response) => {
  const chunks = [];
  response.on('data', (chunk) => chunks.push(chunk));
  response.on('end', () => {
    const { hosts } = JSON.parse(Buffer.concat(chunks).toString());
    console.log(`${hosts.length} hosts`);
  });
});
