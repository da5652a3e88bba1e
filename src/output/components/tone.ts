/** The hues that carry state. */
export type Tone = 'red' | 'violet' | 'amber' | 'blue' | 'green' | 'dim';
