/** The page of a console: opens the websocket of its ticket, shows it, and says how things stand. */
import { openScreen } from './screen.js';
import { openSerial } from './serial.js';

const { kind, library } = document.body.dataset;
const screen = document.getElementById('screen');
const state = document.getElementById('state');
const hint = document.getElementById('hint');

const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
const path = location.pathname.replace(/\/$/, '');

function show(name, text) {
  state.dataset.state = name;
  state.textContent = text;
}

/** Codes from 4000 on come with a sentence; the others are the browser's, or a proxy's. */
function reasonOf({ code, reason }) {
  if (reason !== '') return reason;
  if (code === 1006) return 'The connection was lost, or the ticket was used already. Ask for a new one.';
  return 'The connection was closed. Ask for a new ticket to open it again.';
}

async function start() {
  // The ticket is used up by the websocket, and nobody repeats its first message: all that the page needs is there before.
  const parts = await import(library);
  const socket = new WebSocket(`${scheme}://${location.host}${path}/stream`, ['plain.kubevirt.io']);
  socket.binaryType = 'arraybuffer';
  const open = kind === 'vnc' ? openScreen : openSerial;
  const view = open({ socket, screen, parts });
  socket.addEventListener('open', () => show('connected', 'Connected'));
  socket.addEventListener('close', (event) => {
    show('closed', `Closed: ${reasonOf(event)}`);
    document.body.classList.add('closed');
    hint.hidden = true;
    view.closed();
  });
}

start().catch(() => show('closed', 'Closed: the page could not be loaded as a whole. Load it again.'));
