import { type Role, roles } from '../../../api/access/action.ts';
import type { ShownGrant } from '../../../api/overview.ts';
import type { TokenRow } from '../../../api/settings.ts';
import type { Mark } from '../../words/health.ts';

export const tokenRoles: readonly Role[] = roles;

export function isUsable({ revoked_at: revoked, expires_at: expires }: TokenRow, now: number): boolean {
  return revoked === null && Date.parse(expires) > now;
}

export function tokenMark(token: TokenRow, now: number): Mark {
  if (token.revoked_at !== null) return { word: 'revoked', glyph: '✕', tone: 'dim' };
  return isUsable(token, now)
    ? { word: 'usable', glyph: '●', tone: 'green' }
    : { word: 'expired', glyph: '◌', tone: 'dim' };
}

/** A token as the form has it. */
export interface TokenForm {
  readonly name: string;
  readonly days: string;
  readonly role: Role;
  readonly where: string;
}

/** What is missing; null if the form can be sent. */
export function tokenFormReason({ name, days }: TokenForm): string | null {
  if (name.trim() === '') return 'Enter a name.';
  const number = Number(days);
  return Number.isInteger(number) && number >= 1 && number <= 366 ? null : 'Enter 1 to 366 days.';
}

export function tokenBody({ name, days, role, where }: TokenForm): {
  readonly name: string;
  readonly grants: readonly ShownGrant[];
  readonly expires_in_days: number;
} {
  return {
    name: name.trim(),
    grants: [{ role, ...(where.trim() !== '' && { where: where.trim() }) }],
    expires_in_days: Number(days),
  };
}
