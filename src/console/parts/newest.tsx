import type { Stable } from '../data/stable.ts';
import { Button } from './button.tsx';

/** Says how a list would change, and changes it on request. */
export function Newest<Item>({ list }: { readonly list: Stable<Item> }) {
  return (
    <span role="status">
      {list.waiting === null ? null : (
        <Button kind="quiet" onClick={list.apply}>
          {list.waiting}: update the list
        </Button>
      )}
    </span>
  );
}
