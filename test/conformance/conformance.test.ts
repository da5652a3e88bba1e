import { describe, it } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { createEmulator, type RateLimits } from '../../src/service/emulator/emulator.ts';
import { realisticLimits } from '../../src/service/emulator/realistic-limits.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { basic, sender } from '../service/emulator/calls.ts';
import { fixture } from './fixture.ts';
import { nodeExchange } from './node-exchange.ts';
import type { Rule, Subject } from './rule.ts';
import { antivirusRules } from './rules/antivirus.ts';
import { authenticationRules } from './rules/authentication.ts';
import { connectionRules } from './rules/connection.ts';
import { customFieldRules } from './rules/custom-fields.ts';
import { hostRules } from './rules/hosts.ts';
import { limitRules } from './rules/limits.ts';
import { messageRules } from './rules/messages.ts';
import { readingRules } from './rules/reading.ts';
import { allReportRules } from './rules/reports.ts';

const rules: readonly Rule[] = [
  ...authenticationRules,
  ...messageRules,
  ...hostRules,
  ...connectionRules,
  ...allReportRules,
  ...customFieldRules,
  ...antivirusRules,
  ...readingRules.map(
    ({ title, check }): Rule => ({ title, switches: {}, check: ({ send }) => check(send) }),
  ),
];

type Over = 'a function' | 'a socket';

async function tryOn(over: Over, { switches, check }: Rule, rateLimits: RateLimits): Promise<void> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const emulator = createEmulator({ state: fixture, clock, switches, limits: rateLimits });
  const served = over === 'a socket' ? await serve(emulator) : undefined;
  const exchange = served === undefined ? emulator.exchange : nodeExchange(served.url);
  const { companyId, psk, loginSessionId, profileId } = emulator.credentials;
  const subject: Subject = {
    send: sender(exchange, basic(companyId, psk)),
    companyId,
    psk,
    session: { loginSessionId, profileId },
    advance: (ms) => clock.advance(ms),
    edit: (change) => void emulator.edit(change),
  };
  try {
    await check(subject);
  } finally {
    await served?.close();
  }
}

describe.each<Over>(['a function', 'a socket'])('the emulator as %s', (over) => {
  it.each(rules)('$title', (rule) => tryOn(over, rule, {}));
  it.each(limitRules)('$title', (rule) => tryOn(over, rule, realisticLimits));
});
