import { Name } from '../../output/components/text.tsx';

/** The labels of an account by name, as links that filter accounts by them. */
export function AccountLabels({
  labels,
  hrefOf,
}: {
  readonly labels: Readonly<Record<string, string>>;
  readonly hrefOf: (name: string, value: string) => string;
}) {
  const sorted = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return (
    <span class="labels">
      {sorted.map(([name, value]) => (
        <a key={name} class="label" href={hrefOf(name, value)} title={`Show accounts with ${name} ${value}`}>
          <span class="dim">{name}</span> <Name name={value} />
        </a>
      ))}
    </span>
  );
}
