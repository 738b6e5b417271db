/** Answers of a board to what is written to a scripted port, by the bytes that are written. */
import { fromHex } from './from-hex.ts';
import type { ScriptedPort } from './scripted-port.ts';

/** What is written and what comes then, both in hexadecimal; the first entry that fits and is not used up. */
export type ScriptedAnswer = readonly [written: string, answer: string, times?: number];

/** @returns what was written without an answer. */
export function answerBy(port: ScriptedPort, answers: readonly ScriptedAnswer[]): string[] {
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
