/** Ports that a person has named on the command line. */
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  isPresent,
  type ListedPort,
  listPorts,
  type NativePort,
  NativeSerial,
  type NativeSettings,
  portHolders,
  portPath,
  portsNamed,
} from '@wirebench/node-port';
import { CommandError, type ExitCode, exitCodes } from './exit-code.ts';
import { printable } from './printable.ts';

export interface GivenPort {
  /** Name as it was given: a path, its last part, a serial number, or USB IDs. */
  readonly name: string;
  /** Path when the program began. */
  readonly path: string;
  /** Name that lines have in front. */
  readonly label: string;
}

/**
 * Finds the ports of names.
 *
 * @throws CommandError for a name that several ports have.
 */
export async function givenPorts(
  names: readonly string[],
  list: () => Promise<readonly ListedPort[]> = listPorts,
): Promise<readonly GivenPort[]> {
  const given: GivenPort[] = [];
  for (const name of names) {
    const path = portPath(name);
    const found = (await isPresent(path)) ? [] : portsNamed(name, await list());
    if (found.length > 1) {
      throw new CommandError(exitCodes.usage, `${name} is the name of ${found.length} ports.${portLines(found)}`);
    }
    given.push({ name, path: found[0]?.path ?? path, label: basename(name) });
  }
  return given;
}

/**
 * Refuses a port that is named twice, also by two of its names.
 *
 * @throws CommandError
 */
export async function refuseTwice(ports: readonly GivenPort[]): Promise<void> {
  const names = new Map<string, string>();
  for (const { name, path } of ports) {
    const real = await realpath(path).catch(() => path);
    const before = names.get(real);
    if (before !== undefined) {
      const what = before === name ? `${name} is named twice` : `${before} and ${name} are one port`;
      throw new CommandError(exitCodes.usage, `${what}: name each port once.`);
    }
    names.set(real, name);
  }
}

/** Finds the port of a name. @throws CommandError for a name that several ports have. */
export async function givenPort(name: string): Promise<GivenPort> {
  const [given] = await givenPorts([name]);
  return given as GivenPort;
}

export function serialOf(ports: readonly GivenPort[]): NativeSerial {
  return new NativeSerial({ names: ports.map(({ name }) => name) });
}

/** Returns the port with its settings; null while it is not there. */
export async function presentPort(
  serial: NativeSerial,
  given: GivenPort,
  native: NativeSettings,
): Promise<NativePort | null> {
  const port = await serial.portNamed(given.name);
  port?.useNative(native);
  return port;
}

/** Returns the failure of a port that is not there, with those that are. */
export async function absentPort({ path }: GivenPort): Promise<CommandError> {
  return new CommandError(exitCodes.noPort, `${path} is not there. ${await presentText()}`);
}

/** Returns the failure of a command line without a port, with those that are there. Nothing is asked. */
export async function unnamedPort(advice: string, code: ExitCode = exitCodes.usage): Promise<CommandError> {
  return new CommandError(code, `${advice} ${await presentText()}`);
}

async function presentText(): Promise<string> {
  const ports = await listPorts();
  return ports.length === 0 ? 'There are no serial ports.' : `These ports are there:${portLines(ports)}`;
}

/** Returns a line for each port: its path, and the name that survives replugging. */
export const portLines = (ports: readonly ListedPort[]): string =>
  ports
    .map(({ path, byId, byPath }) => `\n  ${[path, byId ?? byPath].filter((name) => name !== null).join('  ')}`)
    .join('');

/** Returns a sentence about the programs that have the port open; empty without one. */
export async function holdersText({ path }: GivenPort): Promise<string> {
  const holders = (await portHolders([path])).get(path) ?? [];
  const others = holders.filter((holder) => holder.process !== process.pid);
  return others.map(({ program, process: id }) => ` ${printable(program)} (process ${id}) has it open.`).join('');
}
