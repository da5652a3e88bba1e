import type { Received, SentMessage } from '../messages/messages.ts';
import type { DeferredReason } from '../provider/call.ts';
import { type Diagnostic, errorDiagnostic } from '../provider/diagnostic.ts';

const reasons: Readonly<Record<DeferredReason, { readonly number: number; readonly meaning: string }>> = {
  'resource-config-unknown': {
    number: 1,
    meaning: 'its configuration depends on values that are not known yet',
  },
  'provider-config-unknown': {
    number: 2,
    meaning: 'the configuration of the provider depends on values that are not known yet',
  },
  'absent-prerequisite': { number: 3, meaning: 'a resource that it needs does not exist yet' },
};

interface Deferral {
  readonly deferred?: SentMessage<'Deferred'>;
  readonly diagnostics: readonly Diagnostic[];
}

/** A deferral if Terraform allows it, or else an error with the reason. */
export function deferralOf(
  reason: DeferredReason | undefined,
  capabilities: Received<'ClientCapabilities'> | undefined,
): Deferral {
  if (reason === undefined) return { diagnostics: [] };
  if (capabilities?.deferralAllowed === true)
    return { deferred: { reason: reasons[reason].number }, diagnostics: [] };
  return {
    diagnostics: [
      errorDiagnostic('Not possible yet', {
        detail: `Terraform can only do this later: ${reasons[reason].meaning}. Apply the resources that it depends on first, with -target.`,
      }),
    ],
  };
}
