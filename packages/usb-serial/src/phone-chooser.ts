/** Asks a person for a port on a phone, with one of the two lists of the browser. */
import { errorName } from '@wirebench/port';
import type { PhoneList, PhoneSerial } from './phone-serial.ts';

/** First version of Android with wired ports in Web Serial (SDK 37, `android.hardware.serial`). */
const WIRED_ANDROID = 17;

/** The part of `navigator` that tells the version of Android. The user agent has a fixed one. */
export interface PlatformFacts {
  readonly userAgentData?: {
    getHighEntropyValues(hints: readonly string[]): Promise<{ readonly platformVersion?: string }>;
  };
}

export interface PhoneChooserOptions {
  readonly ports: Pick<PhoneSerial, 'requestPort'>;
  /** True: the browser has Web Serial, whose list may be empty. */
  readonly hasSerial: boolean;
  readonly platform: PlatformFacts;
  /** Keeps the list from which a port was chosen last; null for none. */
  readonly memory: { get(): PhoneList | null; set(list: PhoneList | null): void };
}

/**
 * `closed`: the list that was closed without a choice. An empty list and a cancelled one look alike. `portless`: the chosen
 * device has no serial port. `open`: a list is open already.
 */
export type PhoneChoice =
  | { readonly port: SerialPort }
  | { readonly closed: PhoneList }
  | { readonly refused: 'portless' | 'open' };

export class PhoneChooser {
  readonly #options: PhoneChooserOptions;
  /** Main version of Android; null until the browser has told it, and if it does not. */
  #android: number | null = null;
  #isOpen = false;

  /** Asks for the version of the system at once: a press that waits for it may not open a list any more. */
  constructor(options: PhoneChooserOptions) {
    this.#options = options;
    void this.#askVersion();
  }

  /**
   * Opens one list. Call it directly in a click or key handler.
   *
   * @param wanted List that the person asks for. Missing: the one that most likely has the board.
   * @throws the browser's error if it refuses, usually a `SecurityError`.
   */
  async choose(wanted: PhoneList = this.#firstList()): Promise<PhoneChoice> {
    if (this.#isOpen) {
      return { refused: 'open' };
    }
    this.#isOpen = true;
    const { ports, memory } = this.#options;
    try {
      const port = await ports.requestPort(wanted);
      memory.set(wanted);
      return { port };
    } catch (error) {
      switch (errorName(error)) {
        case 'NotFoundError':
          // A list without the board is no reason to begin with it the next time.
          memory.set(null);
          return { closed: wanted };
        case 'NotSupportedError':
          return { refused: 'portless' };
        default:
          throw error;
      }
    } finally {
      this.#isOpen = false;
    }
  }

  #firstList(): PhoneList {
    const { hasSerial, memory } = this.#options;
    const hasWired = hasSerial && (this.#android === null || this.#android >= WIRED_ANDROID);
    return hasWired ? (memory.get() ?? 'serial') : 'usb';
  }

  async #askVersion(): Promise<void> {
    try {
      const { userAgentData } = this.#options.platform;
      const { platformVersion = '' } = (await userAgentData?.getHighEntropyValues(['platformVersion'])) ?? {};
      this.#android = Number.parseInt(platformVersion, 10) || null;
    } catch (error) {
      // A permissions policy may refuse the version.
      if (!(error instanceof DOMException)) {
        throw error;
      }
    }
  }
}
