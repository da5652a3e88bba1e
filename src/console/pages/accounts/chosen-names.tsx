import { figure } from '../../../output/components/numbers.ts';
import { Name } from '../../../output/components/text.tsx';

const most = 8;

/** The first names of a choice, and how many more there are. */
export function ChosenNames({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="chosen-names">
      {names.slice(0, most).map((name) => (
        <li key={name}>
          <Name name={name} />
        </li>
      ))}
      {names.length > most ? <li class="dim">and {figure(names.length - most)} more</li> : null}
    </ul>
  );
}
