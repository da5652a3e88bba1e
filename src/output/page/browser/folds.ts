import { watchPaper } from './paper.ts';

/** Printing unfolds everything. A link to folded content unfolds it. */
export function startFolds(): void {
  const opened: HTMLDetailsElement[] = [];
  watchPaper((onPaper) => {
    if (!onPaper) {
      for (const fold of opened.splice(0)) fold.open = false;
      return;
    }
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('details.fold:not([open])')) {
      fold.open = true;
      opened.push(fold);
    }
  });
  addEventListener('hashchange', reveal);
  reveal();
}

function reveal(): void {
  const target = document.getElementById(location.hash.slice(1));
  const fold = target?.closest('details');
  if (target === null || fold === null || fold === undefined) return;
  fold.open = true;
  target.scrollIntoView();
}
