import { sha256Base64 } from '../../core/lib/hash.ts';
import { memo } from '../../core/lib/memo.ts';
import { pageStyle } from './generated/report.ts';

interface PageParts {
  readonly title: string;
  readonly body: string;
  /** JSON for the script. */
  readonly data?: string;
  /** Absent if the page works without a script. */
  readonly script?: string;
}

/**
 * One self-contained HTML file: no network, no other file. Its Content-Security-Policy lets the browser run only this
 * script, use only this style sheet, and load nothing.
 */
export function pageHtml({ title, body, data, script }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
${body}
${data === undefined ? '' : `<script type="application/json" id="plan-data">${data}</script>\n`}${script === undefined ? '' : `<script type="module">${script}</script>\n`}</body>
</html>
`;
}

const policy = memo((script: string | undefined) =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src 'sha256-${sha256Base64(script)}'`]),
    `style-src 'sha256-${sha256Base64(pageStyle)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
);
