import type { Proposal, ProposalRequest } from '../../../api/proposals.ts';
import { counted, figure } from '../../../output/components/numbers.ts';

export type ProposedKind = ProposalRequest['change']['kind'];

export const changeTitles: Readonly<Record<ProposedKind, string>> = {
  move: 'Move to a group',
  rename: 'Rename',
  antivirus: 'Install anti-virus',
  delete: 'Delete',
  adopt: 'Adopt what the fleet has',
};

/** What the page says. */
export const words = {
  title: 'Propose a change',
  lead: 'Rampart changes the desired state of these hosts, and shows the patch and its plan. Nothing is written until you open a pull request.',
  noHosts: 'Select hosts first',
  noHostsText: 'Select hosts in the list, or search for them, then choose what to change.',
  noGroup: 'Enter a group, or select "no group".',
  noText: 'Enter the new text.',
  numbering: 'Write {nn} for a number with two digits, in the order of the names.',
  unchanged: 'The desired state already requests this',
  unchangedText: 'There is nothing to propose.',
  folder: 'The source is a folder. Apply the patch there, and commit it if the folder is a checkout:',
  command: 'git apply -p0 --unidiff-zero rampart.patch',
  noReason: 'Enter a reason first.',
} as const;

/** `4 changes by this patch, 2 were already waiting`. */
export function planText({
  introduced,
  pending,
  irreversible,
}: NonNullable<Proposal['plans'][number]['plan']>) {
  return [
    `${counted(introduced, 'change')} by this patch`,
    pending > 0 ? `${figure(pending)} were already waiting` : '',
    irreversible > 0 ? `${counted(irreversible, 'host')} with a change that can't be undone` : '',
  ]
    .filter((each) => each !== '')
    .join(', ');
}
