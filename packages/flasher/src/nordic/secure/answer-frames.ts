/**
 * Decodes SLIP frames of nRF5 SDK bootloaders, which have a delimiter after each frame and none before (nRF5 SDK
 * 17.1, "SLIP library"). Bytes that do not begin like an answer are a program's text.
 */
import { type Answer, readAnswer } from './messages.ts';

const END = 0xc0;
const ESC = 0xdb;
const ESC_END = 0xdc;
const ESC_ESC = 0xdd;
/**
 * Longest frame in bytes. Answers have at most 20 bytes of data (`hardwareVersion`); longer ones are a program's
 * output.
 */
const LONGEST = 64;

export interface AnswerSink {
  answer(answer: Answer): void;
  /** Receives text. The bytes are valid during the call only. */
  text(bytes: Uint8Array): void;
}

export class AnswerFrames {
  readonly #sink: AnswerSink;
  /** Received bytes, including escapes. */
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

  /** Passes an unfinished frame on as text. */
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

/** Returns null for an invalid escape. */
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
