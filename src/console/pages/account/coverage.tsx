import type { AccountDetail } from '../../../api/accounts.ts';
import { Section } from '../../../output/components/section.tsx';
import type { Tone } from '../../../output/components/tone.ts';
import { Bar } from '../../parts/charts.tsx';
import { EmptyState } from '../../parts/states.tsx';

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
          After a check that reads the inventory, this tab shows how many hosts have inventory and anti-virus.
        </p>
      </EmptyState>
    );
  return (
    <div class="coverage">
      {parts.map(([title, shares]) => (
        <Section key={title} title={title}>
          <div class="card">
            <dl class="shares">
              {shares.map(({ label, hosts: part }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <Bar part={part} whole={hosts ?? part} label={label} tone={tones[label] ?? 'amber'} />
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

const tones: Readonly<Record<string, Exclude<Tone, 'blue'>>> = {
  'inventory known': 'green',
  installed: 'green',
  'not supported': 'dim',
  unknown: 'dim',
};
