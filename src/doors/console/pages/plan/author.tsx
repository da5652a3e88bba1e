import { Name } from '../../parts/text.tsx';

/** The name of an author, and the address below it if there is one. */
export function Author({ author }: { readonly author: string | null }) {
  if (author === null) return <span class="dim">unknown</span>;
  const [, name, address] = /^(.+?)\s*<([^<div>]+)>$/.exec(author) ?? [];
  if (name === undefined || address === undefined) return <Name name={author} />;
  return (
    <div>
      <Name name={name} />
      <span class="author-address">
        <Name name={address} />
      </span>
    </div>
  );
}
