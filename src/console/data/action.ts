import { useCallback, useRef, useState } from 'preact/hooks';
import { type ApiAnswer, type ApiProblem, send } from './api.ts';

/** A change that a person requests, such as an approval. */
export interface AskedAction<Value> {
  readonly isBusy: boolean;
  readonly problem: ApiProblem | null;
  /** Sends it once; null while an earlier attempt is under way. A repeated attempt keeps its key. */
  readonly run: (body?: unknown) => Promise<ApiAnswer<Value> | null>;
}

const idle: Pick<AskedAction<unknown>, 'isBusy' | 'problem'> = { isBusy: false, problem: null };

/** Sends a change and keeps its problem, so that the form stays as the person left it. */
export function useAction<Value = unknown>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
): AskedAction<Value> {
  const [state, setState] = useState(idle);
  const busy = useRef(false);
  const attempt = useRef<{ readonly of: string; readonly key: string } | null>(null);
  const run = useCallback(
    async (body?: unknown) => {
      if (busy.current) return null;
      busy.current = true;
      setState({ isBusy: true, problem: null });
      const of = `${method} ${path} ${JSON.stringify(body)}`;
      if (attempt.current?.of !== of) attempt.current = { of, key: crypto.randomUUID() };
      const answer = await send<Value>(method, path, body, attempt.current.key);
      busy.current = false;
      // Only an attempt without a response may have taken effect and is repeated with its key.
      if (answer.ok || answer.problem.status !== 0) attempt.current = null;
      setState({ isBusy: false, problem: answer.ok ? null : answer.problem });
      return answer;
    },
    [method, path],
  );
  return { ...state, run };
}
