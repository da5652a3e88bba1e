import type { RunDetail } from '../../../api/runs.ts';
import { isOpenRun } from '../../../api/states.ts';
import { durationRange } from '../../../output/components/durations.ts';
import { counted, figure, share } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Segments } from '../../parts/segments.tsx';
import { stepsLeft } from './run-words.ts';

/** How far a run is: all steps by outcome, then each kind of change. */
export function RunProgress({ run }: { readonly run: RunDetail }) {
  const { steps, seconds_left: time, installs_in_doubt: installs = 0, unverified = 0 } = run;
  const left = stepsLeft(run);
  const parts = [
    { word: 'done', size: steps.done, tone: 'green' },
    { word: 'failed', size: steps.failed, tone: 'red' },
    { word: 'in doubt', size: steps.in_doubt, tone: 'violet' },
    { word: 'skipped', size: steps.skipped, tone: 'dim' },
  ] as const;
  return (
    <Section
      title={isOpenRun(run.state) ? 'Progress' : 'Result'}
      count={`${figure(steps.done)} of ${counted(steps.total, 'step')}, ${share(steps.done, steps.total)}`}
    >
      <Segments label="Steps" whole={steps.total} segments={parts} />
      <dl class="outcomes">
        {parts.map(({ word, size, tone }) => (
          <div key={word} class={size === 0 ? 'zero' : tone}>
            <dt class="fine">{word}</dt>
            <dd>{figure(size)}</dd>
          </div>
        ))}
        <div class={left === 0 ? 'zero' : 'blue'}>
          <dt class="fine">left</dt>
          <dd>{figure(left)}</dd>
        </div>
        {Object.entries({ 'installs in doubt': installs, 'hosts not verified': unverified }).map(
          ([word, size]) =>
            size === 0 ? null : (
              <div key={word} class="violet">
                <dt class="fine">{word}</dt>
                <dd>{figure(size)}</dd>
              </div>
            ),
        )}
        {time === null ? null : (
          <div class="time-left">
            <dt class="fine">time left</dt>
            <dd>{durationRange(time)}</dd>
          </div>
        )}
      </dl>
      <ul class="kinds">
        {run.by_kind
          .filter(({ total }) => total > 0)
          .map(({ kind, hosts, hosts_done: done, hosts_failed: failed, hosts_in_doubt: doubt }) => (
            <li key={kind}>
              <span class="kind-title">{kindTitle(kind)}</span>
              <Segments
                label={kindTitle(kind)}
                whole={hosts}
                segments={[
                  { word: 'done', size: done, tone: 'green' },
                  { word: 'failed', size: failed, tone: 'red' },
                  { word: 'in doubt', size: doubt, tone: 'violet' },
                ]}
              />
              <span class="kind-numbers">
                {figure(done)} of {counted(hosts, 'host')}
                {failed === 0 ? null : <span class="red">, {figure(failed)} failed</span>}
                {doubt === 0 ? null : <span class="violet">, {figure(doubt)} in doubt</span>}
              </span>
            </li>
          ))}
      </ul>
    </Section>
  );
}

const titles: Readonly<Record<string, string>> = {
  rename: 'Renames',
  'temporary-rename': 'Temporary renames',
  move: 'Moves',
  delete: 'Deletions',
  install: 'Anti-virus installs',
  antivirus: 'Anti-virus installs',
  refresh: 'Status refreshes',
};

/** The steps of a kind. A kind of a later server keeps its own name. */
function kindTitle(kind: string): string {
  return titles[kind] ?? kind;
}
