/**
 * The arguments in the command line of a Windows program, the program itself first. Blanks outside quotation marks
 * separate them. Backslashes before a quotation mark escape each other and the mark; other backslashes stay. Two marks
 * within a quotation are one mark that ends the quotation, as for programs in Go.
 */
export function splitCommandLine(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  const token = /(\\*)"|[ \t]|\\+|[^\\" \t]+/g;
  for (let found = token.exec(line); found !== null; found = token.exec(line)) {
    const [text, backslashes] = found;
    if (backslashes !== undefined) {
      const isEscaped = backslashes.length % 2 === 1;
      const isDoubled = !isEscaped && isQuoted && line[token.lastIndex] === '"';
      word = `${word ?? ''}${backslashes.slice(0, backslashes.length / 2)}${isEscaped || isDoubled ? '"' : ''}`;
      if (isDoubled) token.lastIndex += 1;
      if (!isEscaped) isQuoted = !isQuoted;
    } else if (isQuoted || text.trim() !== '') {
      word = `${word ?? ''}${text}`;
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
