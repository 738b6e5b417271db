/** Keys of a terminal: they go to the board, except behind Ctrl+T, as in tio. */

const PREFIX = 0x14;

export const menu = {
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

export type MenuKey = keyof typeof menu | '2' | '3' | '4';

const isMenuKey = (key: string): key is MenuKey => key in menu || ['2', '3', '4'].includes(key);

export interface KeyActions {
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
