import type { Environment } from './io.ts';

const names = ['RAMPART_PSK', 'RAMPART_SESSION_ID'];

/** Values of the environment that no output may show, known before any configuration is read. */
export function environmentSecrets(env: Environment): readonly string[] {
  const headers = Object.keys(env)
    .filter((name) => /^OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS$/.test(name))
    .flatMap((name) => (env[name] ?? '').split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).trim()));
  return [...names.map((name) => env[name] ?? ''), ...headers];
}
