import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { TextField } from '../../output/components/field.tsx';
import { submits } from '../browser/submit.ts';

const pause = 200;

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  /** Called shortly after the last letter, or at once with Enter. */
  readonly onSearch: (value: string) => void;
  readonly placeholder?: string;
  readonly hint?: ComponentChildren;
  readonly problem?: string | null;
  readonly type?: 'search' | 'text';
  readonly isLabelHidden?: boolean;
}

/** A field whose value the address holds. The address follows what is typed with a short delay. */
export function SearchField({ value, onSearch, type = 'search', ...props }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // The address changed by other means, such as a step back.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (next: string) => {
    clearTimeout(timer.current);
    sent.current = next;
    onSearch(next);
  };
  return (
    <form role="search" aria-label={props.label} class="search" onSubmit={submits(true, () => search(text))}>
      <TextField
        {...props}
        type={type}
        value={text}
        onInput={(next) => {
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(next), pause);
        }}
      />
    </form>
  );
}
