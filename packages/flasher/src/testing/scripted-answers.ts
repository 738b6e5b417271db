/** Answers of a board to what is written to a port. */
import type { FakeSerialPort } from '@wirebench/serial/testing';
import { encodeFrame } from '../slip.ts';
import { fromHex } from './from-hex.ts';

/** What is written and what comes then, both in hexadecimal; the first entry that fits and is not used up. */
export type ScriptedAnswer = readonly [written: string, answer: string, times?: number];

/** @returns what was written without an answer. */
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

/** The board sends SLIP frames; each is given without its delimiters, in hexadecimal. */
export function sendFrames(port: FakeSerialPort, ...frames: readonly string[]): void {
  for (const frame of frames) {
    port.receive(encodeFrame(fromHex(frame)));
  }
}
