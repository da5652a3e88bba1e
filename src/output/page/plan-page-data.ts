import { printable } from '../../core/lib/printable.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import type { Comparison, Constraints, PendingInstall } from '../../core/plan/types/plan.ts';
import { counted } from '../components/numbers.ts';
import type { Tile } from '../components/plan-totals.ts';
import { alsoRead } from '../review/lists-read.ts';
import { liftedLimits, outlook } from '../review/plan-foot.ts';
import { type PlanReview, toPlanReview } from '../review/plan-review.ts';
import { countsByAction } from '../review/planned-hosts.ts';
import type { ReviewAction } from '../review/reviewed-host.ts';
import { type PlanRows, summaryLine } from '../review/rows.ts';

/** What the plan was made for, if a pipeline made it. */
export interface PageOrigin {
  readonly commit?: string;
  /** The address of the pull request or merge request. */
  readonly request?: string;
}

/** What the report of one plan shows: the review, which the console gets from the API, and what only the report has. */
export interface PlanPage {
  readonly review: PlanReview;
  readonly unusual: PlanReview['unusual'];
  readonly summary: string;
  readonly banners: readonly {
    readonly tone: 'red' | 'amber' | 'green';
    readonly text: string;
    readonly href?: string;
  }[];
  readonly facts: readonly (readonly [string, string])[];
  readonly links: readonly (readonly [id: string, title: string])[];
  readonly counts: Readonly<Record<ReviewAction, number>>;
  readonly calls: number;
  readonly moreTiles: readonly Tile[];
  /** What else is known about the calls. */
  readonly more: readonly (readonly [string, string])[];
  readonly comparison: Comparison | undefined;
  readonly pending: readonly PendingInstall[];
  readonly times: Constraints | undefined;
}

export function toPlanPage(rows: PlanRows, origin: PageOrigin): PlanPage {
  const { plan } = rows;
  const review = toPlanReview(plan);
  const page = {
    review,
    unusual: review.unusual,
    summary: summaryLine(plan).replace(/^Plan: (no changes; )?/, ''),
    banners: bannersOf(rows),
    facts: factsOf(rows, origin),
    counts: countsByAction(plan),
    moreTiles: moreTiles(rows),
    calls: plan.calls.planned,
    more: [
      ...(plan.deleteFirst ? [['Order', 'Deletions run first.'] as const] : []),
      ...outlook(plan).map((line) => ['Outlook', line] as const),
    ],
    comparison: plan.comparison,
    pending: plan.pendingInstalls,
    times: plan.constraints,
  };
  return { ...page, links: linksOf(page) };
}

/** States whether the plan can be applied, and other facts about the whole plan. */
function bannersOf({ plan, standing, problems }: PlanRows): PlanPage['banners'] {
  const errors = problems.error.length;
  return [
    ...(errors === 0
      ? []
      : [
          {
            tone: 'red',
            text: `This plan can't be applied: ${counted(errors, 'error')}.`,
            href: '#problems',
          } as const,
        ]),
    ...(standing === undefined
      ? []
      : [{ tone: standing.tone === 'good' ? 'green' : 'amber', text: standing.text } as const]),
    ...(plan.partial
      ? [{ tone: 'amber', text: 'This plan is partial: it covers only some hosts.' } as const]
      : []),
    ...liftedLimits(plan).map((text) => ({ tone: 'amber', text }) as const),
  ];
}

const mostFiles = 5;

function factsOf({ plan }: PlanRows, { commit, request }: PageOrigin): PlanPage['facts'] {
  const { account, observed, files, ticket } = plan;
  const also = alsoRead(plan, printable);
  const left = files.length - mostFiles;
  const named = [...files.slice(0, mostFiles), ...(left > 0 ? [`and ${counted(left, 'more file')}`] : [])];
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Company', account.companyId],
    ['Service', account.service],
    [
      'Fleet',
      `${counted(observed.hosts, 'host')} and ${counted(observed.groups, 'group')}, read at ${observed.takenAt}`,
    ],
    ['Also read', also],
    ['Desired state', named.join(', ')],
    ['Commit', commit],
    ['Pull request', request],
    ['Change ticket', ticket],
    ['Checksum', plan.applicable ? planChecksum(plan) : undefined],
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, value] as const],
  );
}

/** Hosts that the plan leaves alone, and rare counts if they are not zero. */
function moreTiles({ plan: { summary } }: PlanRows): readonly Tile[] {
  const rare = [
    { title: 'Temporary renames', value: summary.temporaryRename, note: 'to free a name' },
    { title: 'Installs in doubt', value: summary.installsInDoubt, note: 'may have been requested' },
    { title: 'Installs in progress', value: summary.installsInProgress, note: 'accepted, not shown yet' },
    { title: 'Awaiting enrollment', value: summary.awaitingEnrollment },
    { title: 'Unmanaged', value: summary.unmanaged },
  ];
  return [...rare.filter(({ value }) => value > 0), { title: 'Unchanged', value: summary.unchanged }];
}

function linksOf(page: Omit<PlanPage, 'links'>): PlanPage['links'] {
  const { review, unusual, comparison, pending, calls, counts, times } = page;
  const links: readonly (readonly [boolean, string, string])[] = [
    [review.irreversible.length > 0, 'irreversible', "Can't be undone"],
    [unusual.length > 0, 'check', 'Check'],
    [comparison !== undefined, 'comparison', 'Changes of this pull request'],
    [pending.length + counts.refresh > 0, 'pending', 'Installs that no read shows yet'],
    [review.problems.length > 0, 'problems', 'Problems'],
    [review.groups.length > 0, 'groups', 'Groups'],
    [review.causes.length > 0, 'causes', 'Causes'],
    [review.hosts.length > 0, 'hosts', 'Hosts'],
    [review.chains.length > 0, 'chains', 'Order of renames'],
    [calls > 0, 'calls', 'Calls and time'],
    [times !== undefined, 'times', 'Times'],
  ];
  return links.flatMap(([isThere, id, title]) => (isThere ? [[id, title] as const] : []));
}
