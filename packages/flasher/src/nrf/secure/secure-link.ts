/**
 * Exchanges requests and answers of secure DFU over a port, one at a time. After silence, a ping with its own number
 * separates new answers from old ones.
 */
import type { ExpectedBytes } from '@wirebench/port';
import { AnswerQueue } from '../answer-queue.ts';
import type { NrfPort } from '../connect/nrf-port.ts';
import { deadlines } from '../deadlines.ts';
import { type Answer, op, readAnswer, requestFrame, success } from './messages.ts';

const END = 0xc0;
const ESC = 0xdb;
const ESC_END = 0xdc;
const ESC_ESC = 0xdd;
/**
 * Longest frame in bytes. Answers have at most 20 bytes of data (`hardwareVersion`); longer ones are a program's
 * output.
 */
const LONGEST = 64;

interface AnswerSink {
  answer(answer: Answer): void;
  /** Receives text. The bytes are valid during the call only. */
  text(bytes: Uint8Array): void;
}

/**
 * Decodes SLIP frames of nRF5 SDK bootloaders, which have a delimiter after each frame and none before (nRF5 SDK
 * 17.1, "SLIP library"). Bytes that do not begin like an answer are a program's text.
 */
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

export class SecureLink {
  readonly port: NrfPort;
  readonly #answers: AnswerQueue<Answer>;
  #pings = 0;

  constructor(port: NrfPort, onText: (bytes: Uint8Array) => void) {
    this.port = port;
    const frames = new AnswerFrames({
      answer: (answer) => this.#answers.push(answer),
      text: onText,
    });
    this.#answers = new AnswerQueue(port, (bytes) => frames.push(bytes));
  }

  /**
   * Sends frames that are answered together or by the last one.
   *
   * @param after Bytes that the board has to send first. Null: earlier answers are dropped.
   */
  write(frames: Uint8Array, after: ExpectedBytes | null = null): void {
    if (after === null) {
      this.#answers.clear();
    }
    this.port.write(frames, after);
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param limit Milliseconds, in addition to the time on the wire.
   * @returns null if no answer came in time.
   * @throws PortError, or the reason of the signal.
   */
  async request(
    opcode: number,
    parameters: readonly Uint8Array[],
    { limit, signal }: { limit: number; signal: AbortSignal },
  ): Promise<Answer | null> {
    const frame = requestFrame(opcode, ...parameters);
    this.write(frame);
    return this.answerTo(opcode, limit + this.port.bytes.wireTime(frame.length), signal);
  }

  /** Returns the next answer to `opcode`. Answers to other requests belong to abandoned ones and are dropped. */
  answerTo(opcode: number, limit: number, signal: AbortSignal): Promise<Answer | null> {
    return this.#answers.take((answer) => answer.op === opcode, limit, signal);
  }

  /** Sends up to `tries` pings, and returns true if a bootloader answers. Afterwards no earlier answer is under way. */
  async ping(signal: AbortSignal, tries: number): Promise<boolean> {
    for (let attempt = 0; attempt < tries; attempt++) {
      this.#pings = (this.#pings + 1) % 256;
      const id = this.#pings;
      this.write(requestFrame(op.ping, Uint8Array.of(id)));
      // A bootloader without the ping command answers with an error, which counts.
      const isMine = ({ op: opcode, result, data }: Answer) =>
        opcode === op.ping && (result !== success || data[0] === id);
      if ((await this.#answers.take(isMine, deadlines.probe, signal)) !== null) {
        this.#answers.clear();
        return true;
      }
    }
    return false;
  }
}
