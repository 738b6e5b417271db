/**
 * Runs messages one after the other, with waits for answers, pauses and repetitions. Independent of panels and texts:
 * ports and time come from the caller as `RunPort`.
 */
import type { AnswerOutcome, AwaitedAnswer } from '@wirebench/serial';

export interface RunStep {
  readonly messageId: string;
  readonly bytes: Uint8Array;
  /** Bytes or prompt to wait for. Null: do not wait. */
  readonly answer: AwaitedAnswer | null;
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

export type StepResult = { readonly kind: 'sent' } | AnswerOutcome;

export interface RunEvents {
  /** @param step Index of the step, from 0. */
  readonly begun: (step: number) => void;
  readonly result: (step: number, result: StepResult) => void;
}

export type RunEnd =
  /** @property sent Messages sent in total. @property answered Messages whose expected answer arrived. */
  | { readonly kind: 'done'; readonly sent: number; readonly answered: number }
  | { readonly kind: 'no-answer' | 'closed'; readonly step: number }
  | { readonly kind: 'cancelled' };

/** Runs until all messages are sent, an answer times out, the connection ends, or `signal` aborts. */
export async function runSteps(
  steps: readonly RunStep[],
  port: RunPort,
  signal: AbortSignal,
  events: RunEvents,
): Promise<RunEnd> {
  let sent = 0;
  let answered = 0;
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
      pause = step.delayMs;
    }
  }
  return { kind: 'done', sent, answered };
}

async function send(step: RunStep, port: RunPort, signal: AbortSignal): Promise<StepResult> {
  if (step.answer !== null) {
    return port.ask(step.bytes, step.answer, step.timeoutMs, signal);
  }
  await port.send(step.bytes);
  return { kind: 'sent' };
}
