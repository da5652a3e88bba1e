import type { Received } from '../../../../src/terraform/protocol/messages/messages.ts';
import type { Schema } from '../../../../src/terraform/protocol/schema/schema.ts';
import type { RecordValue } from '../../../../src/terraform/protocol/value/value.ts';
import { fleetSchema } from '../../../../src/terraform/provider/fleet/fleet-schema.ts';
import { hostSchema } from '../../../../src/terraform/provider/host/schema.ts';
import { membersSchema } from '../../../../src/terraform/provider/members/members-schema.ts';
import { proposedNew } from '../../protocol/given/core.ts';
import { emptyOf, type RampartCore } from './rampart-core.ts';

const schemas: Readonly<Record<string, Schema>> = {
  rampart_host: hostSchema,
  rampart_group_members: membersSchema,
  rampart_fleet: fleetSchema,
};

interface Planning {
  readonly prior?: RecordValue;
  /** Null: a destroy. */
  readonly config: RecordValue | null;
  /** Nothing when absent, as for a resource that stored nothing. */
  readonly private?: object;
  /** What the plan that is being applied returned as `stored`, as Terraform 1.16 passes it. */
  readonly approved?: Uint8Array;
}

interface Applying {
  readonly prior: RecordValue | null;
  readonly planned: RecordValue | null;
  /** May differ from the plan, because of ignore_changes. The plan itself when absent. */
  readonly config?: RecordValue | null;
  readonly private?: object;
  /** The provider may fail unexpectedly; without this, such a response fails the test. */
  readonly mayThrow?: boolean;
}

/** The calls of Terraform's core for one resource type. Attributes that a record leaves out are null. */
export function resourceCalls({ call, emulator, valueOf, recordOf }: RampartCore, type: string) {
  const schema = schemas[type] as Schema;
  const full = (record: RecordValue | null) => (record === null ? null : { ...emptyOf(schema), ...record });
  const sent = (record: RecordValue | null) => valueOf(type, full(record));
  /** The writes that the service received since. */
  const writes = (from: number) =>
    emulator.requests.slice(from).flatMap(({ action, method }) => (method === 'GET' ? [] : [action]));

  return {
    /** As Terraform plans: with what configuration and the prior state propose. */
    async plan({ prior, config, private: remembered, approved }: Planning) {
      const [before, intended] = [full(prior ?? null), full(config)];
      const response = await call('PlanResourceChange', {
        typeName: type,
        priorState: valueOf(type, before),
        config: valueOf(type, intended),
        proposedNewState: valueOf(type, intended === null ? null : proposedNew(schema, before, intended)),
        priorPrivate: bytesOf(remembered),
        ...(approved === undefined ? {} : { plannedPrivate: approved }),
      });
      return {
        stored: response.plannedPrivate,
        planned: recordOf(type, response.plannedState),
        ...shown(response.diagnostics),
        private: jsonOf(response.plannedPrivate),
        replaces: response.requiresReplace.map(pathText),
      };
    },

    async apply({ prior, planned, config, private: remembered, mayThrow }: Applying) {
      const from = emulator.requests.length;
      const response = await call('ApplyResourceChange', {
        typeName: type,
        priorState: sent(prior),
        plannedState: sent(planned),
        config: sent(config === undefined ? planned : config),
        plannedPrivate: bytesOf(remembered),
      });
      return {
        state: recordOf(type, response.newState),
        ...shown(response.diagnostics, mayThrow),
        memory: jsonOf(response.private),
        calls: writes(from),
      };
    },

    async read(state: RecordValue, remembered?: object) {
      const response = await call('ReadResource', {
        typeName: type,
        currentState: sent(state),
        private: bytesOf(remembered),
      });
      return {
        state: recordOf(type, response.newState),
        ...shown(response.diagnostics),
        memory: jsonOf(response.private),
      };
    },

    async import(id: string) {
      const response = await call('ImportResourceState', { typeName: type, id });
      const [imported] = response.importedResources;
      return {
        state: imported === undefined ? null : recordOf(type, imported.state),
        ...shown(response.diagnostics),
      };
    },

    async validate(config: RecordValue) {
      const response = await call('ValidateResourceConfig', { typeName: type, config: sent(config) });
      return shown(response.diagnostics);
    },
  };
}

/** Diagnostics as Terraform shows them, and the attributes that they are about. */
function shown(diagnostics: readonly Received<'Diagnostic'>[], mayThrow = false) {
  const bug = diagnostics.find(({ detail }) => detail.includes('please report it to its developers'));
  if (bug !== undefined && !mayThrow) throw new Error(`${bug.summary}: ${bug.detail}`);
  const texts = (severity: number) =>
    diagnostics
      .filter((each) => each.severity === severity)
      .map(({ summary, detail }) => (detail === '' ? summary : `${summary} | ${detail}`));
  return {
    errors: texts(1),
    warnings: texts(2),
    about: diagnostics.map(({ attribute }) => (attribute === undefined ? null : pathText(attribute))),
  };
}

function pathText({ steps }: Received<'AttributePath'>): string {
  return steps.map((step) => step.attributeName ?? step.elementKeyString ?? step.elementKeyInt).join('.');
}

function bytesOf(value: object | undefined): Uint8Array {
  return new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value));
}

/** The private data without the random token of the plan; null if nothing else is stored. */
function jsonOf(bytes: Uint8Array | undefined): object | null {
  const text = new TextDecoder().decode(bytes);
  const { plan: _, ...stored } = (text === '' ? {} : JSON.parse(text)) as { readonly plan?: string };
  return Object.keys(stored).length === 0 ? null : stored;
}
