/**
 * What a client gets: data, answers, and notifications as far as it wants them. While it has suspended everything (RFC 2217, section 5), data stays
 * in the port and answers wait here.
 */
import { encodeAnswer, lineState, modemStateOf } from './com-port-commands.ts';
import { escaped } from './telnet.ts';

/** Answers that wait while the client has suspended them, in bytes. */
const mostSuspended = 65_536;

interface ClientOutputOptions {
  /** Bytes for the client, as they are in the stream. */
  readonly send: (bytes: Uint8Array) => void;
  /** Waits until the client has read enough; null when it has. */
  readonly room: () => Promise<void> | null;
  /** Only a client that knows the option is told anything unasked. */
  readonly isComPort: () => boolean;
  /** It asks and asks, and does not want to hear. */
  readonly flooded: () => void;
}

export class ClientOutput {
  /** Which changes the client wants to be told of (section 3); the values are those at the start. */
  lineStateMask = 0;
  modemStateMask = 255;
  readonly #options: ClientOutputOptions;
  #suspension: (PromiseWithResolvers<void> & { readonly answers: Uint8Array[] }) | null = null;
  #suspended = 0;
  /** What was told last. */
  #modem: SerialInputSignals | null = null;

  constructor(options: ClientOutputOptions) {
    this.#options = options;
  }

  data(bytes: Uint8Array): void {
    this.#options.send(escaped(bytes));
  }

  /** Reading the port waits for what it gives. */
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
    if (this.#suspended > mostSuspended) {
      this.#options.flooded();
    }
  }

  suspend(): void {
    this.#suspension ??= { ...Promise.withResolvers<void>(), answers: [] };
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

  /** Ends the wait of the port, and says nothing more. */
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
   * @param inputs null where nobody knows.
   * @param isAsked the client wants to know, whether something has changed or not.
   */
  modemState(inputs: SerialInputSignals | null, isAsked: boolean): void {
    const state = inputs === null ? 0 : modemStateOf(inputs, this.#modem) & this.modemStateMask;
    const hasChanged = inputs !== null && this.#modem !== null && (modemStateOf(inputs, this.#modem) & 0x0f) !== 0;
    this.#modem = inputs ?? this.#modem;
    // Section 3: without a bit that the mask lets through, nothing is sent.
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
