import { useState } from 'preact/hooks';
import type { OpenedPulls, Proposal, ProposalRequest } from '../../../api/proposals.ts';
import { Choice, TextField, Tick } from '../../../output/components/field.tsx';
import { counted, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { consoleAddress, type PageAddress, useAddress } from '../../browser/address.ts';
import { announce } from '../../browser/announce.ts';
import { useDraft } from '../../browser/draft.ts';
import { submits } from '../../browser/submit.ts';
import { useAction } from '../../data/action.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Page } from '../../parts/page.tsx';
import { ReasonField } from '../../parts/reason-field.tsx';
import { Banner, EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { hostFilterNames } from '../../words/filters.ts';
import { Patches, ProposedPlans, Refused } from './proposal-parts.tsx';
import { changeTitles, type ProposedKind, words } from './propose-words.ts';
import '../../../output/components/style/review.css';

type Wanted = Omit<ProposalRequest, 'change'>;

/** The hosts that the address chooses: by name, by a search, or those that drifted. Null if none. */
function wantedHosts({ get, params }: PageAddress): Wanted | null {
  const hosts = params.getAll('host').map((key) => {
    const at = key.lastIndexOf(' ');
    return { account: key.slice(0, at), host_id: key.slice(at + 1) };
  });
  if (hosts.length > 0) return { hosts };
  if (get('drift') !== '')
    return { drift: { account: get('drift'), ...(get('cause') !== '' && { cause: get('cause') }) } };
  if (get('all') === '') return null;
  const given = hostFilterNames.filter((name) => get(name) !== '').map((name) => [name, get(name)]);
  return { search: Object.fromEntries(given) as ProposalRequest['search'] };
}

/** From chosen hosts to a patch of their desired state, its plan, and a pull request. */
export function Propose() {
  const address = useAddress();
  const wanted = wantedHosts(address);
  return (
    <Page
      title={words.title}
      above={<a href={consoleAddress.hosts()}>Hosts</a>}
      below={
        <p>
          {wanted?.hosts === undefined ? '' : `${counted(wanted.hosts.length, 'host')} selected. `}
          {words.lead}
        </p>
      }
      class="propose"
    >
      {wanted === null ? (
        <EmptyState
          title={words.noHosts}
          action={
            <ButtonLink kind="primary" href={consoleAddress.hosts()}>
              Hosts
            </ButtonLink>
          }
        >
          <p>{words.noHostsText}</p>
        </EmptyState>
      ) : (
        <Proposing wanted={wanted} />
      )}
    </Page>
  );
}

/** The request in the address, or its missing part. */
function changeOf({ get }: PageAddress, isDrift: boolean): ProposalRequest['change'] | string {
  const kind = (get('change') || (isDrift ? 'adopt' : 'move')) as ProposedKind;
  if (kind === 'rename')
    return get('replace') === '' ? words.noText : { kind, find: get('find'), replace: get('replace') };
  if (kind !== 'move') return { kind };
  if (get('no-group') !== '') return { kind, group: null };
  return get('to') === '' ? words.noGroup : { kind, group: get('to') };
}

function Proposing({ wanted }: { readonly wanted: Wanted }) {
  const address = useAddress();
  const change = changeOf(address, wanted.drift !== undefined);
  const body = typeof change === 'string' ? null : { ...wanted, change };
  const asked = JSON.stringify(body);
  const drafting = useAction<Proposal>('POST', '/proposals');
  const [shown, setShown] = useState<{ readonly of: string; readonly proposal: Proposal } | null>(null);
  const show = async () => {
    const answer = await drafting.run(body);
    if (answer?.ok !== true) return;
    setShown({ of: asked, proposal: answer.value });
    announce(`The patch for ${counted(answer.value.hosts, 'host')} is shown.`);
  };
  return (
    <>
      <form class="form" onSubmit={submits(body !== null, show)}>
        <ChangeFields isDrift={wanted.drift !== undefined} />
        <p class="actions">
          <Button
            type="submit"
            kind={shown?.of === asked ? 'usual' : 'primary'}
            isBusy={drafting.isBusy}
            reason={typeof change === 'string' ? change : null}
          >
            Show the patch and its plan
          </Button>
        </p>
      </form>
      <ErrorState tried="Proposing" problem={drafting.problem} />
      {drafting.isBusy ? <Skeleton lines={6} label="Reading the fleet" /> : null}
      {shown?.of !== asked || drafting.isBusy ? null : (
        <Shown key={shown.proposal.digest} proposal={shown.proposal} body={body} />
      )}
    </>
  );
}

function ChangeFields({ isDrift }: { readonly isDrift: boolean }) {
  const { get, set } = useAddress();
  const kind = get('change') || (isDrift ? 'adopt' : 'move');
  const kinds = Object.keys(changeTitles) as ProposedKind[];
  return (
    <div class="filters">
      <Choice
        label="Change"
        value={kind}
        options={kinds.map((value) => ({ value, text: changeTitles[value] }))}
        onChange={(value) => set({ change: value })}
      />
      {kind === 'move' ? (
        <>
          <TextField label="Group" value={get('to')} onInput={(to) => set({ to, 'no-group': null })} />
          <Tick
            label="No group"
            isChecked={get('no-group') !== ''}
            onChange={(isOn) => set({ to: null, 'no-group': isOn ? 'true' : null })}
          />
        </>
      ) : null}
      {kind === 'rename' ? (
        <>
          <TextField
            label="Replace"
            value={get('find')}
            placeholder="the whole name"
            onInput={(find) => set({ find })}
          />
          <TextField
            label="With"
            value={get('replace')}
            placeholder="BER-KIOSK-{nn}"
            hint={words.numbering}
            onInput={(replace) => set({ replace })}
          />
        </>
      ) : null}
    </div>
  );
}

function Shown({ proposal, body }: { readonly proposal: Proposal; readonly body: object | null }) {
  const { patches, plans } = proposal;
  if (patches.length === 0)
    return (
      <>
        <EmptyState title={words.unchanged}>
          <p>{words.unchangedText}</p>
        </EmptyState>
        <Refused proposal={proposal} />
      </>
    );
  return (
    <>
      <Refused proposal={proposal} />
      <Patches patches={patches} />
      <ProposedPlans plans={plans} />
      {patches.every(({ forge }) => forge !== null) ? (
        <OpenPull proposal={proposal} body={body} />
      ) : (
        <Section title="Apply the patch">
          <p>{words.folder}</p>
          <CopyText text={words.command} label="Copy the command" />
          <p class="actions">
            <Button
              kind="primary"
              onClick={() => {
                const texts = patches.map(({ patch }) => patch);
                saveFile(new Blob(texts, { type: 'text/x-diff' }), 'rampart.patch');
              }}
            >
              Download the patch
            </Button>
          </p>
        </Section>
      )}
    </>
  );
}

function OpenPull({ proposal, body }: { readonly proposal: Proposal; readonly body: object | null }) {
  const [reason, setReason] = useDraft('propose.reason');
  const [opened, setOpened] = useState<OpenedPulls['pulls'] | null>(null);
  const opening = useAction<OpenedPulls>('POST', '/proposals/open');
  const count = proposal.patches.length;
  const open = async () => {
    const answer = await opening.run({ ...body, digest: proposal.digest, reason: reason.trim() });
    if (answer?.ok !== true) return;
    setReason('');
    setOpened(answer.value.pulls);
    announce(`${counted(answer.value.pulls.length, 'pull request')} opened.`);
  };
  if (opened !== null)
    return (
      <Banner tone="green">
        {opened.map(({ source, number, page }) => (
          <p key={source}>
            <a href={page}>Pull request {number}</a> is open. The plan follows once it is merged.
          </p>
        ))}
      </Banner>
    );
  return (
    <form class="form" onSubmit={submits(reason.trim() !== '', open)}>
      <ReasonField value={reason} onInput={setReason} longest={2_000} />
      <ErrorState tried="Opening" problem={opening.problem} />
      <p class="actions">
        <Button
          type="submit"
          kind="primary"
          isBusy={opening.isBusy}
          reason={reason.trim() === '' ? words.noReason : null}
        >
          {count === 1 ? 'Open a pull request' : `Open ${figure(count)} pull requests`}
        </Button>
      </p>
    </form>
  );
}

/** Lets the browser save a file. */
function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
