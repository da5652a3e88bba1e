import {
  compileCondition,
  compileTemplate,
  type ExpressionScope,
} from '../../../src/core/expression/compile.ts';
import type { Condition, ExpressionSubject, Template } from '../../../src/core/model/expression.ts';
import type { InventoryRecord } from '../../../src/core/model/facts.ts';
import type { AntivirusFact } from '../../../src/core/model/observed.ts';
import { groupId, hostId } from '../../given/fleet.ts';

export interface GivenSubject {
  readonly id?: string;
  readonly name?: string;
  readonly hostName?: string;
  readonly group?: string;
  readonly groupId?: string;
  readonly online?: boolean;
  readonly stateChangedAt?: string;
  readonly antivirus?: AntivirusFact;
  readonly customFields?: Readonly<Record<string, string>>;
  readonly hardware?: InventoryRecord;
  readonly system?: InventoryRecord;
}

export function givenSubject(given: GivenSubject = {}): ExpressionSubject {
  const { hostName, stateChangedAt, antivirus, name = '', group = '' } = given;
  const id = hostId(given.id ?? '1');
  return {
    id,
    host: {
      id,
      name,
      groupId: groupId(given.groupId ?? '-1'),
      online: given.online ?? false,
      ...(hostName === undefined ? {} : { hostName }),
      ...(stateChangedAt === undefined ? {} : { stateChangedAt }),
      ...(antivirus === undefined ? {} : { antivirus }),
    },
    name,
    group,
    facts: {
      lists: [],
      now: '2026-11-21T09:00:00Z',
      twins: { othersWith: (_, value) => (value === '' ? undefined : 0) },
      customFieldsOf: () => given.customFields,
      inventoryOf: (kind) => given[kind],
    },
  };
}

export function condition(source: string, scope: ExpressionScope = 'host'): Condition {
  const compiled = compileCondition(source, scope);
  if (!compiled.ok) throw new Error(`${source}: ${compiled.faults[0]?.message}`);
  return compiled.value;
}

export function template(source: string): Template {
  const compiled = compileTemplate(source);
  if (!compiled.ok) throw new Error(`${source}: ${compiled.faults[0]?.message}`);
  return compiled.value;
}

/** What it is, or `fault: …`. */
export function asked(source: string, subject: ExpressionSubject): boolean | string {
  const result = condition(source).begin()(subject);
  return result.ok ? result.value : `fault: ${result.fault.message}`;
}

export function rendered(source: string, subject: ExpressionSubject): string {
  const result = template(source).begin()(subject);
  return result.ok ? result.value : `fault: ${result.fault.message}`;
}
