/** The program stm32flash, where it is installed, and a part served to it as a serial port. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { canCall, servePseudoTerminal, socatCall } from '../../testing/pseudo-terminal.ts';
import type { StmDevice } from '../stm-device.ts';

/** Whether it and socat can be called. */
export function hasStm32flash(): boolean {
  return canCall(['stm32flash', '-h'], socatCall);
}

export interface ServedPart {
  /** Runs stm32flash with these arguments, and gives what it printed. Rejects when it fails. */
  run(...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** @param link where the pseudo-terminal appears */
export async function serveToStm32flash(device: StmDevice, link: string): Promise<ServedPart> {
  const terminal = await servePseudoTerminal(device, link);
  return {
    run: async (...args) => {
      // A pseudo-terminal has no parity: what it carries stands for the bytes of 8E1.
      const { stdout } = await promisify(execFile)('stm32flash', ['-m', '8n1', ...args, link], { timeout: 100_000 });
      return stdout;
    },
    close: () => terminal.close(),
  };
}
