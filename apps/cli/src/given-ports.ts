/** Ports that a person has named on the command line: those of the system, and addresses of ports of the network. */
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Clock, systemClock } from '@wirebench/clock';
import { connectionFault } from '@wirebench/contract/connection-fault';
import {
  isPresent,
  type ListedPort,
  listPorts,
  NativeSerial,
  type NativeSettings,
  portHolders,
  portPath,
  portsNamed,
} from '@wirebench/node-port';
import { announce, PortEventTarget } from '@wirebench/port/web-serial';
import { NetworkPort, NetworkPortError, NetworkSerial, parseNetworkAddress } from '@wirebench/rfc2217/network-port';
import { CommandError, type ExitCode, exitCodes } from './exit-code.ts';
import { printable } from './printable.ts';

/** Pause between two looks at the network, in milliseconds: a try to reach a server has a pause of its own. */
const NETWORK_PAUSE = 250;

export interface GivenPort {
  /** Name as it was given: a path, its last part, a serial number, or USB IDs. */
  readonly name: string;
  /** Path when the program began. */
  readonly path: string;
  /** Name that lines have in front. */
  readonly label: string;
}

/** Returns true for the address of a port of the network. @throws CommandError for one without a host or a port. */
function isNetworkName(name: string): boolean {
  try {
    return parseNetworkAddress(name) !== null;
  } catch (error) {
    throw new CommandError(exitCodes.usage, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * Finds the ports of names.
 *
 * @throws CommandError for a name that several ports have, and for an address that cannot be read.
 */
export async function givenPorts(
  names: readonly string[],
  list: () => Promise<readonly ListedPort[]> = listPorts,
): Promise<readonly GivenPort[]> {
  const given: GivenPort[] = [];
  for (const name of names) {
    const path = portPath(name);
    const found = isNetworkName(name) || (await isPresent(path)) ? [] : portsNamed(name, await list());
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

/** The named ports of the system and of the network as one `Serial`. */
export class GivenSerial extends PortEventTarget implements Serial {
  readonly #native: NativeSerial;
  readonly #network: NetworkSerial;

  constructor(names: readonly string[]) {
    super();
    this.#native = new NativeSerial({ names: names.filter((name) => !isNetworkName(name)) });
    this.#network = new NetworkSerial(systemClock, names.filter(isNetworkName));
    for (const type of ['connect', 'disconnect'] as const) {
      for (const serial of [this.#native, this.#network]) {
        serial.addEventListener(type, ({ target }) => target !== null && announce(target, this, type));
      }
    }
  }

  async getPorts(): Promise<SerialPort[]> {
    return [...(await this.#native.getPorts()), ...(await this.#network.getPorts())];
  }

  /** @throws NotFoundError always: there is no chooser. */
  requestPort(): Promise<SerialPort> {
    return this.#native.requestPort();
  }

  /** Returns the port of a name; null while it is not there. */
  portNamed(name: string) {
    return isNetworkName(name) ? this.#network.portNamed(name) : this.#native.portNamed(name);
  }

  /** Looks for ports that have come or gone. */
  async refresh(): Promise<void> {
    await Promise.all([this.#native.refresh(), this.#network.refresh()]);
  }

  /** Looks for ports that come and go until the signal aborts. */
  async watch(clock: Clock, signal: AbortSignal): Promise<void> {
    const looking = this.#native.watch(clock, signal);
    while (!signal.aborted) {
      await this.#network.refresh();
      await clock.sleep(NETWORK_PAUSE, signal).catch(() => 'aborted');
    }
    await looking;
  }
}

export function serialOf(ports: readonly GivenPort[]): GivenSerial {
  return new GivenSerial(ports.map(({ name }) => name));
}

/**
 * Returns the port with its settings; null while it is not there.
 *
 * @throws CommandError for a port of the network that cannot be reached or used.
 */
export async function presentPort(
  serial: GivenSerial,
  given: GivenPort,
  native: NativeSettings,
): Promise<SerialPort | null> {
  const port = await serial.portNamed(given.name);
  port?.useNative(native);
  if (port instanceof NetworkPort) {
    await port.reach().catch((error: unknown) => {
      throw networkFailure(given, error);
    });
  }
  return port;
}

/** Returns the failure of a port of the network in the words of connections that fail. */
function networkFailure({ name }: GivenPort, error: unknown): unknown {
  if (!(error instanceof NetworkPortError)) {
    return error;
  }
  const fault = error.code === 'not-connected' ? connectionFault(error.cause, name) : null;
  const text = fault === null ? printable(error.message) : `${fault.what} ${fault.remedy}`;
  return new CommandError(exitCodes.noPort, text, { cause: error });
}

/** Returns the failure of a port that is not there, with those that are. */
export async function absentPort({ path }: GivenPort): Promise<CommandError> {
  return new CommandError(
    exitCodes.noPort,
    `${path} is not there. ${isNetworkName(path) ? '' : await presentText()}`.trim(),
  );
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
