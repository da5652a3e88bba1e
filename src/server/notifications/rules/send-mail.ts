import { isIP } from 'node:net';
import { codeOf } from '../../../core/lib/error-code.ts';
import { isLoopback } from '../../../core/lib/loopback.ts';
import { certificateErrors, handshakeErrors } from '../../../core/lib/tls-errors.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { resolveAllowed } from '../../../service/client/guarded-fetch.ts';
import { readSecret } from '../../settings/read-secret.ts';
import type { MailNotification } from '../../settings/server-settings.ts';
import type { Mail } from './paint-mail.ts';
import type { SendParts } from './send-parts.ts';

const timeoutMs = 15_000;

/**
 * Sends one mail over SMTP. The library may read no files and no addresses, the recipients are only those of the
 * settings, and an unencrypted connection goes only to this machine. If the server refuses only some recipients,
 * `onFailure` is called.
 */
export async function sendMail(
  channel: MailNotification,
  { subject, text }: Mail,
  id: string,
  parts: SendParts,
): Promise<Result<null>> {
  const { host, port, security, user, password } = channel.smtp;
  const secret =
    password && readSecret(password, `the password of the mail server of "${channel.name}"`, parts);
  if (secret?.ok === false) return secret;
  const resolved = await resolveAllowed(host, parts.allow);
  if (!resolved.ok) return resolved;
  const [address = host] = resolved.value;
  if (security === 'none' && !isLoopback(address)) {
    return failed(
      problem('insecure-url', `the mail server ${host} is not on this machine, so it must use TLS`, {
        hint: 'set security to starttls or tls',
      }),
    );
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2', ...(isIP(host) === 0 ? { servername: host } : {}), ...parts.tls },
    ...(user === undefined || secret === undefined ? {} : { auth: { user, pass: secret.value } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    const { rejected } = await transport.sendMail({
      from: { name: 'Rampart', address: channel.from },
      to: channel.to.map((each) => ({ name: '', address: each })),
      subject,
      text,
      messageId: `<${id}@rampart.invalid>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      // Closing the transport would end no connection that is open.
      ...(parts.signal === undefined ? {} : { signal: parts.signal }),
    });
    // Another attempt would send the mail again to the others.
    if (rejected.length > 0)
      parts.onFailure?.(`the mail server ${host} refuses the recipients ${rejected.join(', ')}`, null);
    return ok(null);
  } catch (error) {
    return failed(mailProblem(host, error));
  }
}

/** The text of a mail server is not shown: it may quote the login. */
function mailProblem(host: string, error: unknown): Problem {
  const code = codeOf(error);
  const { responseCode: status, originalCode: cause } = error as {
    readonly responseCode?: unknown;
    readonly originalCode?: unknown;
  };
  // The library's code for every error of a socket hides the one of the system.
  const reason = typeof cause === 'string' ? cause : code;
  const answer = typeof status === 'number' ? ` (answer ${status})` : '';
  if (code === 'EAUTH') {
    return problem('not-authenticated', `the mail server ${host} refuses the login${answer}`, {
      hint: 'check the user and the password of the mail server',
    });
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    return problem('bad-request', `the mail server ${host} refuses the message${answer}`, {
      hint: 'check the sender and the recipients',
    });
  }
  if (code === 'ETLS' || certificateErrors.test(reason) || handshakeErrors.test(reason)) {
    return problem('insecure-url', `the mail server ${host} offers no valid TLS (${known(reason)})`, {
      hint: 'check the certificate and the setting "security"',
    });
  }
  return problem('network', `the mail server ${host} can't be reached (${known(reason)})`, {
    hint: 'check the host and the port of the mail server',
  });
}

function known(code: string): string {
  return /^[A-Z_]{3,40}$/.test(code) ? code : 'unknown';
}
