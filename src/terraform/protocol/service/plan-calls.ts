import { type Diagnostic, hasErrorDiagnostics } from '../provider/call.ts';
import { completeValue } from '../rules/complete.ts';
import { planFromSchema } from '../rules/make-plan.ts';
import { replacementsOf } from '../rules/replacements.ts';
import { pathMessage } from '../schema/attribute-path.ts';
import { typeOfBody } from '../schema/schema.ts';
import { faultsOfType } from '../value/conformity.ts';
import type { RecordValue } from '../value/value.ts';
import {
  defectDiagnostics,
  guarded,
  notConfigured,
  sentDiagnostics,
  unknownTypeDiagnostic,
} from './diagnostics.ts';
import type { Handlers } from './handler.ts';
import { privateFrom, privateTo, receivedRecord, sentRecord } from './wire-value.ts';

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
