import { useEffect, useState } from 'preact/hooks';
import type { PlanRow } from '../../../api/plans.ts';
import { type ApiAnswer, type ApiProblem, read } from '../../data/api.ts';
import type { PageBody } from '../../data/page-store.ts';

/** The open plans of the chosen accounts. */
export interface ChosenPlans {
  /** Null until all of them are read. */
  readonly plans: readonly PlanRow[] | null;
  readonly problem: ApiProblem | null;
  readonly reload: () => void;
}

const limit = 500;

/** Reads the plans that wait or are approved, and keeps those of the given accounts, by name. */
export function useChosenPlans(accounts: readonly string[]): ChosenPlans {
  const [state, setState] = useState<Omit<ChosenPlans, 'reload'>>({ plans: null, problem: null });
  const [attempt, setAttempt] = useState(0);
  const key = accounts.join('\n');
  useEffect(() => {
    const controller = new AbortController();
    const wanted = new Set(accounts);
    const load = async () => {
      const plans: PlanRow[] = [];
      let cursor: string | null = null;
      do {
        const answer: ApiAnswer<PageBody<PlanRow>> = await read(
          '/plans',
          { state: 'waiting,approved', limit, cursor },
          controller.signal,
        );
        if (controller.signal.aborted) return;
        if (!answer.ok) {
          setState((sofar) => ({ ...sofar, problem: answer.problem }));
          return;
        }
        plans.push(...answer.value.items.filter(({ account }) => wanted.has(account)));
        cursor = answer.value.next ?? null;
      } while (cursor !== null && plans.length < wanted.size);
      setState({ plans: plans.toSorted((a, b) => (a.account < b.account ? -1 : 1)), problem: null });
    };
    if (accounts.length > 0) void load();
    return () => controller.abort();
  }, [key, attempt]);
  return { ...state, reload: () => setAttempt((count) => count + 1) };
}
