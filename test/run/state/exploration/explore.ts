/** The possible next events in a state, and the violations in it. */
export interface Model<S> {
  readonly initial: S;
  next(state: S, found: (event: string, state: S) => void): void;
  /** Equal for states that differ only in the names of equal parts. */
  keyOf(state: S): string;
  /** The law that the state breaks. */
  breachOf(state: S): string | undefined;
}

export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  /** Was every reachable state visited, or did the search end at its limit? */
  readonly complete: boolean;
  /** The first violation, with the shortest path to it. */
  readonly breach?: { readonly law: string; readonly events: readonly string[] };
}

/** Visits every reachable state, breadth first, until a law is violated or `bound` states were seen. */
export function explore<S>(model: Model<S>, bound = Number.POSITIVE_INFINITY): Exploration {
  const seen = new Set<string>();
  const states: S[] = [];
  const parents: number[] = [];
  const events: string[] = [];
  let transitions = 0;
  let full = false;
  const visit = (state: S, parent: number, event: string): void => {
    const key = model.keyOf(state);
    if (seen.has(key)) return;
    if (seen.size >= bound) {
      full = true;
      return;
    }
    seen.add(key);
    states.push(state);
    parents.push(parent);
    events.push(event);
  };
  const wayTo = (index: number): readonly string[] => {
    const way: string[] = [];
    for (let at = index; at > 0; at = parents[at] ?? 0) way.push(events[at] ?? '');
    return way.reverse();
  };
  visit(model.initial, -1, '');
  for (let index = 0; index < states.length; index += 1) {
    const state = states[index] as S;
    const law = model.breachOf(state);
    if (law !== undefined)
      return { states: seen.size, transitions, complete: false, breach: { law, events: wayTo(index) } };
    model.next(state, (event, following) => {
      transitions += 1;
      visit(following, index, event);
    });
  }
  return { states: seen.size, transitions, complete: !full };
}
