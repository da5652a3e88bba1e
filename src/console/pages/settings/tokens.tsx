import { useState } from 'preact/hooks';
import type { CreatedToken, TokenRow } from '../../../api/settings.ts';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { Name } from '../../../output/components/text.tsx';
import { announce } from '../../browser/announce.ts';
import { now } from '../../browser/clock.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { usePages } from '../../data/pages.ts';
import { Button } from '../../parts/button.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Listed } from '../../parts/listed.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { EmptyState, ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { NewTokenDialog } from './new-token.tsx';
import { Grants } from './roles.tsx';
import { isUsable, tokenMark } from './token-words.ts';

const keyOf = ({ id }: TokenRow) => id;

/** Tokens of programs: make one, see it once, revoke it. */
export function TokensSection({ isAllowed }: { readonly isAllowed: boolean }) {
  const store = usePages<TokenRow>(isAllowed ? '/tokens' : null, { keyOf });
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const [revoked, setRevoked] = useState<TokenRow | null>(null);
  if (!isAllowed)
    return (
      <EmptyState title="Only administrators see tokens">
        Ask a person with the role <code>admin</code> for all accounts.
      </EmptyState>
    );
  return (
    <Section
      title="Tokens"
      count={store.isRead ? figure(store.length) : undefined}
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          New token…
        </Button>
      }
    >
      {created === null ? null : <CreatedTokenNote token={created} onClose={() => setCreated(null)} />}
      <Listed
        of={store}
        tried="Reading the tokens"
        lines={4}
        empty={
          <EmptyState title="No tokens yet">
            A token lets a program use the API. Pipelines do not need one: see <code>server.pipelines</code>.
          </EmptyState>
        }
      >
        {(rows) => (
          <Table
            label="Tokens"
            rows={rows}
            keyOf={keyOf}
            columns={[
              {
                key: 'name',
                title: 'Name',
                isHead: true,
                isPlain: true,
                cell: ({ name }) => <Name name={name} />,
              },
              {
                key: 'state',
                title: 'State',
                cell: (token) => <StateMark mark={tokenMark(token, now.value)} />,
              },
              { key: 'grants', title: 'Roles', cell: ({ grants }) => <Grants grants={grants} /> },
              { key: 'by', title: 'Created by', cell: ({ created_by: by }) => <Name name={by.name} /> },
              { key: 'used', title: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} /> },
              { key: 'expires', title: 'Expires', cell: ({ expires_at: at }) => <Time at={at} /> },
              {
                key: 'revoke',
                title: 'Revoke',
                isTitleHidden: true,
                cell: (token) =>
                  isUsable(token, now.value) ? (
                    <Button kind="quiet" label={`Revoke ${token.name}`} onClick={() => setRevoked(token)}>
                      Revoke…
                    </Button>
                  ) : null,
              },
            ]}
          />
        )}
      </Listed>
      {isCreating ? (
        <NewTokenDialog
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false);
            setCreated(token);
            store.restart();
          }}
        />
      ) : null}
      {revoked === null ? null : (
        <RevokeDialog
          token={revoked}
          onClose={() => setRevoked(null)}
          onRevoked={() => {
            setRevoked(null);
            store.restart();
          }}
        />
      )}
    </Section>
  );
}

interface RevokeDialogProps {
  readonly token: TokenRow;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

function RevokeDialog({ token, onClose, onRevoked }: RevokeDialogProps) {
  const revoking = useAction('DELETE', pathOf`/tokens/${token.id}`);
  const revoke = async () => {
    const answer = await revoking.run();
    if (answer?.ok !== true) return;
    announce('The token is revoked.');
    onRevoked();
  };
  return (
    <Confirm
      title="Revoke this token"
      verb="Revoke"
      isDangerous
      isBusy={revoking.isBusy}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      <p>
        Requests with <Name name={token.name} /> fail from now on. A revoked token can't be used again.
      </p>
      <ErrorState tried="Revoking" problem={revoking.problem} />
    </Confirm>
  );
}

/** A new token, shown this once. */
function CreatedTokenNote({
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
