/** Espressif's esptool, if it is installed, and a chip served to it as a serial port with DTR and RTS. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { systemClock } from '@wirebench/clock';
import type { TcpService } from '../../serve/listen.ts';
import { serveOverRfc2217 } from '../../serve/rfc2217-server.ts';
import type { EspDevice } from '../esp-device.ts';

const names = ['esptool', 'esptool.py'];

/** Returns program and first arguments, from `ESPTOOL` or from the path; null if esptool is not found. */
export function findEsptool(): readonly string[] | null {
  const { ESPTOOL } = process.env;
  const candidates = ESPTOOL ? [ESPTOOL.split(' ')] : names.map((name) => [name]);
  return candidates.find(([program = '', ...args]) => answers(program, args)) ?? null;
}

function answers(program: string, args: readonly string[]): boolean {
  return spawnSync(program, [...args, 'version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

export interface ServedChip {
  /** Runs esptool with these arguments and returns its output. Rejects if it fails. */
  run(...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export async function serveToEsptool(tool: readonly string[], device: EspDevice): Promise<ServedChip> {
  const service: TcpService = await serveOverRfc2217({ device, clock: systemClock, pace: 'none', port: 0 });
  const [program = '', ...first] = tool;
  return {
    run: async (...args) => {
      const port = `rfc2217://127.0.0.1:${service.port}`;
      const { stdout } = await promisify(execFile)(program, [...first, '--port', port, ...args], { timeout: 100_000 });
      return stdout;
    },
    close: () => service.close(),
  };
}
