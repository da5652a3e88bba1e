import { useState } from 'preact/hooks';
import { figure } from '../../output/components/numbers.ts';
import { exactTime } from '../words/times.ts';
import { CurveLine } from './charts.tsx';
import { type CurveValues, curvePoints, curveText, peakOf } from './curve.ts';
import { Time } from './time.tsx';

interface TrendProps {
  readonly title: string;
  readonly values: CurveValues;
  /** The start of the first value's time. */
  readonly from: string;
  readonly bucketSeconds: number;
  /** The number over the curve: the last value, or all values together. */
  readonly sum: 'last' | 'all';
}

const box = { width: 320, height: 56 };
const { width, height } = box;

/** A number with its curve over some days. Under the pointer, it says the value of that hour. */
export function Trend({ title, values, from, bucketSeconds, sum }: TrendProps) {
  const [at, setAt] = useState<number | null>(null);
  const start = Date.parse(from);
  const timeOf = (index: number) => new Date(start + index * bucketSeconds * 1000).toISOString();
  const point = curvePoints(values, box)[at ?? values.length - 1] ?? null;
  const total =
    sum === 'last' ? values.at(-1) : values.reduce<number>((whole, value) => whole + (value ?? 0), 0);
  const peak = peakOf(values);
  const shown = (at === null ? total : values[at]) ?? null;
  return (
    <figure class="card trend">
      <figcaption>
        <span class="fine trend-title">
          {title}, {spanOf(values.length * bucketSeconds)}
        </span>
        <span class="trend-value">{shown === null ? '–' : figure(shown)}</span>
        <span class="fine">
          {at !== null ? exactTime(timeOf(at), {}) : sum === 'last' ? 'now' : 'in total'}
        </span>
        {peak === -1 ? null : (
          <span class="fine">
            peak {figure(values[peak] ?? 0)}
            {sum === 'all' ? ` in ${figure(bucketSeconds / 3_600)} h` : ''},{' '}
            {peak === values.length - 1 ? 'now' : <Time at={timeOf(peak)} />}
          </span>
        )}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${curveText(values)}`}
        onPointerMove={(event) => {
          const { left, width: wide } = event.currentTarget.getBoundingClientRect();
          const share = (event.clientX - left) / wide;
          setAt(Math.max(0, Math.min(values.length - 1, Math.round(share * (values.length - 1)))));
        }}
        onPointerLeave={() => setAt(null)}
      >
        <CurveLine values={values} box={box} />
        {point === null ? null : (
          <>
            {at === null ? null : (
              <line class="curve-cursor" x1={point[0]} x2={point[0]} y1="0" y2={height} />
            )}
            <line class="curve-dot" x1={point[0]} x2={point[0]} y1={point[1]} y2={point[1]} />
          </>
        )}
      </svg>
    </figure>
  );
}

function spanOf(seconds: number): string {
  const days = Math.max(1, Math.round(seconds / 86_400));
  return days === 1 ? 'last 24 hours' : `last ${days} days`;
}
