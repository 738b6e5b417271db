/** Checks pasted lines, and sends them one after the other. */

import { type RunEnd, type RunPort, type RunStep, runSteps } from '@wirebench/runs';
import type { Paste, PasteOutcome } from '../../../protocol/bench/job-part.ts';
import { encodeTyped, type TypedAs } from './send-message.ts';

/** Longest wait for the prompt after a line, in milliseconds. */
const promptTimeout = 10_000;

/** Returns the first line that cannot be sent, as a sentence; null if all can. Pasted lines may have any length. */
export function pasteFault(lines: readonly string[], how: TypedAs): string | null {
  for (const [index, line] of lines.entries()) {
    const encoded = encodeTyped(line, how, true);
    if (!encoded.ok) {
      return `Line ${index + 1}: ${encoded.message}`;
    }
  }
  return null;
}

/**
 * Way of pasted lines: a wait for the prompt after each, a pause in milliseconds, or Python's paste mode, in which the
 * board runs them as a file.
 */
export type PasteWay = { readonly prompt: string } | { readonly pause: number } | 'code';

export type PasteEnd =
  | { readonly kind: 'no-prompt'; readonly sent: number }
  | PasteOutcome
  /** @property message Reason of the port. */
  | { readonly kind: 'failed'; readonly sent: number; readonly message: string };

/** Control characters but tabs. Ctrl+C and Ctrl+D would end Python's paste mode. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds
const unpastable = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Returns the first line that paste mode does not take, as a sentence; null if it takes all. */
export function codeFault(lines: readonly string[]): string | null {
  const line = lines.findIndex((text) => unpastable.test(text)) + 1;
  return line === 0 ? null : `Line ${line}: paste mode takes no control characters but tabs.`;
}

/** Returns what the bench pastes. The lines have no fault. */
export function pasteOf(
  lines: readonly string[],
  how: TypedAs,
  pause: number | null,
  hidden: boolean | undefined,
): Paste {
  if (pause === null) {
    return { kind: 'code', lines };
  }
  const encoded = lines.map((line) => encodeTyped(line, how, true));
  return { kind: 'lines', lines: encoded.flatMap((line) => (line.ok ? [line.bytes] : [])), pause, hidden };
}

export interface PromptedRun {
  /** Lines without a fault. */
  readonly lines: readonly string[];
  readonly how: TypedAs;
  readonly prompt: string;
  readonly port: RunPort;
  readonly signal: AbortSignal;
  /** Receives the number of lines that the port has taken. */
  readonly onSent: (sent: number) => void;
}

/** Lines have no flow, so that some ends do not come. */
const endKinds = {
  done: 'done',
  'no-answer': 'no-prompt',
  closed: 'closed',
  cancelled: 'cancelled',
  'file-failed': 'closed',
  'too-many-jumps': 'closed',
  'too-long': 'closed',
  'not-captured': 'closed',
  spent: 'closed',
  stopped: 'closed',
} as const satisfies Record<RunEnd['kind'], 'done' | 'no-prompt' | 'closed' | 'cancelled'>;

/** Sends lines until all went, the prompt stays away, the port closes, or `signal` aborts. */
export async function sendLines({ lines, how, prompt, port, signal, onSent }: PromptedRun): Promise<PasteEnd> {
  let sent = 0;
  const count = (change: 1 | -1) => {
    sent += change;
    onSent(sent);
  };
  const counting: RunPort = {
    exchange: async (exchange, until) => {
      // The line is on its way at once, and the wait for the prompt may be long.
      count(1);
      try {
        return await port.exchange(exchange, until);
      } catch (error) {
        count(-1);
        throw error;
      }
    },
    pause: (duration, until) => port.pause(duration, until),
  };
  const steps = lines.map((line, index): RunStep => {
    const encoded = encodeTyped(line, how, true);
    return {
      messageId: `${index}`,
      bytes: encoded.ok ? encoded.bytes : new Uint8Array(),
      answer: { kind: 'prompt', prompt },
      fileBy: null,
      timeoutMs: promptTimeout,
      delayMs: 0,
      repeat: 1,
    };
  });
  try {
    const { kind } = await runSteps(steps, counting, signal, { begun: () => undefined, result: () => undefined });
    // A command that restarts the board may be the last one.
    const isWhole = sent === lines.length && kind !== 'cancelled';
    return { kind: isWhole ? 'done' : endKinds[kind], sent };
  } catch (error) {
    return { kind: 'failed', sent, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the sentence about a paste that has ended. */
export function pasteEndText(end: PasteEnd, total: number, port: string, way: PasteWay): string {
  const isCode = way === 'code';
  const went = isCode ? 'nothing of the code ran' : `${end.sent} of ${total} lines went`;
  switch (end.kind) {
    case 'done':
      return isCode ? `${total} lines of Python run on ${port}` : `${total} lines sent to ${port}`;
    case 'cancelled':
      return isCode ? `Stopped: ${went} on ${port}.` : `Stopped: ${went} to ${port}.`;
    case 'closed':
      return `${port} was closed: ${isCode ? 'the code was not pasted whole' : went}.`;
    case 'no-prompt':
      return `${isPrompted(way) ? way.prompt : 'The prompt'} did not come back within ${promptTimeout / 1_000} s: ${went} to ${port}.`;
    case 'no-paste-mode':
      return `${port} did not open Python's paste mode, and nothing was pasted. A program may be running, or a line half typed: press Ctrl+C in the Screen, then paste again.`;
    case 'lost':
      return `The board on ${port} did not echo line ${end.line} whole, so ${went}. It may have lost a byte, or have too little memory.`;
    case 'no-answer':
      return `The board on ${port} echoed all ${total} lines, but did not answer Ctrl+D. The log shows whether they run.`;
    case 'failed':
      return `${end.message.replace(/\.$/, '')}: ${went} to ${port}.`;
  }
}

const isPrompted = (way: PasteWay): way is { readonly prompt: string } => typeof way === 'object' && 'prompt' in way;
