import type { RunDetail } from '../../../api/runs.ts';
import { counted } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { CurveLine } from '../../parts/charts.tsx';
import { curvePoints } from '../../parts/curve.ts';
import { soon } from '../../words/times.ts';

const box = { width: 480, height: 72 };

/** Calls per second against the limit of the service, as a small curve, with the reason why calls wait. */
export function PaceCurve({ run }: { readonly run: RunDetail }) {
  const { pace } = run;
  if (pace === null) return null;
  const rates = pace.curve.rate;
  const highest = Math.max(...rates, pace.limit ?? 0);
  const limit = curvePoints([pace.limit], { ...box, highest })[0];
  return (
    <Section title="Pace" class="pace">
      <p class="pace-now">
        <strong>{rateText(pace.rate)}</strong>
        <span class="dim">
          {pace.limit === null
            ? ', no limit met yet'
            : ` of about ${rateText(pace.limit)} that the service allows`}
          {pace.rate_limited === 0 ? '' : `; ${counted(pace.rate_limited, 'call')} refused by a rate limit`}
        </span>
      </p>
      {pace.bound === undefined ? null : <Bound bound={pace.bound} hasLimit={pace.limit !== null} />}
      {rates.length < 2 ? null : (
        <svg
          class="pace-curve"
          viewBox={`0 0 ${box.width} ${box.height}`}
          preserveAspectRatio="none"
          role="img"
        >
          <title>{`Calls per second so far: highest ${rateText(Math.max(...rates))}, now ${rateText(pace.rate)}`}</title>
          <CurveLine values={rates} box={{ ...box, highest }} />
          {limit ? <line class="curve-limit" x1="0" x2={box.width} y1={limit[1]} y2={limit[1]} /> : null}
        </svg>
      )}
    </Section>
  );
}

interface BoundProps {
  readonly bound: NonNullable<NonNullable<RunDetail['pace']>['bound']>;
  readonly hasLimit: boolean;
}

/** Why calls that could go wait. */
function Bound({ bound, hasLimit }: BoundProps) {
  const { kind, allowed, until } = bound;
  return (
    <p class="dim">
      {kind === 'answers'
        ? 'The service must respond to the calls in flight before more are sent.'
        : kind === 'refusal'
          ? `The service refuses calls for now. The next one is sent ${soon(until ?? '', Date.now())}.`
          : hasLimit
            ? `The rate limit of the service sets the pace: at most ${rateText(allowed)} now.`
            : `At most ${rateText(allowed)} now. The pace grows until the service refuses a call.`}
    </p>
  );
}

function rateText(rate: number): string {
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: rate < 1 ? 3 : 1 }).format(rate)} calls/s`;
}
