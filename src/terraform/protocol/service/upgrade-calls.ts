import { type Diagnostic, errorDiagnostic } from '../provider/diagnostic.ts';
import type { IdentityValue } from '../provider/identity.ts';
import { typeOfBody } from '../schema/type-of-schema.ts';
import type { TerraformJson } from '../value/json.ts';
import { defectDiagnostics, sentDiagnostics } from './diagnostics.ts';
import { guarded } from './guard.ts';
import type { Handlers } from './handler.ts';
import { sentIdentity } from './identity-data.ts';
import { unknownTypeDiagnostic } from './refusals.ts';
import { upgradedFrom } from './upgraded-from.ts';
import { jsonBytes, rawJson } from './wire-value.ts';

/** The call that every stored state goes through before anything else. */
export const upgradeCalls: Handlers<'UpgradeResourceState'> = {
  UpgradeResourceState: async (session, request) => {
    const resource = session.resource(request.typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.typeName);
    const { schema, upgrade = {}, forget } = resource;
    const refuse = (diagnostics: readonly Diagnostic[]) => ({
      diagnostics: sentDiagnostics(schema, diagnostics),
    });
    const from = Number(request.version);
    const to = schema.version ?? 0;
    const stored = request.rawState?.json;
    if (stored === undefined || stored.length === 0)
      return refuse([
        errorDiagnostic(`The state of ${request.typeName} has the format of Terraform 0.11 or older`),
      ]);
    // As it came: nothing is decoded, so no digit of any number is lost.
    if (from === to && forget === undefined) return { upgradedState: { json: stored } };
    const upgraded = await guarded(`Upgrading the state of ${request.typeName}`, () => {
      const current = upgradedFrom(rawJson(request.rawState) as TerraformJson, upgrade, { from, to });
      return { state: forget === undefined ? current : forget(current) };
    });
    const { state, diagnostics } = upgraded;
    if (state === undefined) return refuse(diagnostics ?? []);
    const known = typeOfBody(schema).object;
    const unknown = Object.keys(state ?? {}).filter((name) => !Object.hasOwn(known, name));
    if (unknown.length > 0)
      return refuse(
        defectDiagnostics(
          `Invalid upgrade of the state of ${request.typeName}`,
          unknown.map((name) => ({ path: [name], fault: 'is not in the schema' })),
        ),
      );
    return { upgradedState: { json: jsonBytes(state) } };
  },
};

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
