import type { Proposal } from '../../../api/proposals.ts';
import { reviewedHostColumns } from '../../../output/components/host-columns.tsx';
import { counted, figure } from '../../../output/components/numbers.ts';
import { Problems } from '../../../output/components/problems.tsx';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { NameLink, Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { DiffText } from '../../parts/diff.tsx';
import { Banner } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Version } from '../../parts/version.tsx';
import { planText } from './propose-words.ts';

/** The lines of the desired state, one patch for each source. */
export function Patches({ patches }: Pick<Proposal, 'patches'>) {
  return (
    <>
      {patches.map(({ source, commit, patch, forge }) => (
        <Section key={source} title={`Patch of ${source}`}>
          <p class="dim">
            at <Version commit={commit} />
            {forge === null ? null : `, for ${forge.repository}, branch ${forge.into}`}
          </p>
          <DiffText patch={patch} label={`Patch of ${source}`} />
        </Section>
      ))}
    </>
  );
}

/** What the patches lead to in each account. */
export function ProposedPlans({ plans }: Pick<Proposal, 'plans'>) {
  return (
    <>
      {plans.map(({ account, plan, failure }) => (
        <Section key={account} title={`Plan of ${account}`} {...(plan !== null && { lead: planText(plan) })}>
          {failure === null ? null : (
            <Banner tone="red">
              Planning failed: <Text text={failure.message} />
              {failure.hint === undefined ? null : (
                <>
                  {' '}
                  (<Text text={failure.hint} />)
                </>
              )}
            </Banner>
          )}
          {plan === null ? null : (
            <>
              <Problems problems={plan.problems} more={plan.more_problems} />
              <Table
                label={`Hosts of ${account}`}
                class="plan-hosts"
                rows={plan.hosts}
                keyOf={({ host_id: id }) => id}
                columns={reviewedHostColumns({
                  hrefOf: (id) => consoleAddress.host(account, id),
                  sinceOf: (time) => <Time at={time} />,
                  problemOf: () => undefined,
                })}
              />
              {plan.host_count > plan.hosts.length ? (
                <p class="dim">and {counted(plan.host_count - plan.hosts.length, 'more host')}</p>
              ) : null}
            </>
          )}
        </Section>
      ))}
    </>
  );
}

/** Hosts that the patches leave as they are, and why. */
export function Refused({ proposal: { refused, more_refused: more } }: { readonly proposal: Proposal }) {
  if (refused.length === 0) return null;
  return (
    <Section title="Not changed" count={figure(refused.length + more)}>
      <ul>
        {refused.map(({ account, host_id: id, name, why }) => (
          <li key={`${account} ${id}`}>
            <NameLink href={consoleAddress.host(account, id)} name={name} />: <Text text={why} />
          </li>
        ))}
        {more === 0 ? null : <li class="dim">and {figure(more)} more</li>}
      </ul>
    </Section>
  );
}
