/** The program as a process, as people start it. */
import { fileURLToPath } from 'node:url';
import {
  type ProgramProcess,
  type ProgramStart,
  startProgram as start,
} from '@wirebench/server/testing/program-process.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** @param options without a file: the source. */
export function startProgram(
  options: Omit<ProgramStart, 'file'> & Partial<Pick<ProgramStart, 'file'>>,
): ProgramProcess {
  return start({ file: main, ...options });
}
