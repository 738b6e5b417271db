/**
 * Messages sent from the send bar, navigated with the arrow keys and searched like a shell's history. Each keeps how
 * it was typed. They last as long as the tab, and survive its reload.
 */
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import type { TextStorage } from '../../../shared/storage/browser-storage.ts';
import { lineEndings, sendModes } from '../settings/terminal-settings.ts';
import type { Message } from './send-message.ts';

/** Maximum number of messages. */
export const longestHistory = 50;

const storageKey = 'wirebench.sent';
/** Format version. Increase it when a value changes its meaning. Messages of other versions are ignored. */
const version = 1;

export class SendHistory {
  readonly #storage: TextStorage;
  readonly #saving: (write: () => void) => void;
  #sent: readonly Message[];
  /** Index of the shown message. Equal to the number of messages while the user types a new one. */
  #at: number;
  /** Unsent message before the navigation started. */
  #draft: Message | null = null;

  /** @param saving Runs a write to the storage and reports a failure. */
  constructor(storage: TextStorage, saving: (write: () => void) => void = (write) => write()) {
    this.#storage = storage;
    this.#saving = saving;
    this.#sent = read(storage.getItem(storageKey));
    this.#at = this.#sent.length;
  }

  get isEmpty(): boolean {
    return this.#sent.length === 0;
  }

  /** Appends `message` as the newest. A repetition of the newest message is not added. */
  add(message: Message): void {
    if (message.text !== '' && !isSame(this.#sent.at(-1), message)) {
      this.#keep([...this.#sent, message].slice(-longestHistory));
    }
    this.#at = this.#sent.length;
    this.#draft = null;
  }

  /**
   * Returns the previous message, or null at the oldest.
   *
   * @param current Content of the field. Kept as draft if the user typed it.
   */
  older(current: Message): Message | null {
    if (this.#at === 0) {
      return null;
    }
    if (this.#at === this.#sent.length) {
      this.#draft = current;
    }
    this.#at--;
    return this.#sent[this.#at] ?? null;
  }

  /** Returns the next message, the draft after the newest message, or null at the draft. */
  newer(): Message | null {
    if (this.#at === this.#sent.length) {
      return null;
    }
    this.#at++;
    return this.#sent[this.#at] ?? this.#draft;
  }

  /**
   * Returns the messages that contain `query`, the newest first and each text once. Upper and lower case are the same.
   */
  find(query: string): readonly Message[] {
    const wanted = query.toLowerCase();
    const found = this.#sent.filter(({ text }) => text.toLowerCase().includes(wanted)).reverse();
    return found.filter((message, index) => found.findIndex((other) => isSame(other, message)) === index);
  }

  /** Deletes every message, from the tab's storage as well. */
  forget(): void {
    this.#keep([]);
    this.#at = 0;
    this.#draft = null;
  }

  #keep(sent: readonly Message[]): void {
    this.#sent = sent;
    this.#saving(() =>
      sent.length === 0
        ? this.#storage.removeItem(storageKey)
        : this.#storage.setItem(storageKey, JSON.stringify({ version, sent })),
    );
  }
}

function isSame(a: Message | undefined, b: Message): boolean {
  return a?.text === b.text && a.mode === b.mode && a.lineEnding === b.lineEnding;
}

function read(stored: string | null): readonly Message[] {
  const { version: written, sent } = fieldsOf(parseJson(stored ?? 'null'));
  return written === version && Array.isArray(sent) ? sent.flatMap(readMessage).slice(-longestHistory) : [];
}

function readMessage(stored: unknown): Message[] {
  const { text, ...how } = fieldsOf(stored);
  const mode = sendModes.find((known) => known === how['mode']);
  const lineEnding = lineEndings.find((known) => known === how['lineEnding']);
  return typeof text === 'string' && text !== '' && mode !== undefined && lineEnding !== undefined
    ? [{ text, mode, lineEnding }]
    : [];
}
