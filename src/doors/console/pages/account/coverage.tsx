import type { AccountDetail } from '../../../api/accounts.ts';
import { Bar } from '../../parts/charts.tsx';
import { Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import type { Tone } from '../../words/health.ts';

/** How much of the fleet has an inventory and an anti-virus, as bars with counts. */
export function Coverage({ account: { coverage, hosts } }: { readonly account: AccountDetail }) {
  const parts = [
    ['Inventory', coverage.inventory],
    ['Anti-virus', coverage.antivirus],
  ] as const;
  if (parts.every(([, shares]) => shares.length === 0))
    return (
      <EmptyState title="No coverage known">
        <p>
          After a check that reads the inventory, this tab shows how many hosts have one, and an anti-virus.
        </p>
      </EmptyState>
    );
  return (
    <div class="coverage">
      {parts.map(([title, shares]) => (
        <Section key={title} title={title}>
          <div class="card">
            <dl class="shares">
              {shares.map(({ label, hosts: part }, index) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <Bar
                      part={part}
                      whole={hosts ?? part}
                      label={label}
                      tone={toneOf(index, shares.length)}
                    />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        </Section>
      ))}
    </div>
  );
}

/** The first share is the good one; what follows is less so. */
function toneOf(index: number, count: number): Exclude<Tone, 'blue'> {
  if (index === 0) return 'green';
  return index === count - 1 && count > 2 ? 'dim' : 'amber';
}
