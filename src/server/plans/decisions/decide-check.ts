import type { KeptUnits } from './kept-units.ts';

/** What is known about an account when a check has found a plan that can be applied. */
export interface CheckedState {
  readonly mode: 'observe' | 'propose' | 'correct';
  /** The plan that the check found. */
  readonly found: {
    readonly isEmpty: boolean;
    readonly changes: number;
    /** A limit is exceeded. */
    readonly exceeds: boolean;
  };
  /** The open plan of the account that has not begun. */
  readonly open:
    | {
        readonly isUndo: boolean;
        /** What the check leaves of its approvals; undefined if it has none, or they are void. */
        readonly kept: KeptUnits | undefined;
      }
    | undefined;
  /** Why mode `correct` applies nothing by itself. */
  readonly held: { readonly until: 'later' | 'person'; readonly reason: string } | undefined;
  /** The last check found no difference, so nothing that someone rejected has disappeared since. */
  readonly wasConverged: boolean;
}

/** What the server does after a check. */
export type CheckCommand =
  /** The open plan stays as it is. */
  | { readonly kind: 'stay' }
  /** The open plan stays for the units that the check found again. */
  | { readonly kind: 'keep'; readonly kept: KeptUnits }
  /** No plan is open any more. */
  | { readonly kind: 'close'; readonly why: string; readonly endsRejections: boolean }
  /** The plan of the check becomes the open one. Its run begins if it is approved, unless the account is held. */
  | {
      readonly kind: 'propose';
      readonly state: 'waiting' | 'approved';
      readonly reason?: string;
      /** The account waits before its next run: only a plan that people have approved begins. */
      readonly isHeld: boolean;
    };

/** Decides what becomes of the open plan of an account, and of the plan that a check found. */
export function decideCheck({ mode, found, open, held, wasConverged }: CheckedState): CheckCommand {
  if (open?.isUndo === true) return { kind: 'stay' };
  if (found.isEmpty) {
    // If the same differences come back some day, a person decides about them again. In mode correct nobody would: whoever
    // undoes a rejected edit, and makes it again, must not get it applied.
    const endsRejections = !wasConverged && mode !== 'correct';
    return { kind: 'close', why: 'the fleet no longer differs from the desired state', endsRejections };
  }
  if (mode === 'observe')
    return { kind: 'close', why: 'the account is in mode observe', endsRejections: false };
  if (open?.kept !== undefined) return { kind: 'keep', kept: open.kept };
  // A status refresh changes nothing, so nobody has to approve it.
  if (found.changes === 0) return { kind: 'propose', state: 'approved', isHeld: false };
  const isWithin = mode === 'correct' && !found.exceeds;
  const isHeld = held !== undefined;
  if (isWithin && held?.until === 'person')
    return { kind: 'propose', state: 'waiting', reason: held.reason, isHeld };
  return { kind: 'propose', state: isWithin ? 'approved' : 'waiting', isHeld };
}
