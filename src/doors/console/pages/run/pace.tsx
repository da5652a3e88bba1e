import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunDetail } from '../../../api/runs.ts';
import { Section } from '../../parts/page.tsx';
import { counted } from '../../words/numbers.ts';
import { paceShape } from './pace-shape.ts';

const box = { width: 480, height: 72 };
const mostSamples = 240;

/** Calls per second against the limit of the service, as a small curve. */
export function Pace({ run }: { readonly run: RunDetail }) {
  const seen = useSeenRates(run);
  const { pace } = run;
  if (pace === null) return null;
  const rates = pace.curve?.rate ?? seen;
  const shape = paceShape(rates, pace.limit, box);
  return (
    <Section title="Pace" class="pace">
      <p class="pace-now">
        <strong>{rateText(pace.rate)}</strong>
        <span class="dim">
          {pace.limit === null ? ', no limit met yet' : ` of at most ${rateText(pace.limit)}`}
          {pace.rate_limited === 0 ? '' : `; ${counted(pace.rate_limited, 'call')} refused by a rate limit`}
        </span>
      </p>
      {shape === null ? null : (
        <svg
          class="pace-curve"
          viewBox={`0 0 ${box.width} ${box.height}`}
          preserveAspectRatio="none"
          role="img"
        >
          <title>{`Calls per second so far: highest ${rateText(shape.highest)}, now ${rateText(pace.rate)}`}</title>
          <path class="curve-area" d={shape.area} />
          <path class="curve-line" d={shape.line} />
          {shape.limitY === null ? null : (
            <line class="curve-limit" x1="0" x2={box.width} y1={shape.limitY} y2={shape.limitY} />
          )}
        </svg>
      )}
    </Section>
  );
}

/** The rates that this page has seen, for servers that send no curve. */
function useSeenRates(run: RunDetail): readonly number[] {
  const [rates, setRates] = useState<readonly number[]>([]);
  const rate = run.pace?.rate ?? null;
  const last = useRef<RunDetail | null>(null);
  useEffect(() => {
    if (rate === null || last.current === run) return;
    last.current = run;
    setRates((sofar) => [...sofar, rate].slice(-mostSamples));
  }, [run, rate]);
  return rates;
}

function rateText(rate: number): string {
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(rate)} calls/s`;
}
