/** A call for more questions would gain little, and take longer. */
const mostQuestions = 100;

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer | PromiseLike<Answer>) => void;
}

/**
 * Answers questions with one call for all questions that were asked while the previous call was in progress, or until
 * `gather` resolves. `ask` returns the answers in the order of the questions. If it fails for several questions, each
 * of them is asked alone, so that one failing question does not fail the others.
 */
export function batchCalls<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  gather: () => Promise<void> = () => Promise.resolve(),
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAsking = false;

  const alone = async (question: Question): Promise<Answer> => (await ask([question]))[0] as Answer;
  const answer = async (batch: readonly Waiting<Question, Answer>[]): Promise<void> => {
    const [first] = batch;
    if (first !== undefined && batch.length === 1) {
      const asked = alone(first.question);
      first.resolve(asked);
      await asked.catch(() => {});
      return;
    }
    try {
      const answers = await ask(batch.map(({ question }) => question));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch {
      for (const { question, resolve } of batch) resolve(alone(question));
    }
  };
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Questions that arrive in one turn of the event loop share a call, too.
      await gather();
      await answer(waiting.splice(0, mostQuestions));
    }
    isAsking = false;
  };

  return (question) =>
    new Promise((resolve) => {
      waiting.push({ question, resolve });
      if (isAsking) return;
      isAsking = true;
      void work();
    });
}
