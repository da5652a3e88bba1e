import type { IdentityValue } from '../provider/identity.ts';
import { sentDiagnostics } from './diagnostics.ts';
import { guarded } from './guard.ts';
import type { Handlers } from './handler.ts';
import { sentIdentity } from './identity-data.ts';
import { unknownTypeDiagnostic } from './refusals.ts';
import { upgradedFrom } from './upgraded-from.ts';
import { rawJson } from './wire-value.ts';

export const identityCalls: Handlers<'UpgradeResourceIdentity'> = {
  UpgradeResourceIdentity: async (session, request) => {
    const resource = session.resource(request.typeName);
    const identity = resource?.identity;
    if (resource === null || identity === undefined)
      return unknownTypeDiagnostic('resource type with an identity', request.typeName);
    const stored = rawJson(request.rawIdentity) as IdentityValue | undefined;
    const upgraded = await guarded(`Upgrading the identity of ${request.typeName}`, () => ({
      identity: upgradedFrom(stored ?? {}, identity.upgrade ?? {}, {
        from: Number(request.version),
        to: identity.version ?? 0,
      }),
    }));
    return {
      upgradedIdentity: sentIdentity(identity, upgraded.identity ?? null),
      diagnostics: sentDiagnostics(resource.schema, upgraded.diagnostics ?? []),
    };
  },
};
