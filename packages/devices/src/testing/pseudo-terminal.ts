/** A device served as a serial port of the system, for programs that need one: a pseudo-terminal made by socat. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@wirebench/clock';
import type { ServeOptions } from '../serve/device-server.ts';
import { serveOverTcp } from '../serve/tcp-server.ts';
import type { Device } from '../wire/device.ts';

/** True if each of these calls, a program and its arguments, exits with status 0. */
export function canCall(...calls: readonly (readonly string[])[]): boolean {
  return calls.every(
    ([program = '', ...args]) => spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status === 0,
  );
}

export const socatCall = ['socat', '-V'] as const;

export interface PseudoTerminal {
  close(): Promise<void>;
}

/**
 * Serves a device behind a pseudo-terminal, which carries neither parity nor control lines. socat ends when the last
 * program closes it.
 * @param link Path at which the pseudo-terminal appears.
 * @param pace `wire`: bytes take the time that they need at the device's rate.
 */
export async function servePseudoTerminal(
  device: Device,
  link: string,
  pace: ServeOptions['pace'] = 'none',
): Promise<PseudoTerminal> {
  const service = await serveOverTcp({ device, clock: systemClock, pace, port: 0 });
  // socat connects first, so the device is behind the pseudo-terminal as soon as it appears.
  const socat = spawn('socat', [`tcp:127.0.0.1:${service.port}`, `pty,raw,echo=0,link=${link}`], { stdio: 'ignore' });
  await appears(link, socat);
  return {
    close: async () => {
      if (socat.exitCode === null) {
        const ended = once(socat, 'exit');
        socat.kill();
        await ended;
      }
      await service.close();
    },
  };
}

async function appears(link: string, socat: ChildProcess): Promise<void> {
  while (!existsSync(link)) {
    if (socat.exitCode !== null) {
      throw new Error('socat ended before there was a pseudo-terminal.');
    }
    await pause(10);
  }
}
