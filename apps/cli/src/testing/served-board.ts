/** Simulated boards at ports of the system: pseudo-terminals of socat. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { type Device, EspDevice, type EspDeviceOptions, WiredDevice } from '@wirebench/devices';
import { onTestFinished, vi } from 'vitest';
import {
  canCall,
  type PseudoTerminal,
  servePseudoTerminal,
  socatCall,
} from '../../../../packages/devices/src/testing/pseudo-terminal.ts';
import type { PluggedTerminal } from '../../../../packages/node-port/src/testing/plugged-terminal.ts';
import { plugged } from './monitored-port.ts';

/** True: socat is installed. */
export const hasSocat = canCall(socatCall);

/** An ESP32 whose bootloader a person has started: a pseudo-terminal has no control lines. */
export const esp32 = (options: Partial<EspDeviceOptions> = {}): EspDevice =>
  new EspDevice({ chip: 'esp32', seed: 1, powerUp: 'download', ...options });

export const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(Buffer.from(other));

/** A board on a cable: its port vanishes when it is pulled, and comes back under the same name. */
export class CabledBoard {
  readonly device: Device;
  readonly terminal: PluggedTerminal;
  #wired: WiredDevice | null = null;
  #passed = 0;
  #due: { readonly count: number; readonly act: () => void } | null = null;

  constructor(device: Device, terminal: PluggedTerminal) {
    this.device = device;
    this.terminal = terminal;
    terminal.onBytes = (bytes) => {
      this.#count(bytes.length);
      this.#wired?.send(bytes);
    };
    this.#attach();
  }

  get path(): string {
    return this.terminal.path;
  }

  /** Number of bytes that have passed in both directions. */
  get passed(): number {
    return this.#passed;
  }

  /** Acts once, when this many bytes more have passed. */
  after(count: number, act: () => void): void {
    this.#due = { count: this.#passed + count, act };
    this.#count(0);
  }

  #count(length: number): void {
    this.#passed += length;
    if (this.#due !== null && this.#passed >= this.#due.count) {
      const { act } = this.#due;
      this.#due = null;
      act();
    }
  }

  /** Pulls the cable. A device that is not plugged in stays so. */
  pull(): void {
    this.#wired?.detach();
    this.#wired = null;
    this.terminal.unplug();
  }

  /**
   * Plugs the cable in. The board starts when a program has opened the port at `rate`: a chip with its own USB keeps its
   * output until then, and a pseudo-terminal loses what comes earlier.
   */
  async plug(rate: number): Promise<void> {
    await this.terminal.plug();
    await vi.waitFor(
      () => {
        const { status, stdout } = spawnSync('stty', ['-F', this.path, 'speed'], { encoding: 'utf8' });
        // A port in exclusive mode cannot be opened by stty.
        if (status === 0 && Number(stdout) !== rate) {
          throw new Error(`no program has opened the port at ${rate} baud`);
        }
      },
      { timeout: 20_000, interval: 20 },
    );
    this.#attach();
  }

  #attach(): void {
    const host = {
      room: () => Number.POSITIVE_INFINITY,
      receive: (bytes: Uint8Array) => {
        this.#count(bytes.length);
        this.terminal.send(bytes);
      },
      lineError: () => undefined,
      moved: () => undefined,
    };
    this.#wired = new WiredDevice(this.device, host, { clock: systemClock, pace: 'none' });
    this.#wired.open(null);
  }
}

/** Plugs a board in, and removes it with the test. */
export async function cabled(device: Device): Promise<CabledBoard> {
  const board = new CabledBoard(device, await plugged());
  onTestFinished(() => board.pull());
  return board;
}

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
