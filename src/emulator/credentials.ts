import { parseExactJsonText } from '../lib/exact-json.ts';

/** What the emulator accepts. Each pair is a profile of its own, with report tokens of its own. */
export interface Credentials {
  readonly companyId: string;
  readonly psk: string;
  readonly loginSessionId: string;
  readonly profileId: string;
}

/** Not a secret: the key of an emulated account that was given none. */
export const emulatorPsk = 'rampart-emulator-key-'.repeat(7).slice(0, 128);
export const emulatorSession = { loginSessionId: 'rampart-emulator-session', profileId: '4711' } as const;

export type Caller =
  | { readonly kind: 'known'; readonly profile: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid' };

const invalid: Caller = { kind: 'invalid' };

/** Reads an Authorization header in any of the three forms (spec section 5). */
export function identify(header: string | undefined, accepted: Credentials): Caller {
  const text = header?.trim() ?? '';
  if (text === '') return { kind: 'absent' };
  const basic = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(text);
  if (basic !== null) return identifyBasic(basic[1] as string, accepted);
  return text.startsWith('{') ? identifyJson(text, accepted) : invalid;
}

function identifyBasic(encoded: string, accepted: Credentials): Caller {
  const pair = decodeBase64(encoded);
  const colon = pair.indexOf(':');
  if (colon < 0) return invalid;
  return company(pair.slice(0, colon), pair.slice(colon + 1), accepted);
}

function decodeBase64(encoded: string): string {
  try {
    return atob(encoded);
  } catch {
    return '';
  }
}

function identifyJson(text: string, accepted: Credentials): Caller {
  let value: unknown;
  try {
    value = parseExactJsonText(text);
  } catch {
    return invalid;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const { companyId, psk, loginSessionId, profileId } = fields;
  if (companyId !== undefined || psk !== undefined) return company(String(companyId), psk, accepted);
  return loginSessionId === accepted.loginSessionId && String(profileId) === accepted.profileId
    ? { kind: 'known', profile: `session ${accepted.profileId}` }
    : invalid;
}

function company(companyId: string, psk: unknown, accepted: Credentials): Caller {
  return companyId === accepted.companyId && psk === accepted.psk
    ? { kind: 'known', profile: `company ${companyId}` }
    : invalid;
}
