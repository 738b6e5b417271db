/** The program stm32flash, if it is installed, and a part served to it as a serial port. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { canCall, servePseudoTerminal, socatCall } from '../../testing/pseudo-terminal.ts';
import type { StmDevice } from '../stm-device.ts';

/** True if stm32flash and socat can be called. */
export function hasStm32flash(): boolean {
  return canCall(['stm32flash', '-h'], socatCall);
}

export interface ServedPart {
  /** Runs stm32flash with these arguments and returns its output. Rejects if it fails. */
  run(...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/**
 * Serves a part.
 * @param device The part.
 * @param link Path at which the pseudo-terminal appears.
 */
export async function serveToStm32flash(device: StmDevice, link: string): Promise<ServedPart> {
  const terminal = await servePseudoTerminal(device, link);
  return {
    run: async (...args) => {
      // A pseudo-terminal has no parity. It carries the bytes of 8E1 as 8N1.
      const { stdout } = await promisify(execFile)('stm32flash', ['-m', '8n1', ...args, link], { timeout: 100_000 });
      return stdout;
    },
    close: () => terminal.close(),
  };
}
