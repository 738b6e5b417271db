/** The program on a pseudo-terminal whose far end the test holds. */
import { fileURLToPath } from 'node:url';
import { type ProgramProcess, startProgram } from '@wirebench/server/testing/program-process.ts';
import { onTestFinished } from 'vitest';
import { PluggedTerminal } from '../../../../packages/node-port/src/testing/plugged-terminal.ts';

export const programFile = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts `wirebench` and ends it with the test. */
export function wirebench(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ProgramProcess {
  const program = startProgram({ file: programFile, args, environment });
  onTestFinished(() => program[Symbol.asyncDispose]());
  return program;
}

/** Runs `wirebench` to its end. `text` is all that it has printed. */
export async function ran(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly text: string }> {
  const program = wirebench(args);
  const code = await program.exited;
  return { code, text: program.text() };
}

/** Plugs a pseudo-terminal in and removes it with the test. */
export async function plugged(): Promise<PluggedTerminal> {
  const terminal = await PluggedTerminal.plugged();
  onTestFinished(() => terminal.close());
  return terminal;
}

export const utf8 = (text: string) => new TextEncoder().encode(text);
