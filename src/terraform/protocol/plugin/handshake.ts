import type { ListenAddress } from './listener.ts';

const protocolVersion = 6;
const coreVersion = 1;
const cookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';

/** The settings in Terraform's environment, or the reason not to start. */
export type Invitation =
  | { readonly ok: true; readonly clientCertificate: string | null }
  | { readonly ok: false; readonly reason: string };

export function readInvitation(env: NodeJS.ProcessEnv): Invitation {
  if (env['TF_PLUGIN_MAGIC_COOKIE'] !== cookie)
    return {
      ok: false,
      reason:
        'This is a plugin of Terraform, which starts it automatically.\nTo run it by hand, for debugging, start it with --debug.',
    };
  const versions = env['PLUGIN_PROTOCOL_VERSIONS'];
  if (versions !== undefined && !versions.split(',').includes(String(protocolVersion)))
    return {
      ok: false,
      reason: `Terraform supports the plugin protocols ${versions}, and this provider needs ${protocolVersion}: install Terraform 1.0 or newer.`,
    };
  const certificate = env['PLUGIN_CLIENT_CERT'];
  return {
    ok: true,
    clientCertificate: certificate === undefined || certificate === '' ? null : certificate,
  };
}

/** The line with which Terraform finds the connection; null: no certificate, unencrypted. */
export function handshakeLine({ network, text }: ListenAddress, certificate: Buffer | null): string {
  const last = certificate === null ? '' : certificate.toString('base64').replace(/=+$/, '');
  return `${[coreVersion, protocolVersion, network, text, 'grpc', last].join('|')}\n`;
}

/** The environment variable that makes Terraform use a running provider. */
export function reattachment(provider: string, { network, text }: ListenAddress, pid: number): string {
  return JSON.stringify({
    [provider]: {
      Protocol: 'grpc',
      ProtocolVersion: protocolVersion,
      Pid: pid,
      // Without it Terraform 1.11 crashes.
      Test: true,
      Addr: { Network: network, String: text },
    },
  });
}
