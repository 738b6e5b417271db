/** Simulated boards at ports of the system: pseudo-terminals of socat. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Device, EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { onTestFinished } from 'vitest';
import {
  canCall,
  type PseudoTerminal,
  servePseudoTerminal,
  socatCall,
} from '../../../../packages/devices/src/testing/pseudo-terminal.ts';

/** True: socat is installed. */
export const hasSocat = canCall(socatCall);

/** An ESP32 whose bootloader a person has started: a pseudo-terminal has no control lines. */
export const esp32 = (options: Partial<EspDeviceOptions> = {}): EspDevice =>
  new EspDevice({ chip: 'esp32', seed: 1, powerUp: 'download', ...options });

export const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(Buffer.from(other));

/** Serves a board at a port of its own. socat ends with the program that used it. */
export async function served(device: Device): Promise<{ readonly path: string; readonly terminal: PseudoTerminal }> {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-port-'));
  const path = join(folder, 'port');
  const terminal = await servePseudoTerminal(device, path);
  onTestFinished(async () => {
    await terminal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { path, terminal };
}
