/** Starts the program as a process of its own, as users do. */
import { fileURLToPath } from 'node:url';
import {
  type ProgramProcess,
  type ProgramStart,
  startProgram as start,
} from '@wirebench/server/testing/program-process.ts';

const main = fileURLToPath(new URL('../remote-port.ts', import.meta.url));

/** @param options Without `file`, the program runs from its source. */
export function startProgram(
  options: Omit<ProgramStart, 'file'> & Partial<Pick<ProgramStart, 'file'>>,
): ProgramProcess {
  return start({ file: main, ...options });
}
