/**
 * Runs messages one after the other, with waits for answers, pauses and repetitions. Independent of panels and texts:
 * ports and time come from the caller as `RunPort`.
 */
import type { AnswerOutcome, AwaitedAnswer } from '@wirebench/serial';
import type { FileWay } from '../model/pinned-message.ts';

export interface RunStep {
  readonly messageId: string;
  readonly bytes: Uint8Array;
  /** Bytes or prompt to wait for. Null: do not wait. */
  readonly answer: AwaitedAnswer | null;
  /** Way to send the message's file after its answer. Null: it has none. */
  readonly fileBy: FileWay | null;
  /** Timeout for the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Pause after each sending, in milliseconds. Skipped after the last sending of the run. */
  readonly delayMs: number;
  /** Number of times that the message is sent in a row. */
  readonly repeat: number;
}

/** The port that a run sends to. A rejected call ends the run. */
export interface RunPort {
  send(bytes: Uint8Array): Promise<void>;
  ask(bytes: Uint8Array, answer: AwaitedAnswer, timeout: number, signal: AbortSignal): Promise<AnswerOutcome>;
  /** Waits for `duration` milliseconds. Resolves early if the signal aborts. */
  pause(duration: number, signal: AbortSignal): Promise<void>;
}

export interface FilePort {
  /**
   * Sends the file that was chosen for the message. Returns true if the board has all of it. Resolves soon after the
   * signal aborts.
   */
  sendFile(messageId: string, by: FileWay, signal: AbortSignal): Promise<boolean>;
}

export type StepResult = { readonly kind: 'sent' | 'file-sent' | 'file-failed' } | AnswerOutcome;

export interface RunEvents {
  /** @param step Index of the step, from 0. */
  readonly begun: (step: number) => void;
  readonly result: (step: number, result: StepResult) => void;
}

export type RunEnd =
  /**
   * @property sent Messages sent in total.
   * @property answered Messages whose expected answer arrived.
   * @property files Files sent in total.
   */
  | { readonly kind: 'done'; readonly sent: number; readonly answered: number; readonly files: number }
  | { readonly kind: 'no-answer' | 'closed' | 'file-failed'; readonly step: number }
  | { readonly kind: 'cancelled' };

/** Runs until all messages are sent, an answer times out, a file is not sent, the connection ends, or `signal` aborts. */
export async function runSteps(
  steps: readonly RunStep[],
  port: RunPort & FilePort,
  signal: AbortSignal,
  events: RunEvents,
): Promise<RunEnd> {
  let sent = 0;
  let answered = 0;
  let files = 0;
  let pause = 0;
  for (const [place, step] of steps.entries()) {
    for (let round = 0; round < step.repeat; round++) {
      if (pause > 0) {
        await port.pause(pause, signal);
      }
      if (signal.aborted) {
        return { kind: 'cancelled' };
      }
      events.begun(place);
      const result = await send(step, port, signal);
      if (result.kind === 'cancelled') {
        return result;
      }
      events.result(place, result);
      if (result.kind === 'no-answer' || result.kind === 'closed') {
        return { kind: result.kind, step: place };
      }
      sent++;
      answered += result.kind === 'answered' ? 1 : 0;
      if (step.fileBy !== null) {
        const isSent = await port.sendFile(step.messageId, step.fileBy, signal);
        if (signal.aborted) {
          return { kind: 'cancelled' };
        }
        events.result(place, { kind: isSent ? 'file-sent' : 'file-failed' });
        if (!isSent) {
          return { kind: 'file-failed', step: place };
        }
        files++;
      }
      pause = step.delayMs;
    }
  }
  return { kind: 'done', sent, answered, files };
}

async function send(step: RunStep, port: RunPort, signal: AbortSignal): Promise<StepResult> {
  if (step.answer !== null) {
    return port.ask(step.bytes, step.answer, step.timeoutMs, signal);
  }
  await port.send(step.bytes);
  return { kind: 'sent' };
}
