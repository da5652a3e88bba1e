import type { Environment } from './io.ts';

/** Also those that a profile may name. */
const names = /^RAMPART_(?:PSK|SESSION_ID)(?:_(?!FILE$)\w+)?$|_PSK$/;

/** Values of the environment that no output may show, known before any configuration is read. */
export function environmentSecrets(env: Environment): readonly string[] {
  const headers = Object.keys(env)
    .filter((name) => /^OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS$/.test(name))
    .flatMap((name) => (env[name] ?? '').split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).trim()));
  const keys = Object.keys(env)
    .filter((name) => names.test(name))
    .map((name) => (env[name] ?? '').trim());
  return [...keys, ...headers];
}
