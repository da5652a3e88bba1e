import { figure } from '../../../output/components/numbers.ts';
import { Name, NameLink } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';

interface ChosenNamesProps {
  readonly names: readonly string[];
  /** Leads each name to its account? A dialog would lose what someone typed. */
  readonly isLinked?: boolean;
}

const most = 8;

/** The first names of several accounts, and how many more there are. */
export function ChosenNames({ names, isLinked = false }: ChosenNamesProps) {
  return (
    <ul class="dotted">
      {names.slice(0, most).map((name) => (
        <li key={name}>
          {isLinked ? <NameLink href={consoleAddress.account(name)} name={name} /> : <Name name={name} />}
        </li>
      ))}
      {names.length > most ? <li class="dim">and {figure(names.length - most)} more</li> : null}
    </ul>
  );
}
