import { useState } from 'preact/hooks';
import { figure } from '../../output/components/numbers.ts';
import { exactTime } from '../words/times.ts';
import { curvePoints, curveText } from './charts.tsx';

interface TrendProps {
  readonly title: string;
  readonly values: readonly number[];
  /** The start of the first value's time. */
  readonly from: string;
  readonly bucketSeconds: number;
  /** The number over the curve: the last value, or all values together. */
  readonly sum: 'last' | 'all';
}

const width = 320;
const height = 56;
const margin = 2;

/** A number with its curve over some days. Under the pointer, it says the value of that hour. */
export function Trend({ title, values, from, bucketSeconds, sum }: TrendProps) {
  const [at, setAt] = useState<number | null>(null);
  const start = Date.parse(from);
  const timeOf = (index: number) => new Date(start + index * bucketSeconds * 1000).toISOString();
  const points = curvePoints(values, width, height, margin);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const [x, y] = points[at ?? values.length - 1] ?? [0, 0];
  const total = sum === 'last' ? (values.at(-1) ?? 0) : values.reduce((whole, value) => whole + value, 0);
  return (
    <figure class="trend">
      <figcaption>
        <span class="trend-title">
          {title}, {spanOf(values.length * bucketSeconds)}
        </span>
        <span class="trend-value">{figure(at === null ? total : (values[at] ?? 0))}</span>
        <span class="trend-note">
          {at !== null ? exactTime(timeOf(at), {}) : sum === 'last' ? 'now' : 'in total'}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${curveText(values)}`}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const share = (event.clientX - box.left) / box.width;
          setAt(Math.max(0, Math.min(values.length - 1, Math.round(share * (values.length - 1)))));
        }}
        onPointerLeave={() => setAt(null)}
      >
        <polygon class="curve-area" points={`${margin},${height} ${line} ${width - margin},${height}`} />
        <polyline class="curve-line" points={line} vector-effect="non-scaling-stroke" />
        {at === null ? null : (
          <line class="curve-cursor" x1={x} x2={x} y1="0" y2={height} vector-effect="non-scaling-stroke" />
        )}
        <line class="curve-dot" x1={x} x2={x} y1={y} y2={y} vector-effect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}

function spanOf(seconds: number): string {
  const days = Math.max(1, Math.round(seconds / 86_400));
  return days === 1 ? 'last 24 hours' : `last ${days} days`;
}
