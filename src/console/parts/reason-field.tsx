import { TextField } from '../../output/components/field.tsx';

interface Props {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly longest?: number | undefined;
}

/** The reason that a person has to give before an act that others have to understand later. */
export function ReasonField({ value, onInput, longest = 500 }: Props) {
  return (
    <TextField
      label="Reason"
      value={value}
      onInput={onInput}
      isRequired
      maxLength={longest}
      lines={2}
      hint="Everyone sees it, and the audit log keeps it."
    />
  );
}
