/**
 * The console page, and the page for a ticket without a console. They contain only text and links; the code is in
 * browser/.
 */
import type { TicketHolder } from '../../db/tenants/console-tickets.ts';
import { escapeXml } from '../http/error-answer.ts';
import type { Assets } from './assets.ts';

/** `data:` images are cursors that noVNC draws. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export function consolePage({ kind, vm_name: name }: Pick<TicketHolder, 'kind' | 'vm_name'>, assets: Assets): string {
  const isSerial = kind === 'serial';
  const styles = [...(isSerial ? [assets.xterm.style] : []), assets.page.style];
  const title = `${name} · ${isSerial ? 'serial console' : 'screen'}`;
  return page({
    title,
    styles,
    head: `<script type="module" src="${assets.page.script}"></script>`,
    body: `<body data-kind="${kind}" data-library="${isSerial ? assets.xterm.script : assets.novnc.script}">
<header>
<h1>${escapeXml(name)}</h1>
<p id="state" role="status" data-state="connecting">Connecting…</p>
<div class="buttons">
${
  isSerial
    ? '<button type="button" id="copy">Copy text</button>'
    : '<button type="button" id="ctrl-alt-del" disabled>Send Ctrl+Alt+Del</button>'
}
</div>
</header>
<p id="hint">${isSerial ? 'Press Enter if nothing is shown.' : 'Click on the screen to type.'}</p>
<main id="screen" aria-label="${isSerial ? 'Serial console' : 'Screen'} of ${escapeXml(name)}"></main>
<noscript><p class="message">This page needs JavaScript.</p></noscript>
</body>`,
  });
}

export function noConsolePage(message: string, assets: Assets): string {
  return page({
    title: 'No console',
    styles: [assets.page.style],
    head: '',
    body: `<body>
<main class="message">
<h1>There is no console here</h1>
<p>${escapeXml(message)}</p>
</main>
</body>`,
  });
}

interface Parts {
  readonly title: string;
  readonly styles: readonly string[];
  readonly head: string;
  readonly body: string;
}

function page({ title, styles, head, body }: Parts): string {
  const links = styles.map((url) => `<link rel="stylesheet" href="${url}">`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeXml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<link rel="icon" href="data:,">
${links}
${head}
</head>
${body}
</html>
`;
}
