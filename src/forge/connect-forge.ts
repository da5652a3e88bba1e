import type { Clock, Environment } from '../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../core/problem/problem.ts';
import { createUndiciExchange } from '../service/client/undici-exchange.ts';
import { type ForgePlace, type ForgeTransport, pipelineWords } from './forge-client.ts';

export interface ConnectedForge<F> {
  readonly forge: F;
  close(): Promise<void>;
}

/** Connects a pipeline to its forge. Requests wait for short rate limits, and problems quote the forge. */
export function connectForge<F>(
  create: (place: ForgePlace, transport: ForgeTransport) => F,
  place: ForgePlace,
  { env, clock }: { readonly env: Environment; readonly clock: Clock },
): Result<ConnectedForge<F>> {
  const url = URL.parse(place.api);
  const http = createUndiciExchange({ baseUrl: url === null ? place.api : url.origin, env });
  if (!http.ok) return http;
  const { exchange, close } = http.value;
  const send: ForgeTransport['send'] = async (request, failure) => {
    try {
      return ok(await exchange(request));
    } catch {
      return failed(problem('network', `${failure}: no answer`));
    }
  };
  return ok({ forge: create(place, { send, clock, waits: true, words: pipelineWords }), close });
}
