/**
 * SLIP frames as the bootloaders of the nRF5 SDK send them: with a delimiter behind each frame and none before (nRF5 SDK 17.1, "SLIP
 * library"). What does not begin like an answer is text of a program. Takes bytes in any split.
 */
import { type Answer, readAnswer } from './messages.ts';

const END = 0xc0;
const ESC = 0xdb;
const ESC_END = 0xdc;
const ESC_ESC = 0xdd;
/** No answer has more than 20 bytes of data (`hardwareVersion`); what is longer is a program that talks. */
const LONGEST = 64;

export interface AnswerSink {
  answer(answer: Answer): void;
  /** Good until the call ends. */
  text(bytes: Uint8Array): void;
}

export class AnswerFrames {
  readonly #sink: AnswerSink;
  /** As they came, escapes included. */
  #raw: number[] = [];

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === END) {
        this.#end();
      } else {
        this.#raw.push(byte);
        if (this.#raw.length > LONGEST) {
          this.flush();
        }
      }
    }
  }

  /** What has come of a frame is text, as nothing more will come of it. */
  flush(): void {
    if (this.#raw.length > 0) {
      this.#sink.text(Uint8Array.from(this.#raw));
    }
    this.#raw = [];
  }

  #end(): void {
    const frame = unescaped(this.#raw);
    const answer = frame === null ? null : readAnswer(frame);
    if (answer === null) {
      this.flush();
      return;
    }
    this.#raw = [];
    this.#sink.answer(answer);
  }
}

/** Null when an escape is none. */
function unescaped(raw: readonly number[]): Uint8Array | null {
  const frame: number[] = [];
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at] ?? 0;
    if (byte !== ESC) {
      frame.push(byte);
      continue;
    }
    const next = raw[++at];
    if (next !== ESC_END && next !== ESC_ESC) {
      return null;
    }
    frame.push(next === ESC_END ? END : ESC);
  }
  return Uint8Array.from(frame);
}
