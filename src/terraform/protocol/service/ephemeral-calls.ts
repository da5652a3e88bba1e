import { defined } from '../../../core/lib/defined.ts';
import { unknownTypeDiagnostic } from './diagnostics.ts';
import { type Handlers, validation } from './handler.ts';
import { producedValue } from './read-calls.ts';

export const ephemeralCalls: Handlers<
  | 'ValidateEphemeralResourceConfig'
  | 'OpenEphemeralResource'
  | 'RenewEphemeralResource'
  | 'CloseEphemeralResource'
> = {
  ValidateEphemeralResourceConfig: (session, { typeName, config }) =>
    validation('ephemeral resource', typeName, session.ephemeral(typeName), config),

  OpenEphemeralResource: async (session, { typeName, config }, signal) => {
    const ephemeral = session.ephemeral(typeName);
    if (ephemeral === null) return unknownTypeDiagnostic('ephemeral resource', typeName);
    const opened = await producedValue(session.callWith(signal), {
      schema: ephemeral.schema,
      config,
      doing: `Opening ${typeName}`,
      what: `result of ${typeName}`,
      make: (given, call) => ephemeral.open(given, call),
    });
    return defined({ result: opened.value, diagnostics: opened.diagnostics });
  },

  // Nothing that the provider opens has to be renewed or closed.
  RenewEphemeralResource: () => ({}),
  CloseEphemeralResource: () => ({}),
};
