/**
 * Sends data, answers and the wanted notifications to a client. While the client has suspended output (RFC 2217,
 * section 5), data stays in the port and answers wait here.
 */
import { type Deferred, deferred } from '@wirebench/port';
import { encodeAnswer, lineState, modemStateOf } from './com-port-commands.ts';
import { escaped } from './telnet.ts';

/** Most bytes of answers that wait while the client has suspended output. */
const maxSuspended = 65_536;

interface ClientOutputOptions {
  /** True: the client gets bytes as they are. */
  readonly isRaw: boolean;
  /** Sends bytes to the client as they are, with Telnet's escapes already in place. */
  readonly send: (bytes: Uint8Array) => void;
  /** Resolves when the client has read enough; null if there is room now. */
  readonly room: () => Promise<void> | null;
  /** True: the client knows the Com Port option and may receive notifications. */
  readonly isComPort: () => boolean;
  /** Called when a client has suspended output and asks for more than `maxSuspended` bytes of answers. */
  readonly flooded: () => void;
}

export class ClientOutput {
  /** Changes that the client wants to be notified of (section 3). The values are the defaults at the start. */
  lineStateMask = 0;
  modemStateMask = 255;
  readonly #options: ClientOutputOptions;
  #suspension: (Deferred<void> & { readonly answers: Uint8Array[] }) | null = null;
  #suspended = 0;
  /** Modem lines as reported last; null before the first report. */
  #modem: SerialInputSignals | null = null;

  constructor(options: ClientOutputOptions) {
    this.#options = options;
  }

  data(bytes: Uint8Array): void {
    this.#options.send(this.#options.isRaw ? bytes : escaped(bytes));
  }

  /** Returns a promise that delays reading from the port; null if reading may continue. */
  room(): Promise<void> | null {
    return this.#suspension?.promise ?? this.#options.room();
  }

  answer(bytes: Uint8Array): void {
    if (this.#suspension === null) {
      this.#options.send(bytes);
      return;
    }
    this.#suspension.answers.push(bytes);
    this.#suspended += bytes.length;
    if (this.#suspended > maxSuspended) {
      this.#options.flooded();
    }
  }

  suspend(): void {
    this.#suspension ??= { ...deferred<void>(), answers: [] };
  }

  resume(): void {
    const suspension = this.#suspension;
    this.#suspension = null;
    this.#suspended = 0;
    for (const bytes of suspension?.answers ?? []) {
      this.#options.send(bytes);
    }
    suspension?.resolve();
  }

  /** Drops the waiting answers and lets the port's reader continue. */
  close(): void {
    this.#suspension?.answers.splice(0);
    this.#suspension?.resolve();
  }

  lineError(kind: keyof typeof lineState): void {
    const state = lineState[kind] & this.lineStateMask;
    if (state !== 0) {
      this.#notify('lineState', state);
    }
  }

  /**
   * Reports the modem lines if the client asked, or if a line that passes the mask has changed.
   *
   * @param inputs Null if the lines are unknown.
   * @param isAsked True: the client asked, so the state is sent even without a change.
   */
  modemState(inputs: SerialInputSignals | null, isAsked: boolean): void {
    const state = inputs === null ? 0 : modemStateOf(inputs, this.#modem) & this.modemStateMask;
    const hasChanged = inputs !== null && this.#modem !== null && (modemStateOf(inputs, this.#modem) & 0x0f) !== 0;
    this.#modem = inputs ?? this.#modem;
    // Section 3: nothing is sent unless the mask lets a bit through.
    if (isAsked || (hasChanged && state !== 0)) {
      this.#notify('modemState', state);
    }
  }

  #notify(name: 'lineState' | 'modemState', state: number): void {
    if (this.#options.isComPort()) {
      this.answer(encodeAnswer(name, state));
    }
  }
}
