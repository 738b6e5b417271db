/** The program on a pseudo-terminal whose far end the test holds. */
import { fileURLToPath } from 'node:url';
import { type ProgramProcess, type ProgramStart, startProgram } from '@wirebench/server/testing/program-process.ts';
import { onTestFinished } from 'vitest';
import { PluggedTerminal } from '../../../../packages/node-port/src/testing/plugged-terminal.ts';

export const programFile = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts `wirebench` and ends it with the test. */
export function wirebench(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  place: Pick<ProgramStart, 'folder' | 'input'> = {},
): ProgramProcess {
  const program = startProgram({ file: programFile, args, environment, ...place });
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

/** Runs `wirebench` in a folder to its end. `output` is the standard output alone. */
export async function ranIn(
  folder: string,
  args: readonly string[],
  input?: string,
): Promise<{ readonly code: number | null; readonly text: string; readonly output: string }> {
  const program = wirebench(args, {}, { folder, ...(input !== undefined && { input }) });
  const code = await program.exited;
  return { code, text: program.text(), output: program.output() };
}

/** Plugs a pseudo-terminal in and removes it with the test. */
export async function plugged(): Promise<PluggedTerminal> {
  const terminal = await PluggedTerminal.plugged();
  onTestFinished(() => terminal.close());
  return terminal;
}

export const utf8 = (text: string) => new TextEncoder().encode(text);
