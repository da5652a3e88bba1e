import type { SentMessage } from '../messages/messages.ts';
import { type Diagnostic, hasErrorDiagnostics } from '../provider/call.ts';
import type { IdentityValue } from '../provider/identity.ts';
import type { StoredState } from '../provider/resource.ts';
import { completeValue, faultsOfState } from '../rules/complete.ts';
import { planFromSchema } from '../rules/make-plan.ts';
import { replacementsOf } from '../rules/replacements.ts';
import { storable } from '../rules/storable.ts';
import { pathMessage } from '../schema/attribute-path.ts';
import { typeOfBody } from '../schema/schema.ts';
import { faultsOfType } from '../value/conformity.ts';
import { isSameValue } from '../value/same-value.ts';
import type { RecordValue } from '../value/value.ts';
import {
  defectDiagnostics,
  guarded,
  notConfigured,
  nothingGiven,
  refusalOf,
  sentDiagnostics,
  unknownTypeDiagnostic,
} from './diagnostics.ts';
import {
  type Handlers,
  jsonBytes,
  jsonFrom,
  privateFrom,
  privateTo,
  receivedRecord,
  sentRecord,
  validation,
} from './handler.ts';
import { identityOf, receivedIdentity, sentIdentity } from './identity-data.ts';

/** The calls about an existing resource. */
export const resourceCalls: Handlers<'ValidateResourceConfig' | 'ReadResource'> = {
  ValidateResourceConfig: (session, { typeName, config }) =>
    validation('resource type', typeName, session.resource(typeName), config),

  ReadResource: async (session, request, signal) => {
    const resource = session.resource(request.typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.typeName);
    const { schema, identity } = resource;
    const call = session.callWith(signal);
    const current = receivedRecord(request.currentState, schema);
    const unchanged = {
      newState: sentRecord(current, schema),
      private: request.private,
      ...(request.currentIdentity === undefined ? {} : { newIdentity: request.currentIdentity }),
    };
    const refuse = (diagnostics: readonly Diagnostic[]) => ({
      ...unchanged,
      diagnostics: sentDiagnostics(schema, diagnostics),
    });
    if (call === null) return refuse([notConfigured]);
    if (current === null) return unchanged;
    const reply = await guarded(`Reading ${request.typeName}`, () =>
      resource.read(
        {
          state: current,
          private: privateFrom(request.private),
          identity: receivedIdentity(identity, request.currentIdentity),
        },
        call,
      ),
    );
    const given = reply.state;
    const diagnostics = reply.diagnostics ?? [];
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    const read = given === undefined || given === null ? null : (completeValue(schema, given) as RecordValue);
    const state = isSameValue(typeOfBody(schema), read, current) ? current : read;
    const defects = given === undefined ? [nothingGiven] : state === null ? [] : faultsOfState(schema, state);
    if (defects.length > 0)
      return refuse([...diagnostics, ...defectDiagnostics(`Invalid state of ${request.typeName}`, defects)]);
    const newIdentity = identityOf(identity, state);
    return {
      newState: sentRecord(state, schema),
      private: privateTo(reply.private, request.private),
      ...(newIdentity === undefined ? {} : { newIdentity }),
      diagnostics: sentDiagnostics(schema, diagnostics),
    };
  },
};

export const planCalls: Handlers<'PlanResourceChange'> = {
  PlanResourceChange: async (session, request, signal) => {
    const resource = session.resource(request.typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.typeName);
    const { schema } = resource;
    const call = session.callWith(signal);
    const refuse = (diagnostics: readonly Diagnostic[], ownPrivate?: unknown) => ({
      plannedState: sentRecord(null, schema),
      plannedPrivate: privateTo(ownPrivate, request.priorPrivate),
      diagnostics: sentDiagnostics(schema, diagnostics),
    });
    if (call === null) return refuse([notConfigured]);
    const prior = receivedRecord(request.priorState, schema);
    const config = receivedRecord(request.config, schema);
    const proposed = receivedRecord(request.proposedNewState, schema);
    const asBefore = privateFrom(request.priorPrivate);
    const approved = privateFrom(request.plannedPrivate);
    if (proposed === null || config === null) {
      const { planDelete } = resource;
      if (planDelete === undefined || prior === null) return refuse([]);
      const reply = await guarded(`Planning the deletion of ${request.typeName}`, () =>
        planDelete({ state: prior, private: asBefore }, call),
      );
      return refuse(reply.diagnostics ?? [], reply.private);
    }
    const bySchema = planFromSchema(schema, { config, prior, proposed });
    const { plan } = resource;
    const reply =
      plan === undefined
        ? {}
        : await guarded(`Planning ${request.typeName}`, () =>
            plan({ config, prior, planned: bySchema, private: asBefore, approved }, call),
          );
    const diagnostics = reply.diagnostics ?? [];
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    const given = reply.planned;
    const planned = given === undefined ? bySchema : (completeValue(schema, given) as RecordValue);
    const faults = faultsOfType(typeOfBody(schema), planned);
    if (faults.length > 0)
      return refuse([...diagnostics, ...defectDiagnostics(`Invalid plan for ${request.typeName}`, faults)]);
    const own = reply.requiresReplace ?? [];
    const replacing = prior === null ? [] : [...replacementsOf(schema, prior, planned), ...own];
    return {
      plannedState: sentRecord(planned, schema),
      plannedPrivate: privateTo(reply.private, request.priorPrivate),
      requiresReplace: replacing.map((path) => pathMessage(schema, path)),
      ...(request.priorIdentity === undefined ? {} : { plannedIdentity: request.priorIdentity }),
      diagnostics: sentDiagnostics(schema, diagnostics),
    };
  },
};

export const applyCalls: Handlers<'ApplyResourceChange'> = {
  ApplyResourceChange: async (session, request, signal) => {
    const resource = session.resource(request.typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.typeName);
    const { schema } = resource;
    const call = session.callWith(signal);
    const prior = receivedRecord(request.priorState, schema);
    const planned = receivedRecord(request.plannedState, schema);
    const asPlanned = privateFrom(request.plannedPrivate);

    const answer = (
      state: RecordValue | null,
      diagnostics: readonly Diagnostic[],
      ownPrivate?: unknown,
    ): SentMessage<'ApplyResourceChange.Response'> => {
      const newIdentity = identityOf(resource.identity, state);
      return {
        newState: sentRecord(state, schema),
        private: state === null ? new Uint8Array() : privateTo(ownPrivate, request.plannedPrivate),
        ...(newIdentity === undefined ? {} : { newIdentity }),
        diagnostics: sentDiagnostics(schema, diagnostics),
      };
    };

    if (call === null) return answer(prior, [notConfigured]);
    if (planned === null) {
      if (prior === null) return answer(null, []);
      const reply = await guarded(`Deleting ${request.typeName}`, () =>
        resource.delete({ state: prior, private: asPlanned }, call),
      );
      const diagnostics = reply.diagnostics ?? [];
      return answer(hasErrorDiagnostics(diagnostics) ? prior : null, diagnostics);
    }
    const change = { planned, private: asPlanned };
    const doing = `${prior === null ? 'Creating' : 'Updating'} ${request.typeName}`;
    const reply = await guarded(doing, () =>
      prior === null ? resource.create(change, call) : resource.update({ ...change, prior }, call),
    );
    const diagnostics = reply.diagnostics ?? [];
    const ownPrivate = reply.private;
    const given = reply.state;
    if (given === undefined) {
      const defects = hasErrorDiagnostics(diagnostics)
        ? []
        : defectDiagnostics(`Invalid state after: ${doing}`, [nothingGiven]);
      return answer(prior, [...diagnostics, ...defects], ownPrivate);
    }
    const state = completeValue(schema, given) as RecordValue;
    const ofType = faultsOfType(typeOfBody(schema), state);
    if (ofType.length > 0) {
      const best = prior ?? storable(planned);
      return answer(best, [...diagnostics, ...defectDiagnostics(`Invalid state after: ${doing}`, ofType)]);
    }
    // After an error, the state contains what was reached rather than what was planned.
    const broken = hasErrorDiagnostics(diagnostics) ? [] : faultsOfState(schema, state);
    return answer(
      storable(state),
      [...diagnostics, ...defectDiagnostics(`Invalid state after: ${doing}`, broken)],
      ownPrivate,
    );
  },
};

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
