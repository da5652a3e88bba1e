import { figure } from '../../output/components/numbers.ts';
import type { Tone } from '../../output/components/tone.ts';
import './segments.css';

export interface Segment {
  readonly word: string;
  readonly size: number;
  readonly tone: Tone;
}

interface SegmentsProps {
  readonly label: string;
  readonly whole: number;
  readonly segments: readonly Segment[];
}

/** A whole in colored parts, each also described in words. The rest stays empty. */
export function Segments({ label, whole, segments }: SegmentsProps) {
  const shown = segments.filter(({ size }) => size > 0);
  const words = shown.map(({ word, size }) => `${figure(size)} ${word}`);
  return (
    <span
      class="segments"
      role="img"
      aria-label={`${label}: ${words.length === 0 ? 'nothing yet' : words.join(', ')}`}
    >
      {shown.map(({ word, size, tone }) => (
        <span
          key={word}
          class={`segment ${tone}`}
          style={{ width: `${whole <= 0 ? 0 : Math.min(100, (100 * size) / whole)}%` }}
        />
      ))}
    </span>
  );
}
