import { changesFleet, type EmulatedAction } from './emulated-action.ts';
import { randomAt } from './random.ts';

/** One fault of one call. A call may have several. */
export type FaultEffect =
  /** The request takes this long to arrive. It arrives even if the caller gives up. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** The call is carried out immediately, but the response takes this long. */
  | { readonly kind: 'slow-reply'; readonly ms: number }
  /** 429; nothing is carried out. */
  | { readonly kind: 'rate-limit'; readonly retryDelay?: number }
  /** Any status, instead of or after carrying the call out. The body is `text`, or JSON with a message. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly when?: 'before' | 'after';
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** No connection: the service never receives the call. */
  | { readonly kind: 'refuse-connection' }
  /** The connection breaks, either before the call is carried out or before the response. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** A list shows the hosts as they were this many writes ago. */
  | { readonly kind: 'stale-list'; readonly writes: number }
  /** A list shows only this share of its hosts, from the start; 0: none. */
  | { readonly kind: 'short-list'; readonly share: number }
  /** These hosts are missing from a list. */
  | { readonly kind: 'missing-hosts'; readonly ids: readonly string[] }
  /** A list repeats its first hosts. */
  | { readonly kind: 'repeated-hosts'; readonly hosts: number }
  /** The body ends after this share of its bytes. */
  | { readonly kind: 'truncated-body'; readonly share: number }
  /** A write gets a success response, but nothing is done. A report gets the token of a report that does not exist. */
  | { readonly kind: 'nothing-done' }
  /** The body arrives in pieces of this many bytes with a pause before each; an endless body continues with blanks. */
  | {
      readonly kind: 'drip';
      readonly bytes: number;
      readonly everyMs: number;
      readonly endless?: boolean;
    };

/** One call on arrival. Indices count from 0, `nth` from 1. */
export interface CallInfo {
  readonly index: number;
  /** Null: no such action. */
  readonly action: EmulatedAction | null;
  /** It is the action's n-th call. */
  readonly nth: number;
}

/** All given conditions must hold. */
export interface FaultRule {
  readonly action?: EmulatedAction | readonly EmulatedAction[] | 'reads' | 'writes';
  /** Only these calls of an action. */
  readonly nth?: number | readonly number[];
  /** Every n-th call of an action. */
  readonly every?: number;
  /** Only the calls from this index on, and before the other. */
  readonly from?: number;
  readonly before?: number;
  /** This share of the calls, selected by the seed. */
  readonly probability?: number;
  readonly seed?: number;
  readonly effect: FaultEffect | readonly FaultEffect[];
}

export type FaultPlan = readonly FaultRule[] | ((call: CallInfo) => readonly FaultEffect[]);

export function faultsOf(plan: FaultPlan, call: CallInfo): readonly FaultEffect[] {
  if (typeof plan === 'function') return plan(call);
  return plan.filter((rule) => applies(rule, call)).flatMap((rule) => rule.effect);
}

function applies(rule: FaultRule, call: CallInfo): boolean {
  return (
    concerns(rule.action, call.action) &&
    (rule.nth === undefined || [rule.nth].flat().includes(call.nth)) &&
    (rule.every === undefined || call.nth % rule.every === 0) &&
    (rule.from === undefined || call.index >= rule.from) &&
    (rule.before === undefined || call.index < rule.before) &&
    (rule.probability === undefined || randomAt(rule.seed ?? 0, call.index) < rule.probability)
  );
}

function concerns(actions: FaultRule['action'], action: EmulatedAction | null): boolean {
  if (actions === undefined) return true;
  if (action === null) return false;
  if (actions === 'writes') return changesFleet(action);
  if (actions === 'reads') return !changesFleet(action);
  return [actions].flat().includes(action);
}

/** The first effect of a kind. */
export function findEffect<K extends FaultEffect['kind']>(
  effects: readonly FaultEffect[],
  kind: K,
): Extract<FaultEffect, { kind: K }> | undefined {
  return effects.find((effect): effect is Extract<FaultEffect, { kind: K }> => effect.kind === kind);
}
