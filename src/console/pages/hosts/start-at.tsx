import { useAddress } from '../../browser/address.ts';
import { SearchField } from '../../parts/search-field.tsx';

const starts = ['', ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')];

/** Jumps into a long list, which is ordered by name: to a first letter, or to any beginning of a name. */
export function StartAt({ from }: { readonly from: string }) {
  const address = useAddress();
  return (
    <div class="start-at">
      <SearchField
        label="Start at name"
        type="text"
        placeholder="BER-KIOSK-5"
        value={from}
        onSearch={(text) => address.set({ from: text })}
      />
      <nav aria-label="Start at a letter">
        {starts.map((start) => (
          <a
            key={start}
            href={address.with({ from: start })}
            aria-current={from.toUpperCase() === start ? 'true' : undefined}
            aria-label={start === '' ? 'Start of the list' : `Names from ${start}`}
          >
            {start === '' ? '⇤' : start}
          </a>
        ))}
      </nav>
    </div>
  );
}
