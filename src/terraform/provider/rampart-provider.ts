import type { Clock } from '../../lib/clock.ts';
import { createFleetReader } from '../../wire/create-fleet-reader.ts';
import { createFleetWriter } from '../../wire/create-fleet-writer.ts';
import { problem } from '../../problem/problem.ts';
import { failed, ok } from '../../problem/result.ts';
import { createBroker } from '../fleet/broker.ts';
import { createFleetSession } from '../fleet/fleet-session.ts';
import { hasErrors } from '../protocol/provider/diagnostic.ts';
import type { Provider } from '../protocol/provider/provider.ts';
import { knownOrNull } from '../protocol/value/unknown.ts';
import { createClaims } from './claims.ts';
import { configurationSchema, type ProviderConfig } from './connection/configuration.ts';
import { durationMs } from './connection/duration.ts';
import { type Connection, openConnection, type Surroundings } from './connection/open-connection.ts';
import { unknownArguments } from './connection/settings.ts';
import { hostResource } from './host/host-resource.ts';
import { kit, type Rampart, type Service } from './service.ts';
import { toDiagnostics } from './to-diagnostics.ts';
import { createTurns } from './turns.ts';

/** The provider `rampart`; what its block does not say it reads from the given environment. */
export function rampartProvider(surroundings: Surroundings): Provider<Rampart> {
  return kit.provider({
    schema: configurationSchema,
    configure: async (config) => {
      const unknown = unknownArguments(config);
      if (unknown.length > 0) return { client: { service: failed(...unknown.map(notKnownYet)) } };
      const connection = await openConnection(config, surroundings);
      const diagnostics = toDiagnostics(connection.problems);
      if (!connection.ok || hasErrors(diagnostics)) return { diagnostics };
      return { diagnostics, client: { service: ok(serviceOn(connection.value, config, surroundings.clock)) } };
    },
    close: async ({ service }) => {
      if (service.ok) await service.value.session.client.close();
    },
    resources: { rampart_host: hostResource },
  });
}

function serviceOn({ account, client }: Connection, config: ProviderConfig, clock: Clock): Service {
  const maxAgeMs = durationMs(knownOrNull(config.max_age) ?? '');
  const settleMs = knownOrNull(config.settle_ms);
  const session = createFleetSession({
    account,
    client,
    reader: createFleetReader(client, { clock }),
    writer: createFleetWriter(client),
    clock,
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  });
  const broker = createBroker({ session, ...(settleMs === null ? {} : { settleMs: Number(settleMs) }) });
  return { session, broker, claims: createClaims(), moves: createTurns() };
}

function notKnownYet(argument: string) {
  return problem('configuration', `the provider’s argument ${argument} is not known yet`, {
    hint: 'it is the result of something that is yet to be applied: apply that first with -target, or give the value by a variable or the environment',
  });
}
