/** The screen of a VM, with its keyboard and mouse. */
export function openScreen({ socket, screen, parts: { default: RFB } }) {
  const rfb = new RFB(screen, socket, { shared: true });
  rfb.scaleViewport = true;
  rfb.background = 'transparent';
  rfb.focusOnClick = true;
  const button = document.getElementById('ctrl-alt-del');
  rfb.addEventListener('connect', () => {
    document.getElementById('hint').hidden = true;
    button.disabled = false;
    rfb.focus();
  });
  rfb.addEventListener('desktopname', ({ detail }) => screen.setAttribute('title', detail.name));
  button.addEventListener('click', () => {
    rfb.sendCtrlAltDel();
    rfb.focus();
  });
  return { closed: () => (button.disabled = true) };
}
