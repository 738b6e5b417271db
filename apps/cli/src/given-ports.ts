/** Ports that a person has named on the command line. */
import { basename } from 'node:path';
import { type NativePort, NativeSerial, type NativeSettings, portHolders } from '@wirebench/node-port';
import { CommandError, exitCodes } from './exit-code.ts';

/** A port, and the name that lines have in front. */
export interface GivenPort {
  readonly path: string;
  readonly label: string;
}

/** Completes the last part of a path: `ttyUSB0` is `/dev/ttyUSB0`. */
export function givenPort(name: string, system: NodeJS.Platform = process.platform): GivenPort {
  const path = system === 'win32' || name.includes('/') ? name : `/dev/${name}`;
  return { path, label: basename(path) };
}

export function serialOf(ports: readonly GivenPort[]): NativeSerial {
  return new NativeSerial({ paths: ports.map(({ path }) => path) });
}

/** Returns the port with its settings; null while it is not there. */
export async function presentPort(
  serial: NativeSerial,
  given: GivenPort,
  native: NativeSettings,
): Promise<NativePort | null> {
  const port = (await serial.getPorts()).find(({ listed }) => listed.path === given.path) ?? null;
  port?.useNative(native);
  return port;
}

export function absentPort({ path }: GivenPort): CommandError {
  return new CommandError(exitCodes.noPort, `${path} is not there. "wirebench ports" lists the ports that are.`);
}

/** Returns a sentence about the programs that have the port open; empty without one. */
export async function holdersText({ path }: GivenPort): Promise<string> {
  const holders = (await portHolders([path])).get(path) ?? [];
  const others = holders.filter((holder) => holder.process !== process.pid);
  return others.map(({ program, process: id }) => ` ${program} (process ${id}) has it open.`).join('');
}
