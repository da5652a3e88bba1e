import type { CreatedToken } from '../../../api/settings.ts';
import { Name } from '../../../output/components/text.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyText } from '../../parts/copy-text.tsx';

/** A new token, shown this once. */
export function CreatedTokenNote({
  token,
  onClose,
}: {
  readonly token: CreatedToken;
  readonly onClose: () => void;
}) {
  return (
    <div class="created-token" role="status">
      <p>
        <strong>
          Copy the token <Name name={token.name} /> now.
        </strong>{' '}
        The server stores only its hash, and nobody can show it again.
      </p>
      <CopyText text={token.token} label="Copy the token" />
      <div class="actions">
        <Button onClick={onClose}>I have saved it</Button>
      </div>
    </div>
  );
}
