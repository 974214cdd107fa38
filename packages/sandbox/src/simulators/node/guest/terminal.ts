/**
 * The serial console of a simulated guest: it boots, asks for a login, and runs commands line by line. Takes bytes,
 * sends text.
 */
import { StringDecoder } from 'node:string_decoder';
import { textAt } from '../../../objects/kinds/values/fields.ts';
import { mayLogIn, type Accounts } from './accounts.ts';
import { run, type Ending, type Guest } from './shell.ts';

export interface TerminalOptions {
  readonly guest: Guest;
  readonly accounts: Accounts;
  send(text: string): void;
  /** The guest powers off or reboots. */
  ended(how: 'poweroff' | 'reboot'): void;
}

type State = 'login' | 'password' | 'shell' | 'off';

const LONGEST_LINE = 4096;

export class Terminal {
  readonly #options: TerminalOptions;
  readonly #decoder = new StringDecoder('utf8');
  #state: State = 'login';
  #user = '';
  #line = '';
  /** Inside an escape sequence, such as that of an arrow key. */
  #escaped = false;
  #lastWasReturn = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** Prints the current screen of the console; after a recent start, the boot messages first. */
  open(booting: boolean): void {
    if (booting) this.#boot();
    this.#greet();
  }

  receive(bytes: Buffer): void {
    for (const letter of this.#decoder.write(bytes)) if (this.#state !== 'off') this.#take(letter);
  }

  /** The guest restarts, for any reason. */
  restart(): void {
    this.#forget();
    this.#boot();
    this.#greet();
  }

  #take(letter: string): void {
    const after = this.#lastWasReturn;
    this.#lastWasReturn = letter === '\r';
    if (letter === '\n' && after) return;
    if (this.#escaped) {
      if (/[A-NP-Za-z~]/.test(letter)) this.#escaped = false;
      return;
    }
    switch (letter) {
      case '\x1b':
        this.#escaped = true;
        return;
      case '\r':
      case '\n':
        return this.#enter();
      case '\x7f':
      case '\b':
        return this.#backspace();
      case '\x03':
        return this.#interrupt();
      case '\x04':
        return this.#endOfText();
      case '\x15':
        return this.#clearLine();
      default:
        if (letter >= ' ' && this.#line.length < LONGEST_LINE) this.#type(letter);
    }
  }

  #type(letter: string): void {
    this.#line += letter;
    if (this.#state !== 'password') this.#options.send(letter);
  }

  #backspace(): void {
    if (this.#line === '') return;
    this.#line = [...this.#line].slice(0, -1).join('');
    if (this.#state !== 'password') this.#options.send('\b \b');
  }

  #clearLine(): void {
    const letters = [...this.#line].length;
    this.#line = '';
    if (this.#state !== 'password') this.#options.send('\b \b'.repeat(letters));
  }

  #interrupt(): void {
    this.#line = '';
    this.#print('^C\n');
    if (this.#state === 'shell') this.#prompt();
    else this.#login();
  }

  #endOfText(): void {
    if (this.#line !== '' || this.#state !== 'shell') return;
    this.#print('logout\n');
    this.#greet();
  }

  #enter(): void {
    const line = this.#line;
    this.#line = '';
    this.#print('\n');
    if (this.#state === 'login') return this.#name(line.trim());
    if (this.#state === 'password') return this.#password(line);
    this.#command(line);
  }

  #name(user: string): void {
    if (user === '') return this.#login();
    this.#user = user;
    this.#state = 'password';
    this.#print('Password: ');
  }

  #password(password: string): void {
    if (!mayLogIn(this.#options.accounts, this.#user, password)) {
      this.#print('\nLogin incorrect\n');
      return this.#login();
    }
    this.#state = 'shell';
    this.#print('\nThis is a pretend guest: type help to see what it knows.\n');
    this.#prompt();
  }

  #command(line: string): void {
    const { text, ending } = run(line, this.#user, this.#options.guest);
    this.#print(text);
    if (ending === undefined) return this.#prompt();
    this.#end(ending);
  }

  #end(ending: Ending): void {
    if (ending === 'exit') return this.#greet();
    this.#print('[  OK  ] Stopped target Multi-User System.\n[  OK  ] Reached target System Shutdown.\n');
    if (ending === 'poweroff') {
      this.#state = 'off';
      this.#print('reboot: Power down\n');
    } else {
      this.#print('reboot: Restarting system\n');
      this.restart();
    }
    this.#options.ended(ending);
  }

  #forget(): void {
    this.#user = '';
    this.#line = '';
  }

  #boot(): void {
    const { os, hostname } = this.#options.guest;
    const name = textAt(os, 'prettyName');
    this.#print(
      [
        '',
        `[    0.000000] Linux version ${textAt(os, 'kernelRelease')} ${textAt(os, 'kernelVersion')}`,
        '[    0.000000] Command line: BOOT_IMAGE=/vmlinuz console=ttyS0',
        '[    0.412311] virtio_blk virtio1: [vda] 8388608 512-byte logical blocks',
        `[    1.203377] systemd[1]: Hostname set to <${hostname}>.`,
        `Welcome to ${name}!`,
        '[  OK  ] Reached target Network is Online.',
        '[  OK  ] Started Serial Getty on ttyS0.',
        '',
      ].join('\n'),
    );
  }

  #greet(): void {
    this.#forget();
    const { os } = this.#options.guest;
    this.#print(
      `\n${textAt(os, 'prettyName')}\nKernel ${textAt(os, 'kernelRelease')} on an ${textAt(os, 'machine')} (ttyS0)\n\n`,
    );
    this.#login();
  }

  #login(): void {
    this.#state = 'login';
    this.#print(`${this.#options.guest.hostname} login: `);
  }

  #prompt(): void {
    const sign = this.#user === 'root' ? '#' : '$';
    this.#print(`[${this.#user}@${this.#options.guest.hostname} ~]${sign} `);
  }

  /** A serial terminal needs a carriage return before each newline. */
  #print(text: string): void {
    this.#options.send(text.replaceAll('\n', '\r\n'));
  }
}
