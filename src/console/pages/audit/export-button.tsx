import { useEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../../output/components/numbers.ts';
import { announce } from '../../browser/announce.ts';
import type { Problem, Query } from '../../data/api.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorState } from '../../parts/states.tsx';
import type { ExportForm } from './export-audit.ts';
import { readExport, saveFile } from './export-file.ts';

/** Saves the records that match as a file. */
export function ExportAudit({ query }: { readonly query: Query }) {
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const save = async (form: ExportForm) => {
    controller.current = new AbortController();
    setProblem(null);
    setProgress(0);
    const answer = await readExport(form, query, setProgress, controller.current.signal);
    setProgress(null);
    if (controller.current.signal.aborted) return;
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    saveFile(answer.value.file, `rampart-audit.${form}`);
    announce(`${counted(answer.value.records, 'record')} exported.`);
  };
  return (
    <>
      {progress === null ? (
        <>
          <Button onClick={() => void save('jsonl')}>Export JSON lines</Button>
          <Button onClick={() => void save('csv')}>Export CSV</Button>
        </>
      ) : (
        <>
          <span role="status">{counted(progress, 'record')} read</span>
          <Button onClick={() => controller.current?.abort()}>Cancel</Button>
        </>
      )}
      {problem === null ? null : <ErrorState tried="Exporting" problem={problem} />}
    </>
  );
}
