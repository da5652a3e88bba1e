import type { ComponentChildren, Ref } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly problem?: string | null;
  readonly type?: 'text' | 'search' | 'number' | 'datetime-local';
  readonly lines?: number;
  readonly isLabelHidden?: boolean;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'text' | 'search';
  readonly suggestions?: readonly string[];
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly maxLength?: number;
}

/** A labeled field for text. It keeps what was typed until the page discards it. */
export function TextField(props: FieldProps) {
  const id = useId();
  const notes = [props.hint !== undefined && `${id}-hint`, props.problem && `${id}-problem`].filter(
    (each): each is string => typeof each === 'string',
  );
  const common = {
    id,
    value: props.value,
    placeholder: props.placeholder,
    required: props.isRequired,
    maxLength: props.maxLength,
    autoComplete: 'off',
    'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
    'aria-invalid': props.problem ? true : undefined,
  } as const;
  return (
    <div class="field">
      <label for={id} class={props.isLabelHidden === true ? 'unseen' : undefined}>
        {props.label}
      </label>
      {props.lines === undefined ? (
        <input
          {...common}
          ref={props.inputRef ?? null}
          type={props.type ?? 'text'}
          inputMode={props.inputMode}
          spellcheck={false}
          list={props.suggestions === undefined ? undefined : `${id}-list`}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      ) : (
        <textarea
          {...common}
          rows={props.lines}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
      {props.suggestions === undefined ? null : (
        <datalist id={`${id}-list`}>
          {props.suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {props.hint === undefined ? null : (
        <p id={`${id}-hint`} class="field-hint">
          {props.hint}
        </p>
      )}
      {props.problem ? (
        <p id={`${id}-problem`} class="field-problem">
          {props.problem}
        </p>
      ) : null}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
  readonly isLabelHidden?: boolean;
}

/** One of a few values, as a menu of the browser. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={props.isLabelHidden === true ? 'unseen' : undefined}>
        {props.label}
      </label>
      <select
        id={id}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as Value)}
      >
        {props.options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A box to tick. */
export function Tick(props: {
  readonly label: ComponentChildren;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isLabelHidden?: boolean;
  readonly isMixed?: boolean;
}) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={props.isChecked}
        indeterminate={props.isMixed ?? false}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span class={props.isLabelHidden === true ? 'unseen' : undefined}>{props.label}</span>
    </label>
  );
}
