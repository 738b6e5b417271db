/** The screens for a board whose program runs: its monitor, and the setup of its Wi-Fi by Improv. */
import { ImprovError, networkLimits, type WifiNetwork } from '@wirebench/serial/improv';
import { type Child, make } from '../element/dom.ts';
import type { Action } from '../element/flash-dialog.ts';
import { BoardConsole, type ConsoleParts } from './board-console.ts';

/** Lines of the log that are kept. */
const MAX_LINES = 1_000;
/** Time for a program to start before it is asked for Improv, in milliseconds. */
const START_TIME = 2_500;
/** Time for each answer, in seconds, and number of requests if the manifest names no time. */
const ANSWER_SECONDS = 2;
const USUAL_REQUESTS = 2;
const MAX_REQUESTS = 30;

export interface ConsoleScreensParts extends Omit<ConsoleParts, 'onLines' | 'onEnd'> {
  /** Longest time for an answer by Improv in seconds; null for the default, 0 to ask for none. */
  readonly improvSeconds: number | null;
  /** Leaves the screens. */
  readonly back: () => void;
  readonly show: (title: string, body: readonly Child[], actions: readonly Action[], message: string) => void;
  /** The board has answered by Improv. */
  readonly onWifi: () => void;
}

export class ConsoleScreens {
  readonly #parts: ConsoleScreensParts;
  readonly #log = make('div', {
    class: 'log',
    role: 'log',
    tabindex: '0',
    'aria-label': 'Output of the board',
    part: 'log',
  });
  #console: BoardConsole | null = null;
  #screen: 'log' | 'wifi' | null = null;
  #hasWifi = false;
  #networks: readonly WifiNetwork[] = [];
  readonly #over = new AbortController();

  private constructor(parts: ConsoleScreensParts) {
    this.#parts = parts;
  }

  /** @throws OpenError */
  static async open(parts: ConsoleScreensParts): Promise<ConsoleScreens> {
    const screens = new ConsoleScreens(parts);
    screens.#console = await BoardConsole.open({
      ...parts,
      onLines: (lines) => screens.#add(lines),
      onEnd: () => screens.#ended(),
    });
    void screens.#askForWifi();
    return screens;
  }

  /** True: the board has answered by Improv. */
  get hasWifi(): boolean {
    return this.#hasWifi && this.#console !== null;
  }

  open(screen: 'log' | 'wifi'): void {
    if (screen === 'log') {
      this.#openLog();
    } else {
      void this.#openWifi();
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#over.abort();
    const console = this.#console;
    this.#console = null;
    await console?.close();
  }

  #openLog(): void {
    this.#screen = 'log';
    const console = this.#console;
    const isOpen = console !== null;
    this.#parts.show(
      'Monitor',
      [this.#log, console === null ? make('p', { class: 'alert' }, 'The board is gone.') : this.#commandLine(console)],
      [
        ...(this.hasWifi ? [{ label: 'Set up Wi-Fi', run: () => this.open('wifi') }] : []),
        ...(console?.canReset ? [{ label: 'Reset the board', run: () => void console.reset().catch(noLoss) }] : []),
        this.#back,
      ],
      isOpen ? 'Listening to the board' : 'The board is gone.',
    );
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  get #back(): Action {
    return {
      label: 'Back',
      run: () => {
        this.#screen = null;
        this.#parts.back();
      },
    };
  }

  #commandLine(console: BoardConsole): HTMLFormElement {
    const input = make('input', {
      type: 'text',
      'aria-label': 'Line to send',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
    });
    const interrupt = make('button', { type: 'button' }, 'Ctrl+C');
    interrupt.addEventListener('click', () => void console.interrupt().catch(noLoss));
    input.addEventListener('keydown', (event) => {
      const hasSelection = input.selectionStart !== input.selectionEnd;
      if (event.ctrlKey && event.key === 'c' && !hasSelection) {
        event.preventDefault();
        void console.interrupt().catch(noLoss);
      }
    });
    const form = make('form', { class: 'row' }, input, make('button', { type: 'submit' }, 'Send'), interrupt);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void console.send(input.value).catch(noLoss);
      input.value = '';
    });
    return form;
  }

  #add(lines: readonly string[]): void {
    const log = this.#log;
    const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
    log.append(...lines.map((line) => make('div', {}, line)));
    while (log.childElementCount > MAX_LINES) {
      log.firstElementChild?.remove();
    }
    if (isAtEnd) {
      log.scrollTop = log.scrollHeight;
    }
  }

  #ended(): void {
    this.#console = null;
    this.#hasWifi = false;
    if (this.#screen !== null) {
      this.#openLog();
    }
  }

  async #askForWifi(): Promise<void> {
    const { clock, improvSeconds, onWifi } = this.#parts;
    const requests =
      improvSeconds === null ? USUAL_REQUESTS : Math.min(MAX_REQUESTS, Math.ceil(improvSeconds / ANSWER_SECONDS));
    if (requests === 0) {
      return;
    }
    try {
      await clock.sleep(START_TIME, this.#over.signal);
      await this.#console?.improv.deviceInformation(requests);
      this.#hasWifi = this.#console !== null;
    } catch (error) {
      // A board without device information may set up its network nevertheless.
      this.#hasWifi = error instanceof ImprovError && error.code === 'unknown-command';
    }
    if (this.#hasWifi && !this.#over.signal.aborted) {
      onWifi();
      if (this.#screen === 'log') {
        this.#openLog();
      }
    }
  }

  async #openWifi(): Promise<void> {
    this.#screen = 'wifi';
    const improv = this.#console?.improv;
    if (improv === undefined) {
      this.#openLog();
      return;
    }
    const text = 'The board looks for networks';
    this.#parts.show('Set up Wi-Fi', [make('p', {}, `${text}…`)], [this.#back], text);
    let fault: string | null = null;
    try {
      this.#networks = (await improv.networks()).networks;
    } catch (error) {
      fault = messageOf(error);
    }
    if (this.#screen === 'wifi') {
      this.#askForNetwork(fault);
    }
  }

  #askForNetwork(fault: string | null): void {
    const names = this.#networks.map(({ name }) => name);
    const other = make('option', { value: '' }, 'Another network');
    const list = make(
      'select',
      {},
      ...this.#networks.map(({ name, signal }) =>
        make('option', { value: name }, signal === null ? name : `${name} (${signal} dBm)`),
      ),
      other,
    );
    const typed = make('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
    const typedField = make('label', { class: 'field', hidden: names.length > 0 }, 'Name of the network', typed);
    list.addEventListener('change', () => {
      typedField.hidden = list.value !== '';
    });
    const password = make('input', { type: 'password', autocomplete: 'off' });
    const form = make(
      'form',
      {},
      names.length === 0 ? null : make('label', { class: 'field' }, 'Network', list),
      typedField,
      make('label', { class: 'field' }, 'Password', password),
      make('p', {}, 'The password is sent to the board and stored nowhere else.'),
      make('button', { type: 'submit', class: 'primary' }, 'Connect the board'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const chosen = this.#networks.find(({ name }) => name === list.value);
      const name = chosen?.bytes ?? new TextEncoder().encode(typed.value);
      const secret = new TextEncoder().encode(password.value);
      if (name.length === 0 || name.length > networkLimits.name || secret.length > networkLimits.password) {
        this.#askForNetwork('The name of a network has 1 to 32 bytes, its password at most 64.');
        return;
      }
      void this.#connect(name, secret);
    });
    this.#parts.show(
      'Set up Wi-Fi',
      [fault === null ? null : make('p', { class: 'alert fault' }, fault), form],
      [{ label: 'Look again', run: () => void this.#openWifi() }, this.#back],
      fault ?? 'Choose the network',
    );
  }

  async #connect(name: Uint8Array, password: Uint8Array): Promise<void> {
    const network = new TextDecoder().decode(name);
    const text = `The board connects to ${network}`;
    this.#parts.show('Set up Wi-Fi', [make('p', {}, `${text}…`)], [this.#back], text);
    try {
      const address = (await this.#console?.improv.connect({ name, password })) ?? '';
      if (this.#screen === 'wifi') {
        const done = `The board is on ${network}.`;
        this.#parts.show('Connected', [make('p', {}, done), pageLink(address)], [this.#back], done);
      }
    } catch (error) {
      if (this.#screen === 'wifi') {
        this.#askForNetwork(messageOf(error));
      }
    }
  }
}

/** A link to the board's own page; null for anything but http and https. */
function pageLink(address: string): Child {
  return /^https?:\/\//i.test(address)
    ? make(
        'p',
        {},
        make('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, 'Open the page of the board'),
      )
    : null;
}

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'The board met an error that it does not name.';

/** Drops the error of a port that fails: it ends the console, which reports that. */
const noLoss = () => undefined;
