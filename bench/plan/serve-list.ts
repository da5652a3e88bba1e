import { createServer } from 'node:http';
import { listOf } from './fleet.ts';

/** A service of one list, in a separate process, so that nothing of it counts. Tells its port when it listens. */
const list = listOf(Number(process.argv[2]));
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': list.length }).end(list);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});
