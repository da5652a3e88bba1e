import type { ShownGrant } from '../../../api/overview.ts';
import type { SettingsDetail } from '../../../api/settings.ts';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { Name } from '../../../output/components/text.tsx';
import { EmptyState } from '../../parts/states.tsx';

const meanings = [
  ['viewer', 'reads everything'],
  ['planner', 'reads, comments, checks accounts and makes plans'],
  ['approver', 'reads, comments, approves and rejects plans'],
  [
    'operator',
    'reads, comments, checks and pauses accounts, starts, stops and undoes runs, and starts rollouts',
  ],
  ['admin', 'does all of this and manages tokens'],
] as const;

/** Which group of the login provider has which role. */
export function Roles({ roles }: { readonly roles: SettingsDetail['roles'] }) {
  return (
    <>
      {roles.length === 0 ? (
        <EmptyState title="No group has a role">
          Without <code>server.login</code>, the server listens on this machine only, and whoever opens the
          printed link is its administrator.
        </EmptyState>
      ) : (
        <Section title="Groups" count={figure(roles.length)}>
          <Table
            label="Groups and their roles"
            rows={roles}
            keyOf={({ group }) => group}
            columns={[
              {
                key: 'group',
                title: 'Group',
                isHead: true,
                isPlain: true,
                cell: ({ group }) => <Name name={group} />,
              },
              { key: 'grants', title: 'Roles', cell: ({ grants }) => <Grants grants={grants} /> },
            ]}
          />
        </Section>
      )}
      <Section title="What each role may do">
        <dl class="facts">
          {meanings.map(([role, text]) => (
            <div key={role}>
              <dt>{role}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  );
}

/** Roles, each with the accounts that it is for. */
export function Grants({ grants }: { readonly grants: readonly ShownGrant[] }) {
  return (
    <ul class="grants">
      {grants.map(({ role, where }) => (
        <li key={`${role} ${where}`}>
          {role} <span class="dim">for</span> {where === undefined ? 'all accounts' : <code>{where}</code>}
        </li>
      ))}
    </ul>
  );
}
