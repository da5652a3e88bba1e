import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { listen } from '../../given/loopback.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly data: string;
}

export interface SmtpServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** What clients sent, without the content of mails. */
  readonly commands: string[];
}

export interface SmtpOptions {
  /** With a certificate the server offers STARTTLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** With a login the server requires it. */
  readonly login?: { readonly user: string; readonly password: string };
  /** The answer to each recipient. */
  readonly recipients?: string;
}

/** A small mail server on loopback, for the commands that nodemailer sends. */
export async function startSmtpServer({
  tls,
  login,
  recipients = '250 ok',
}: SmtpOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const talk = (socket: Socket, isSecure: boolean) => {
    let from = '';
    let to: string[] = [];
    let rest = '';
    let data: string | undefined;
    const say = (...lines: readonly string[]) =>
      void socket.write(lines.map((line) => `${line}\r\n`).join(''));
    if (!isSecure) say('220 loopback');
    const onLine = (line: string) => {
      commands.push(line);
      const [verb = ''] = line.toUpperCase().split(' ');
      const address = /<(.*)>/.exec(line)?.[1] ?? '';
      if (verb === 'EHLO') {
        say('250-loopback', ...(tls !== undefined && !isSecure ? ['250-STARTTLS'] : []), '250 AUTH PLAIN');
      } else if (verb === 'STARTTLS' && tls !== undefined) {
        socket.write('220 go\r\n');
        socket.removeAllListeners('data');
        const secure = new TLSSocket(socket, { isServer: true, ...tls });
        secure.on('error', () => {});
        talk(secure, true);
      } else if (verb === 'AUTH') {
        const expected = `\0${login?.user}\0${login?.password}`;
        const given = Buffer.from(line.split(' ')[2] ?? '', 'base64').toString();
        say(given === expected ? '235 welcome' : `535 refused ${given.split('\0')[2]}`);
      } else if (verb === 'MAIL') {
        from = address;
        to = [];
        say('250 ok');
      } else if (verb === 'RCPT') {
        to.push(address);
        say(recipients);
      } else if (verb === 'DATA') {
        data = '';
        say('354 go');
      } else if (verb === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('502 unknown command');
    };
    socket.on('data', (chunk: Buffer) => {
      rest += chunk.toString('utf8');
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (data === undefined) onLine(line);
        else if (line === '.') {
          mails.push({ from, to, data });
          data = undefined;
          say('250 queued');
        } else data += `${line}\n`;
      }
    });
  };
  const port = await listen(createServer((socket) => talk(socket, false)));
  return { port, mails, commands };
}
