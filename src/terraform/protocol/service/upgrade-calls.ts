import type { IdentityValue } from '../provider/identity.ts';
import type { StoredState } from '../provider/resource.ts';
import { typeOfBody } from '../schema/schema.ts';
import {
  defectDiagnostics,
  guarded,
  refusalOf,
  sentDiagnostics,
  unknownTypeDiagnostic,
} from './diagnostics.ts';
import type { Handlers } from './handler.ts';
import { sentIdentity } from './identity-data.ts';
import { jsonBytes, jsonFrom } from './wire-value.ts';

/** The calls that every stored state and identity go through before anything else. There is one version of each. */
export const upgradeCalls: Handlers<'UpgradeResourceState' | 'UpgradeResourceIdentity'> = {
  UpgradeResourceState: async (session, request) => {
    const resource = session.resource(request.typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.typeName);
    const { schema, forget } = resource;
    const stored = request.rawState?.json ?? new Uint8Array();
    if (stored.length === 0)
      return refusalOf(`The state of ${request.typeName} has the format of Terraform 0.11 or older`);
    if (request.version > 0n) return writtenByNewer('state', request);
    if (forget === undefined) return { upgradedState: { json: stored } };
    const { state, diagnostics = [] } = await guarded(`Reading the state of ${request.typeName}`, () => ({
      state: forget(jsonFrom(stored) as StoredState),
    }));
    if (state === undefined) return { diagnostics: sentDiagnostics(schema, diagnostics) };
    const known = typeOfBody(schema).object;
    const unknown = Object.keys(state).filter((name) => !Object.hasOwn(known, name));
    if (unknown.length === 0) return { upgradedState: { json: jsonBytes(state) } };
    const faults = unknown.map((name) => ({ path: [name], fault: 'is not in the schema' }));
    const defects = defectDiagnostics(`Invalid state of ${request.typeName}`, faults);
    return { diagnostics: sentDiagnostics(schema, defects) };
  },

  UpgradeResourceIdentity: (session, request) => {
    const identity = session.resource(request.typeName)?.identity;
    if (identity === undefined)
      return unknownTypeDiagnostic('resource type with an identity', request.typeName);
    if (request.version > 0n) return writtenByNewer('identity', request);
    const stored = jsonFrom(request.rawIdentity?.json ?? new Uint8Array());
    return { upgradedIdentity: sentIdentity(identity, stored as IdentityValue | null) };
  },
};

function writtenByNewer(what: 'state' | 'identity', { typeName }: { readonly typeName: string }) {
  return refusalOf(`The ${what} of ${typeName} was written by a newer version of the provider: install that`);
}
