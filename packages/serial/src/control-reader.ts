/**
 * Reads a stream with control functions (ECMA-48) byte by byte, however it is cut. Control strings are dropped: OSC, DCS,
 * SOS, PM and APC. A string that was cut short ends with its line, so that it does not swallow what follows.
 */
import type { ByteList } from './byte-list.ts';
import {
  BACKSLASH,
  BELL,
  beginsString,
  cancelsString,
  ESCAPE,
  isFinal,
  isIntermediate,
  LAST_FINAL,
  LINE_FEED,
  OPEN_BRACKET,
  SPACE,
} from './control-sequences.ts';

/** Most bytes of a control function that are held. Longer ones are dropped. */
export const MAX_HELD = 64;

interface ControlEvents {
  /** A byte outside of control functions. */
  readonly text: (byte: number, out: ByteList) => void;
  /** A control sequence, from its ESC to its final byte. */
  readonly sequence: (sequence: Uint8Array, out: ByteList) => void;
  /** An escape sequence without parameters, such as ESC 7 or ESC ( B. */
  readonly escape: (sequence: Uint8Array, out: ByteList) => void;
  /** The bytes from an ESC on that begins no control function. */
  readonly stray: (bytes: Uint8Array, out: ByteList) => void;
}

export class ControlReader {
  readonly #events: ControlEvents;
  #state: 'text' | 'escape' | 'sequence' | 'string' | 'string-escape' = 'text';
  /** Bytes of the function that has begun, from its ESC on. */
  #held: number[] = [];
  /** Bytes behind the ESC. */
  #length = 0;
  readonly #longest: number;

  /** @param longest Most bytes of a control function or string. The bytes behind them are text again. */
  constructor(events: ControlEvents, longest = Number.POSITIVE_INFINITY) {
    this.#events = events;
    this.#longest = longest;
  }

  /** @param out Receives what the events keep of the byte. */
  take(byte: number, out: ByteList): void {
    if (this.#state !== 'text' && ++this.#length > this.#longest) {
      this.#state = 'text';
    }
    switch (this.#state) {
      case 'text':
        if (byte === ESCAPE) {
          this.#begin();
        } else {
          this.#events.text(byte, out);
        }
        return;
      case 'escape':
        this.#behindEscape(byte, out);
        return;
      case 'sequence':
        this.#inSequence(byte, out);
        return;
      case 'string':
        this.#inString(byte, out);
        return;
      case 'string-escape':
        if (byte === BACKSLASH) {
          this.#state = 'text';
        } else {
          // The ESC has cancelled the string, and begins something else.
          this.#begin();
          this.take(byte, out);
        }
    }
  }

  #begin(): void {
    this.#state = 'escape';
    this.#held = [ESCAPE];
    this.#length = 0;
  }

  #hold(byte: number): void {
    if (this.#held.length < MAX_HELD) {
      this.#held.push(byte);
    }
  }

  #behindEscape(byte: number, out: ByteList): void {
    const isFirst = this.#held.length === 1;
    if (isFirst && byte === OPEN_BRACKET) {
      this.#state = 'sequence';
      this.#hold(byte);
    } else if (isFirst && beginsString(byte)) {
      this.#state = 'string';
    } else if (isFirst && byte === ESCAPE) {
      this.#begin();
    } else if (isIntermediate(byte)) {
      this.#hold(byte);
    } else {
      this.#state = 'text';
      if (byte < SPACE || byte > LAST_FINAL) {
        this.#events.stray(Uint8Array.from(this.#held), out);
        this.take(byte, out);
      } else {
        this.#end(byte, out, this.#events.escape);
      }
    }
  }

  #inSequence(byte: number, out: ByteList): void {
    if (isFinal(byte)) {
      this.#state = 'text';
      this.#end(byte, out, this.#events.sequence);
    } else if (byte < SPACE || byte > LAST_FINAL) {
      // This byte cannot be in a sequence: it ends it and is read by itself.
      this.#state = 'text';
      this.take(byte, out);
    } else {
      this.#hold(byte);
    }
  }

  #end(final: number, out: ByteList, event: ControlEvents['sequence']): void {
    if (this.#held.length < MAX_HELD) {
      event(Uint8Array.of(...this.#held, final), out);
    }
  }

  #inString(byte: number, out: ByteList): void {
    if (byte === ESCAPE) {
      this.#state = 'string-escape';
    } else if (byte === LINE_FEED) {
      this.#state = 'text';
      this.#events.text(byte, out);
    } else if (byte === BELL || cancelsString(byte)) {
      this.#state = 'text';
    }
  }
}
