import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
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
  /** The connections that are open. */
  readonly open: Set<Socket>;
}

export interface SmtpOptions {
  /** The name or address at which it listens. */
  readonly host?: string;
  /** With a certificate the server offers STARTTLS, or begins with TLS if `isImplicit`. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly isImplicit?: boolean };
  /** With a login the server requires it. */
  readonly login?: { readonly user: string; readonly password: string };
  /** The response to each recipient, or to those that have one. */
  readonly recipients?: string | Readonly<Record<string, string>>;
  /** The response to the content of a mail. */
  readonly content?: string;
  /** The first line of the server; without it, the server stays silent. */
  readonly greeting?: string | null;
}

/** A small mail server on loopback, for the commands that nodemailer sends. */
export async function startSmtpServer({
  tls,
  login,
  recipients = '250 ok',
  content = '250 queued',
  greeting = '220 loopback',
  host,
}: SmtpOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const open = new Set<Socket>();
  const talk = (socket: Socket, isSecure: boolean) => {
    let from = '';
    let to: string[] = [];
    let rest = '';
    let data: string | undefined;
    const say = (...lines: readonly string[]) =>
      void socket.write(lines.map((line) => `${line}\r\n`).join(''));
    open.add(socket);
    socket.on('close', () => void open.delete(socket));
    if (greeting !== null && !(isSecure && tls?.isImplicit !== true)) say(greeting);
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
        say(typeof recipients === 'string' ? recipients : (recipients[address] ?? '250 ok'));
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
          say(content);
        } else data += `${line}\n`;
      }
    });
  };
  const server =
    tls?.isImplicit === true
      ? createTlsServer(tls, (socket) => talk(socket, true))
      : createServer((socket) => talk(socket, false));
  return { port: await listen(server, undefined, host), mails, commands, open };
}
