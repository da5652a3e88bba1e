import { Name } from '../../../output/components/text.tsx';
import { authorParts } from '../../words/author.ts';

/** The name of an author, and the address below it if there is one. */
export function Author({ author }: { readonly author: string | null }) {
  if (author === null) return <span class="dim">unknown</span>;
  const { name, address } = authorParts(author);
  if (address === null) return <Name name={name} />;
  return (
    <div>
      <Name name={name} />
      <span class="author-address">
        <Name name={address} />
      </span>
    </div>
  );
}
