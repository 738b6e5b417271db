/** The program avrdude, if it is installed, and a board served to it over TCP. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemClock } from '@wirebench/clock';
import { serveOverTcp } from '../../serve/tcp-server.ts';
import { canCall } from '../../testing/pseudo-terminal.ts';
import type { AvrDevice } from '../avr-device.ts';
import type { AvrBoardName } from '../boards.ts';

/** Programmer and part of each board (Arduino's AVR core, `boards.txt`). */
const programmers: Readonly<Record<AvrBoardName, readonly string[]>> = {
  'arduino-uno': ['-c', 'arduino', '-p', 'm328p'],
  'arduino-nano': ['-c', 'arduino', '-p', 'm328p'],
  'arduino-mega': ['-c', 'wiring', '-p', 'm2560'],
  'arduino-leonardo': ['-c', 'avr109', '-p', 'm32u4'],
};

/** True if avrdude can be called. */
export function hasAvrdude(): boolean {
  return canCall(['avrdude', '-?']);
}

export interface ServedBoard {
  /** Runs avrdude with these arguments and returns its output. Rejects if it fails. */
  run(...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Serves a board. TCP carries no DTR, so the board needs the option `resetAtOpen`. */
export async function serveToAvrdude(device: AvrDevice): Promise<ServedBoard> {
  const service = await serveOverTcp({ device, clock: systemClock, pace: 'none', port: 0 });
  return {
    run: async (...args) => {
      const call = [...programmers[device.name], '-P', `net:127.0.0.1:${service.port}`, '-D', ...args];
      // avrdude writes its messages to the error output.
      const { stdout, stderr } = await promisify(execFile)('avrdude', call, { timeout: 50_000 });
      return stdout + stderr;
    },
    close: () => service.close(),
  };
}
