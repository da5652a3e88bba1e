import { useState } from 'preact/hooks';
import { announce } from '../browser/announce.ts';
import { Button } from './button.tsx';
import './copy-text.css';

/** Text to copy whole: a command, a file, a token. */
export function CopyText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce('Copied.');
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      announce('The browser did not allow copying. Select the text instead.');
    }
  };
  return (
    <div class="copy-text">
      <pre tabIndex={0}>{text}</pre>
      <Button onClick={() => void copy()} label={label}>
        {isCopied ? '✓ Copied' : 'Copy'}
      </Button>
    </div>
  );
}
