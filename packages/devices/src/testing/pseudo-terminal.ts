/** A device served as a serial port of the system, for programs that know nothing else: a pseudo-terminal made by socat. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@wirebench/clock';
import { serveOverTcp } from '../serve/tcp-server.ts';
import type { Device } from '../wire/device.ts';

/** Whether each of these calls, a program and its arguments, ends well. */
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
 * A pseudo-terminal carries neither parity nor control lines. socat ends when the last program closes it.
 * @param link where it appears
 */
export async function servePseudoTerminal(device: Device, link: string): Promise<PseudoTerminal> {
  const service = await serveOverTcp({ device, clock: systemClock, pace: 'none', port: 0 });
  // The connection first: once the pseudo-terminal is there, the device is behind it.
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
