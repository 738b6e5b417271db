/** Scripted answers of a board to the bytes that are written to its port. */
import type { FakeSerialPort } from '@wirebench/port/testing';
import { encodeFrame } from '../slip.ts';
import { fromHex } from './from-hex.ts';

/** Bytes written and the answer to them, both in hexadecimal. The first matching entry with uses left applies. */
export type ScriptedAnswer = readonly [written: string, answer: string, times?: number];

/**
 * Makes `port` answer by the script.
 *
 * @returns the writes that matched no entry, which grow with each such write.
 */
export function answerBy(port: FakeSerialPort, answers: readonly ScriptedAnswer[]): string[] {
  const left = answers.map(([written, answer, times = Number.POSITIVE_INFINITY]) => ({ written, answer, times }));
  const unanswered: string[] = [];
  port.onWrite = (bytes) => {
    const text = Buffer.from(bytes).toString('hex');
    const found = left.find(({ written, times }) => written === text && times > 0);
    if (found === undefined) {
      unanswered.push(text);
      return;
    }
    found.times--;
    if (found.answer !== '') {
      port.receive(fromHex(found.answer));
    }
  };
  return unanswered;
}

/** Sends SLIP frames from the board. Each is given in hexadecimal, without its delimiters. */
export function sendFrames(port: FakeSerialPort, ...frames: readonly string[]): void {
  for (const frame of frames) {
    port.receive(encodeFrame(fromHex(frame)));
  }
}
