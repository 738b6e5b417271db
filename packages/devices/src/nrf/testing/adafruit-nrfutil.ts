/** Adafruit's adafruit-nrfutil, if it is installed, and a board served to it as a serial port. */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { canCall, servePseudoTerminal, socatCall } from '../../testing/pseudo-terminal.ts';
import type { NrfDevice } from '../nrf-device.ts';

/** Returns program and first arguments, from `ADAFRUIT_NRFUTIL` or from the path; null if it or socat is missing. */
export function findAdafruitNrfutil(): readonly string[] | null {
  const { ADAFRUIT_NRFUTIL } = process.env;
  const tool = ADAFRUIT_NRFUTIL ? ADAFRUIT_NRFUTIL.split(' ') : ['adafruit-nrfutil'];
  return canCall([...tool, 'version'], socatCall) ? tool : null;
}

export interface ServedBoard {
  /** Writes a package and returns the program's output. Rejects if the program fails. */
  flash(packageFile: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Serves a board.
 * @param tool Program and first arguments.
 * @param device The board.
 * @param link Path at which the pseudo-terminal appears.
 */
export async function serveToNrfutil(tool: readonly string[], device: NrfDevice, link: string): Promise<ServedBoard> {
  const terminal = await servePseudoTerminal(device, link);
  // The touch opens and closes the port. socat ends unless a process, here this one, keeps the port open.
  const held = openSync(link, constants.O_RDWR | constants.O_NOCTTY);
  const [program = '', ...first] = tool;
  return {
    flash: async (packageFile) => {
      const args = ['dfu', 'serial', '--package', packageFile, '-p', link, '-b', '115200', '--touch', '1200'];
      const { stdout } = await promisify(execFile)(program, [...first, ...args], { timeout: 100_000 });
      return stdout;
    },
    close: async () => {
      closeSync(held);
      await terminal.close();
    },
  };
}
