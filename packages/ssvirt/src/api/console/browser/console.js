/** The page of a console: opens the WebSocket of its ticket, shows it, and displays the connection state. */
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

/** Codes from 4000 on have a reason from the server; others come from the browser or a proxy. */
function reasonOf({ code, reason }) {
  if (reason !== '') return reason;
  if (code === 1006) return 'The connection was lost, or the ticket was already used. Request a new ticket.';
  return 'The connection was closed. Request a new ticket to open it again.';
}

async function start() {
  // The WebSocket uses up the ticket, and its first message is sent only once: everything the page needs is loaded before.
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

start().catch(() => show('closed', 'Closed: the page did not load completely. Reload it.'));
