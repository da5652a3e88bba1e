import { failed, ok, problem } from '../../core/problem/problem.ts';
import { type Diagnostic, hasErrorDiagnostics } from '../protocol/provider/call.ts';
import type { ProviderConfig } from './connection/configuration.ts';
import { openConnection, type Surroundings } from './connection/open-connection.ts';
import { unknownArguments } from './connection/settings.ts';
import { openService } from './open-service.ts';
import { type Rampart, toDiagnostics } from './service.ts';

interface Connected {
  readonly client?: Rampart;
  readonly diagnostics?: readonly Diagnostic[];
}

/** Reads a provider block. Nothing is sent yet; unknown arguments are reported at the first read. */
export async function connectProvider(
  config: ProviderConfig,
  surroundings: Surroundings,
): Promise<Connected> {
  const unknown = unknownArguments(config);
  if (unknown.length > 0) return { client: { service: failed(...unknown.map(notKnownYet)) } };
  const connection = await openConnection(config, surroundings);
  const diagnostics = toDiagnostics(connection.problems);
  if (!connection.ok || hasErrorDiagnostics(diagnostics)) return { diagnostics };
  return { diagnostics, client: { service: ok(openService(connection.value, config, surroundings)) } };
}

function notKnownYet(argument: string) {
  return problem('configuration', `the provider's argument ${argument} is not known yet`, {
    hint: 'its value is known after the apply. Apply the resource that it depends on first with -target, or set the value with a variable or the environment',
  });
}
