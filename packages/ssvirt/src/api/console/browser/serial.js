/** A terminal on the serial console of a VM. */
import { adoptStyles } from './styles.js';

/** The serial line does not report a size, so guests assume 80 columns. */
const columns = 80;
const leastRows = 24;
const fontFamily = 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';
const theme = { background: '#101418', foreground: '#d8dee6', cursor: '#7cc4ff', selectionBackground: '#34506b' };

export function openSerial({ socket, screen, parts: { Terminal } }) {
  adoptStyles();
  const terminal = new Terminal({
    cols: columns,
    rows: leastRows,
    scrollback: 5000,
    cursorBlink: true,
    fontFamily,
    fontSize: 14,
    theme,
    screenReaderMode: true,
  });
  terminal.open(screen);
  fit(terminal, screen);
  new ResizeObserver(() => fit(terminal, screen)).observe(screen);
  const encoder = new TextEncoder();
  const send = (bytes) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
  };
  terminal.onData((text) => send(encoder.encode(text)));
  terminal.onBinary((text) => send(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  socket.addEventListener('message', ({ data }) => terminal.write(new Uint8Array(data)));
  terminal.focus();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) terminal.focus();
  });
  addCopyButton(terminal);
  return { closed: () => (terminal.options.disableStdin = true) };
}

/**
 * Chooses the font size that fits the columns into the width, within reason, and then as many rows as fit. Below a readable size the page
 * scrolls.
 */
function fit(terminal, screen) {
  const { clientWidth, clientHeight } = screen;
  if (clientWidth === 0 || clientHeight === 0) return;
  const ratio = widthOfLetter() || 0.6;
  const roomForBar = 18;
  const size = Math.max(11, Math.min(16, Math.floor(((clientWidth - roomForBar) / columns / ratio) * 2) / 2));
  if (terminal.options.fontSize !== size) terminal.options.fontSize = size;
  const line = Math.ceil(size * 1.2);
  const rows = Math.max(leastRows, Math.floor(clientHeight / line));
  if (terminal.rows !== rows) terminal.resize(columns, rows);
}

/** The width of a letter at a font size of one pixel. */
function widthOfLetter() {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return undefined;
  context.font = `100px ${fontFamily}`;
  return context.measureText('W').width / 100;
}

function addCopyButton(terminal) {
  const button = document.getElementById('copy');
  const label = button.textContent;
  const copy = async () => {
    const ok = await copied(terminal.getSelection() || textOf(terminal.buffer.active));
    button.textContent = ok ? 'Copied' : 'Cannot copy';
    setTimeout(() => (button.textContent = label), 2000);
    terminal.focus();
  };
  button.addEventListener('click', () => void copy());
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // The browser or the user denied it.
  }
}

function textOf(buffer) {
  const lines = Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at));
  const texts = lines.map((line) => `${line?.isWrapped ? '' : '\n'}${line?.translateToString(true) ?? ''}`);
  return `${texts.join('').trim()}\n`;
}
