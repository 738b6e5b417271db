/**
 * Removes from a stream what a terminal does not draw: control strings such as the marks of OSC 3008 and OSC 133, and
 * control sequences that do not edit their line, colours included. The result does not depend on how the stream is
 * cut, and a sequence without an end costs at most `MAX_HELD` bytes.
 */
import { ByteList } from './byte-list.ts';
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
  lineEdit,
  OPEN_BRACKET,
  SPACE,
} from './control-sequences.ts';

/** Most bytes of an unfinished sequence that are held. An edit of a line has one short parameter. */
const MAX_HELD = 64;

export class DrawnBytes {
  #state: 'text' | 'escape' | 'sequence' | 'string' | 'string-escape' = 'text';
  /** Bytes of the sequence that has begun, from its ESC on. */
  #held: number[] = [];

  /** Takes the next piece of the stream. Returns the bytes that are drawn, in their order. */
  take(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = new ByteList(bytes.length + MAX_HELD);
    for (const byte of bytes) {
      this.#take(byte, out);
    }
    return out.take(out.length);
  }

  #take(byte: number, out: ByteList): void {
    switch (this.#state) {
      case 'text':
        if (byte === ESCAPE) {
          this.#begin();
        } else {
          out.push(byte);
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
          this.#take(byte, out);
        }
    }
  }

  #begin(): void {
    this.#state = 'escape';
    this.#held = [ESCAPE];
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
        // This ESC begins no control function: it is drawn as `\x1b`.
        out.pushAll(Uint8Array.from(this.#held), 0, this.#held.length);
        this.#take(byte, out);
      }
    }
  }

  #inSequence(byte: number, out: ByteList): void {
    if (isFinal(byte)) {
      this.#state = 'text';
      const isWhole = this.#held.length < MAX_HELD;
      const sequence = Uint8Array.of(...this.#held, byte);
      if (isWhole && lineEdit(sequence, 0, sequence.length) !== null) {
        out.pushAll(sequence, 0, sequence.length);
      }
    } else if (byte < SPACE || byte > LAST_FINAL) {
      // This byte cannot be in a sequence: it ends it and is read by itself.
      this.#state = 'text';
      this.#take(byte, out);
    } else {
      this.#hold(byte);
    }
  }

  /** A string that was cut short ends with its line, so that it does not swallow the lines behind it. */
  #inString(byte: number, out: ByteList): void {
    if (byte === ESCAPE) {
      this.#state = 'string-escape';
    } else if (byte === LINE_FEED) {
      this.#state = 'text';
      out.push(byte);
    } else if (byte === BELL || cancelsString(byte)) {
      this.#state = 'text';
    }
  }
}
