import type { Proposal } from '../../../src/api/proposals.ts';
import { givenReviewHost } from './plans.ts';

const patch = `--- accounts/contoso/fleet.yaml
+++ accounts/contoso/fleet.yaml
@@ -12 +12 @@
-  - { id: 10000, name: BER-KSK-000, group: Berlin }
+  - { id: 10000, name: BER-KSK-000, group: Lisbon }
`;

/** One host that moves, and one that does not, at a source on GitHub. */
export function givenProposal(given: Partial<Proposal> = {}): Proposal {
  return {
    digest: 'd'.repeat(64),
    hosts: 2,
    patches: [
      {
        source: 'fleet',
        commit: '906c382f1be04a7c906c382f1be04a7c906c382f',
        files: ['accounts/contoso/fleet.yaml'],
        patch,
        forge: { kind: 'github', repository: 'acme/fleet', into: 'main' },
      },
    ],
    plans: [
      {
        account: 'contoso',
        source: 'fleet',
        plan: {
          verdict: '1 move.',
          applicable: true,
          calls: 1,
          introduced: 1,
          pending: 2,
          host_count: 1,
          hosts: [givenReviewHost(0, { action: ['move'], new_name: null, new_group: 'Lisbon' })],
          irreversible: 0,
          problems: [],
          more_problems: 0,
        },
        failure: null,
      },
    ],
    refused: [{ account: 'contoso', host_id: '10001', name: 'BER-KSK-001', why: 'its entry is in a script' }],
    more_refused: 0,
    ...given,
  };
}
