/** Divides pasted text into messages, checks them, and sends them one after the other. */
import { parseHexInput } from '@wirebench/serial';
import { type RunEnd, type RunPort, type RunStep, runSteps } from '../panels/run/run-steps.ts';
import { encodeTyped, type TypedAs } from './send-message.ts';

/** Longest wait for the prompt after a line, in milliseconds. */
const promptTimeout = 10_000;

/** Pause after a line, in milliseconds. */
export const pauseLimits = { usual: 50, least: 0, most: 60_000 } as const;

/**
 * Returns the lines of pasted text. Empty lines at the end are left out. Hex: lines without bytes, such as comments,
 * are left out.
 */
export function pastedLines(text: string, { mode }: Pick<TypedAs, 'mode'>): readonly string[] {
  const content = mode === 'hex' ? text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ') : text;
  const lines = content.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/);
  return mode === 'hex' ? lines.filter((line) => parseHexInput(line)?.bytes.length !== 0) : lines;
}

/** Joins lines to one message. */
export function joinedLines(lines: readonly string[]): string {
  return lines.map((line) => line.trimEnd()).join(' ');
}

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

/** Step after each line: a wait for the prompt, or a pause in milliseconds. */
export type AfterLine = { readonly prompt: string } | { readonly pause: number };

export type PasteEnd =
  | { readonly kind: 'done' | 'cancelled' | 'closed' | 'no-prompt'; readonly sent: number }
  /** @property message Reason of the port. */
  | { readonly kind: 'failed'; readonly sent: number; readonly message: string };

export interface PasteRun {
  /** Lines without a fault. */
  readonly lines: readonly string[];
  readonly how: TypedAs;
  readonly after: AfterLine;
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
} as const satisfies Record<RunEnd['kind'], PasteEnd['kind']>;

/** Sends lines until all went, the prompt stays away, the port closes, or `signal` aborts between two of them. */
export async function sendLines({ lines, how, after, port, signal, onSent }: PasteRun): Promise<PasteEnd> {
  let sent = 0;
  const count = (change: 1 | -1) => {
    sent += change;
    onSent(sent);
  };
  const counting: RunPort = {
    exchange: async (exchange, until) => {
      const waits = exchange.answers.length > 0;
      if (waits) {
        // The line is on its way at once, and the wait for the prompt may be long.
        count(1);
      }
      try {
        const outcome = await port.exchange(exchange, until);
        if (!waits && outcome.kind === 'sent') {
          count(1);
        }
        return outcome;
      } catch (error) {
        if (waits) {
          count(-1);
        }
        throw error;
      }
    },
    pause: (duration, until) => port.pause(duration, until),
  };
  const steps = lines.map((line, index): RunStep => {
    const encoded = encodeTyped(line, how, true);
    const awaits = 'prompt' in after;
    return {
      messageId: `${index}`,
      bytes: encoded.ok ? encoded.bytes : new Uint8Array(),
      answer: awaits ? { kind: 'prompt', prompt: after.prompt } : null,
      fileBy: null,
      timeoutMs: promptTimeout,
      delayMs: awaits ? 0 : after.pause,
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
export function pasteEndText(end: PasteEnd, total: number, port: string, prompt: string | null): string {
  const went = `${end.sent} of ${total} lines went`;
  switch (end.kind) {
    case 'done':
      return `${total} lines sent to ${port}`;
    case 'cancelled':
      return `Stopped: ${went} to ${port}.`;
    case 'closed':
      return `${port} was closed: ${went}.`;
    case 'no-prompt':
      return `${prompt ?? 'The prompt'} did not come back within ${promptTimeout / 1_000} s: ${went} to ${port}.`;
    case 'failed':
      return `${end.message.replace(/\.$/, '')}: ${went} to ${port}.`;
  }
}
