import { connect, createServer } from 'node:net';
import { listen } from './loopback.ts';

/** A proxy that tunnels every name to one port of this machine, and records its requests. */
export async function serveProxy(target: number, status = 200) {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.once('data', (head) => {
      asked.push(head.toString('latin1'));
      if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      const onward = connect(target, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
      return onward;
    });
  });
  return { asked, url: `http://127.0.0.1:${await listen(server)}` };
}
