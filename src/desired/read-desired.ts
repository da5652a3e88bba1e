import type { Desired } from '../model/desired.ts';
import { hasErrors, type Problem, problem } from '../problem/problem.ts';
import { failed, ok, type Result } from '../problem/result.ts';
import { checkClaims } from './check-claims.ts';
import { decodeSource, type Source } from './decode-source.ts';
import { mergeFiles } from './merge-files.ts';
import { parseYaml } from './parse-yaml.ts';
import { createProblemList, type ProblemList } from './problem-list.ts';
import { type FleetFile, readFile } from './read-file.ts';

/**
 * The text of all files to the desired state, or every problem that the files have by themselves, in the order of
 * the text. Pure: no file is opened and nothing is sent.
 */
export function readDesired(sources: readonly Source[]): Result<Desired> {
  if (sources.length === 0) return failed(problem('usage', 'no desired state is given'));
  const problems = createProblemList();
  const files: FleetFile[] = [];
  let count = 0;
  for (const source of sources) {
    const file = readSource(source, count, problems);
    if (file === undefined) continue;
    files.push(file);
    count += file.entries?.length ?? 0;
  }
  const desired = mergeFiles(files, problems, files.length === sources.length);
  for (const each of checkClaims(files.flatMap((file) => file.entries ?? []))) problems.add(each);
  const all = inTextOrder(problems.all(), sources);
  return hasErrors(all) ? failed(...all) : ok(desired, all);
}

function readSource(source: Source, firstIndex: number, problems: ProblemList): FleetFile | undefined {
  const decoded = decodeSource(source);
  const tree = decoded.ok ? parseYaml(decoded.value) : decoded;
  if (!decoded.ok || !tree.ok) {
    for (const each of tree.problems) problems.add(each);
    return undefined;
  }
  return readFile({ source: decoded.value, problems }, tree.value, firstIndex);
}

function inTextOrder(problems: readonly Problem[], sources: readonly Source[]): readonly Problem[] {
  const fileOrder = new Map(sources.map(({ file }, index) => [file, index]));
  const rank = ({ place }: Problem) => (place === undefined ? -1 : (fileOrder.get(place.file) ?? -1));
  return problems.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
      (a.place?.col ?? 0) - (b.place?.col ?? 0),
  );
}
