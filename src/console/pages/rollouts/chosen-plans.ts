import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlanRow } from '../../../api/plans.ts';
import { type ApiAnswer, type ApiProblem, read } from '../../data/api.ts';
import { useEvents } from '../../data/live.ts';
import type { PageBody } from '../../data/page-store.ts';

/** The accounts whose plans are reviewed together: by name, or all that a cause concerns. */
export type ChosenAccounts = { readonly accounts: readonly string[] } | { readonly cause: string };

/** The open plans of the chosen accounts. */
export interface ChosenPlans {
  /** Null until all of them are read. */
  readonly plans: readonly PlanRow[] | null;
  readonly problem: ApiProblem | null;
  readonly reload: () => void;
}

const limit = 500;
/** Others often decide on many plans one after another: these are read once, after the last decision. */
const quiet = 1_000;

/** Reads the plans that wait or are approved, and keeps those of the chosen accounts, by name. */
export function useChosenPlans(chosen: ChosenAccounts): ChosenPlans {
  const [state, setState] = useState<Omit<ChosenPlans, 'reload'>>({ plans: null, problem: null });
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify(chosen);
  useEffect(() => {
    const controller = new AbortController();
    const wanted = 'accounts' in chosen ? new Set(chosen.accounts) : null;
    const load = async () => {
      const plans: PlanRow[] = [];
      let cursor: string | null = null;
      do {
        const answer: ApiAnswer<PageBody<PlanRow>> = await read(
          '/plans',
          { state: 'waiting,approved', limit, cursor, cause: 'cause' in chosen ? chosen.cause : null },
          controller.signal,
        );
        if (controller.signal.aborted) return;
        if (!answer.ok) {
          setState((sofar) => ({ ...sofar, problem: answer.problem }));
          return;
        }
        plans.push(...answer.value.items.filter(({ account }) => wanted?.has(account) !== false));
        cursor = answer.value.next ?? null;
      } while (cursor !== null && (wanted === null || plans.length < wanted.size));
      setState({ plans: plans.toSorted((a, b) => (a.account < b.account ? -1 : 1)), problem: null });
    };
    void load();
    return () => controller.abort();
  }, [key, attempt]);
  const reload = () => setAttempt((count) => count + 1);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEvents((event) => {
    if (event !== 'resync' && event.type !== 'plan.changed') return;
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, quiet);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { ...state, reload };
}
