/** Keys of a terminal: they go to the board, except behind Ctrl+T, as in tio. */
import { systemClock } from '@wirebench/clock';
import { describePortSettings, type PortSettings } from '@wirebench/port';
import { type Bench, type PortNumber, portNumbers } from '@wirebench/serial';
import type { GivenPort } from '../given-ports.ts';

const PREFIX = 0x14;
const BREAK_TIME = 250;
const enters = { cr: '\r', lf: '\n', crlf: '\r\n' } as const;
export const enterWords = ['cr', 'lf', 'crlf'] as const satisfies readonly (keyof typeof enters)[];

const menu = {
  '?': 'this list',
  q: 'quit; the board keeps running',
  '1': 'send keys to port 1; 2, 3 and 4 likewise',
  b: 'send a break of 250 ms',
  c: 'show the settings of the ports',
  d: 'toggle DTR',
  r: 'toggle RTS',
  R: 'restart the board by its control lines',
  e: 'toggle the local echo',
  l: 'clear the screen',
  s: 'show what the ports have sent and received',
  t: 'send Ctrl+T to the board',
} as const;

type MenuKey = keyof typeof menu | '2' | '3' | '4';

const isMenuKey = (key: string): key is MenuKey => key in menu || ['2', '3', '4'].includes(key);

interface KeyActions {
  readonly type: (keys: Uint8Array) => void;
  readonly choose: (key: MenuKey) => void;
  /** A key that the menu lacks. */
  readonly unknown: () => void;
}

/** Splits what a terminal sends into keys for the board and choices of the menu. */
export class KeyReader {
  readonly #actions: KeyActions;
  #isPrefixed = false;

  constructor(actions: KeyActions) {
    this.#actions = actions;
  }

  take(bytes: Uint8Array): void {
    let from = 0;
    for (const [at, byte] of bytes.entries()) {
      if (this.#isPrefixed) {
        this.#isPrefixed = false;
        from = at + 1;
        this.#choose(byte);
      } else if (byte === PREFIX) {
        this.#type(bytes.subarray(from, at));
        from = at + 1;
        this.#isPrefixed = true;
      }
    }
    this.#type(bytes.subarray(from));
  }

  #choose(byte: number): void {
    const key = String.fromCharCode(byte);
    if (byte === PREFIX || key === 't') {
      this.#actions.type(Uint8Array.of(PREFIX));
    } else if (isMenuKey(key)) {
      this.#actions.choose(key);
    } else {
      this.#actions.unknown();
    }
  }

  #type(keys: Uint8Array): void {
    if (keys.length > 0) {
      this.#actions.type(keys.slice());
    }
  }
}

interface BoardKeysParts {
  readonly bench: Bench;
  readonly ports: readonly GivenPort[];
  readonly settings: PortSettings;
  /** Bytes that Enter sends. */
  readonly enter: (typeof enterWords)[number];
  readonly quit: () => void;
}

/** Sends keys to a port of the bench, and carries out choices of the menu. */
export class BoardKeys {
  readonly #bench: Bench;
  readonly #ports: readonly GivenPort[];
  readonly #settings: PortSettings;
  readonly #enter: BoardKeysParts['enter'];
  readonly #quit: () => void;
  #hasEcho = false;
  /** Port that gets the keys. */
  #port: PortNumber = 1;

  constructor({ bench, ports, settings, enter, quit }: BoardKeysParts) {
    this.#bench = bench;
    this.#ports = ports;
    this.#settings = settings;
    this.#enter = enter;
    this.#quit = quit;
  }

  /** Reads the keys of a terminal, if there is one. Returns a function that gives the terminal back. */
  take(): () => void {
    const { stdin, stdout } = process;
    if (!stdin.isTTY || !stdout.isTTY) {
      return () => undefined;
    }
    const keys = new KeyReader({
      type: (bytes) => this.#type(bytes),
      choose: (key) => void this.#choose(key).catch((error: Error) => this.#bench.notice('error', error.message, null)),
      unknown: () => this.#bench.notice('info', 'Ctrl+T ? lists the keys of the menu', null),
    });
    const take = (bytes: Buffer) => keys.take(bytes);
    stdin.setRawMode(true);
    stdin.on('data', take);
    this.#bench.notice('info', 'Ctrl+T q quits, Ctrl+T ? lists the other keys', null);
    return () => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
    };
  }

  #type(keys: Uint8Array): void {
    if (this.#hasEcho) {
      process.stdout.write(withEnter(keys, '\r\n'));
    }
    // The failure is a notice on the timeline.
    this.#bench.type(this.#port, withEnter(keys, enters[this.#enter])).catch(() => undefined);
  }

  async #choose(key: MenuKey): Promise<void> {
    const port = this.#port;
    const { signals } = this.#bench.status().ports[port];
    const say = (text: string) => this.#bench.notice('info', text, null);
    switch (key) {
      case '?':
        for (const [name, text] of Object.entries(menu)) {
          say(`Ctrl+T ${name}  ${text}`);
        }
        return;
      case 'q':
        return this.#quit();
      case '1':
      case '2':
      case '3':
      case '4':
        return this.#choosePort(key);
      case 'b':
        await this.#bench.setSignals(port, { break: true });
        await systemClock.sleep(BREAK_TIME);
        return this.#bench.setSignals(port, { break: false });
      case 'c':
        return this.#eachPort((given) => say(`${given.path} ${describePortSettings(this.#settings)}`));
      case 'd':
        await this.#bench.setSignals(port, { dtr: !signals.dtr });
        return say(`DTR ${signals.dtr ? 'off' : 'on'}`);
      case 'r':
        await this.#bench.setSignals(port, { rts: !signals.rts });
        return say(`RTS ${signals.rts ? 'off' : 'on'}`);
      case 'R':
        return this.#bench.jobs.resetBoard(port, 'run');
      case 'e':
        this.#hasEcho = !this.#hasEcho;
        return say(`Local echo ${this.#hasEcho ? 'on' : 'off'}`);
      case 'l':
        process.stdout.write('\x1b[2J\x1b[H');
        return;
      case 's':
        return this.#eachPort((given, number) => {
          const { received, sent } = this.#bench.status().ports[number];
          say(`${given.path}: ${received} bytes received, ${sent} bytes sent`);
        });
      case 't':
        return;
    }
  }

  #choosePort(key: string): void {
    const number = portNumbers.find((one) => `${one}` === key && one <= this.#ports.length);
    if (number !== undefined) {
      this.#port = number;
      this.#bench.notice('info', `Keys go to ${this.#ports[number - 1]?.label}`, null);
    }
  }

  #eachPort(visit: (given: GivenPort, number: PortNumber) => void): void {
    for (const [index, given] of this.#ports.entries()) {
      visit(given, portNumbers[index] ?? 1);
    }
  }
}

/** Replaces the CR that a terminal sends for Enter. */
function withEnter(keys: Uint8Array, enter: string): Uint8Array {
  return Buffer.from(Buffer.from(keys).toString('latin1').replaceAll('\r', enter), 'latin1');
}
