import { parseExactJsonText } from '../../core/lib/exact-json.ts';
import { defaultCompanyId } from './fleet-state.ts';

/** The credentials that the emulator accepts. Each pair is its own profile, with its own report tokens. */
export interface EmulatorCredentials {
  readonly companyId: string;
  readonly psk: string;
  readonly loginSessionId: string;
  readonly profileId: string;
}

/** The credentials of an account that was given none. They are not secret: they are derived from the company ID. */
export function defaultCredentials(companyId: string): EmulatorCredentials {
  const account = companyId === defaultCompanyId ? '' : `-${companyId}`;
  return {
    companyId,
    psk: `rampart-emulator-key${account}-`.repeat(7).slice(0, 128),
    loginSessionId: `rampart-emulator-session${account}`,
    profileId: '4711',
  };
}

/** The caller that an Authorization header claims to be from. */
export type ClaimedCaller =
  | { readonly kind: 'key'; readonly companyId: string; readonly psk: unknown }
  | { readonly kind: 'session'; readonly loginSessionId: string; readonly profileId: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

/** Reads the header in any of the three forms (specification section 5). */
export function readClaim(header: string | undefined): ClaimedCaller {
  const text = header?.trim() ?? '';
  if (text === '') return { kind: 'absent' };
  const basic = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(text);
  if (basic !== null) return basicClaim(basic[1] as string);
  return text.startsWith('{') ? jsonClaim(text) : { kind: 'unreadable' };
}

function basicClaim(encoded: string): ClaimedCaller {
  const pair = decodeBase64(encoded);
  const colon = pair.indexOf(':');
  if (colon < 0) return { kind: 'unreadable' };
  return { kind: 'key', companyId: pair.slice(0, colon), psk: pair.slice(colon + 1) };
}

function decodeBase64(encoded: string): string {
  try {
    return atob(encoded);
  } catch {
    return '';
  }
}

function jsonClaim(text: string): ClaimedCaller {
  let value: unknown;
  try {
    value = parseExactJsonText(text);
  } catch {
    return { kind: 'unreadable' };
  }
  const { companyId, psk, loginSessionId, profileId } = value as Readonly<Record<string, unknown>>;
  if (companyId !== undefined || psk !== undefined) {
    return { kind: 'key', companyId: String(companyId), psk };
  }
  return typeof loginSessionId === 'string'
    ? { kind: 'session', loginSessionId, profileId: String(profileId) }
    : { kind: 'unreadable' };
}

export type Caller =
  | { readonly kind: 'known'; readonly profile: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid' };

export function identify(header: string | undefined, accepted: EmulatorCredentials): Caller {
  const claim = readClaim(header);
  switch (claim.kind) {
    case 'absent':
      return claim;
    case 'unreadable':
      return { kind: 'invalid' };
    case 'key':
      return claim.companyId === accepted.companyId && claim.psk === accepted.psk
        ? { kind: 'known', profile: `company ${claim.companyId}` }
        : { kind: 'invalid' };
    case 'session':
      return claim.loginSessionId === accepted.loginSessionId && claim.profileId === accepted.profileId
        ? { kind: 'known', profile: `session ${claim.profileId}` }
        : { kind: 'invalid' };
  }
}
