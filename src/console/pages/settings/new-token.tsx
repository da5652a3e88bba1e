import type { CreatedToken } from '../../../api/settings.ts';
import { Choice, TextField } from '../../../output/components/field.tsx';
import { forgetDrafts, useDraft } from '../../browser/draft.ts';
import { useAction } from '../../data/action.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { tokenBody, tokenFormReason, tokenRoles } from './token-words.ts';

/** The form of a new token. */
export function NewTokenDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (token: CreatedToken) => void;
}) {
  const [name, setName] = useDraft('token.name');
  const [days, setDays] = useDraft('token.days', '90');
  const [role, setRole] = useDraft('token.role', 'viewer');
  const [where, setWhere] = useDraft('token.where');
  const creating = useAction<CreatedToken>('POST', '/tokens');
  const form = { name, days, role: tokenRoles.find((each) => each === role) ?? 'viewer', where };
  const create = async () => {
    const answer = await creating.run(tokenBody(form));
    if (answer?.ok !== true) return;
    forgetDrafts('token.');
    onCreated(answer.value);
  };
  return (
    <Confirm
      title="New token"
      verb="Create"
      isBusy={creating.isBusy}
      reason={tokenFormReason(form)}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        maxLength={100}
        hint="What uses the token, such as nightly report."
        isRequired
      />
      <Choice
        label="Role"
        value={form.role}
        onChange={setRole}
        options={tokenRoles.map((value) => ({ value, text: value }))}
      />
      <TextField
        label="Accounts"
        value={where}
        onInput={setWhere}
        placeholder={'region == "eu"'}
        hint="A CEL expression over labels. Without an expression, the token is valid for all accounts."
      />
      <TextField
        label="Days until it expires"
        value={days}
        onInput={setDays}
        inputMode="numeric"
        hint="At most 366."
      />
      <ErrorState tried="Creating the token" problem={creating.problem} />
    </Confirm>
  );
}
