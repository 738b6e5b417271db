/**
 * The ports of a command, decided for all of them: the argument, `--port`, `--newest`, the profile of a monitor, a
 * variable, or the only USB port of the machine. What looks like a port is never taken for a file or a text.
 */
import { realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readSetting } from '@wirebench/contract/setting-text';
import {
  isPresent,
  type ListedPort,
  listPorts,
  newestPorts,
  portPath,
  portsNamed,
  usbIdsText,
} from '@wirebench/node-port';
import { type Command, type CommandName, listOf, type OptionValues, type PortUse } from './commands/command.ts';
import { CommandError, exitCodes } from './exit-code.ts';
import { givenPort, portLines, unnamedPort } from './given-ports.ts';
import { canAsk } from './interruption.ts';
import { placedFile } from './placed-file.ts';
import { printable } from './printable.ts';

/** A command line behind the name of its command. */
export interface TypedCall {
  readonly given: readonly string[];
  readonly options: OptionValues;
}

/**
 * Variables that name a port, in their order: that of this program, that of esptool (docs.espressif.com/projects/esptool,
 * "Basic Options") and that of idf.py (ESP-IDF, tools/idf_py_actions/serial_ext.py).
 */
export const portVariables = ['WIREBENCH_PORT', 'ESPTOOL_PORT', 'ESPPORT'] as const;

/**
 * Returns the call with its ports in the place that the command reads: in front of the arguments, or in `--port` of
 * `test`. A simulated board has an empty name in front. What no argument and no `--port` names is said.
 *
 * @throws CommandError if no port is named and none can be taken, and for two names of different ports.
 */
export async function withPorts(command: Command, typed: TypedCall): Promise<TypedCall> {
  const { ports: use } = command;
  if (use === undefined) {
    return typed;
  }
  const { given, options, profiled } = await monitorCall(command.name, typed);
  const named = listOf(options['port']);
  const hasNothing = given.length === 0 && options['onlyFailed'] === undefined;
  if (use.place === 'option' && (named.length > 0 || hasNothing || typeof options['simulate'] === 'string')) {
    return typed;
  }
  if (typeof options['simulate'] === 'string') {
    if (named.length > 0 || options['newest'] === true) {
      const flag = named.length > 0 ? '--port' : '--newest';
      throw new CommandError(exitCodes.usage, `--simulate takes the place of a port: leave ${flag} out.`);
    }
    return { given: use.place === 'each' ? given : ['', ...given], options };
  }
  if (use.isSparedByPlan === true && options['plan'] === true && given.length === 0) {
    return typed;
  }
  const variable = portVariable();
  const isNamed = named.length > 0 || options['newest'] === true || variable !== null;
  const { ports, rest } = await splitArguments(given, { command, use, isNamed });
  await refuseDifferent(ports, named, use);
  if (use.needsMore === true && rest.length === 0) {
    throw await unnamedPort(use.advice);
  }
  const chosen =
    ports.length > 0
      ? ports
      : named.length > 0
        ? named.slice(0, use.place === 'each' ? named.length : 1)
        : await chosenPorts(command, { options, typed: typed.options, profiled, variable });
  return use.place === 'option'
    ? { given, options: { ...options, port: chosen } }
    : { given: [...chosen, ...rest], options };
}

/** The call of a monitor with its profile. A whole number that names no port is its rate. Other calls stay. */
async function monitorCall(
  name: CommandName,
  { given, options }: TypedCall,
): Promise<TypedCall & { readonly profiled: readonly string[] }> {
  if (name !== 'monitor') {
    return { given, options, profiled: [] };
  }
  const call = await withRate(given, options);
  const { profile } = options;
  if (typeof profile !== 'string') {
    return { ...call, profiled: [] };
  }
  const { withProfile } = await import('./profile.ts');
  const { ports, options: merged } = await withProfile(profile, { ports: call.given, options: call.options });
  const isNamed = call.given.length > 0 || listOf(options['port']).length > 0 || options['newest'] === true;
  // A port that is typed takes the place of the simulated board of a profile.
  const simulate = isNamed ? options['simulate'] : merged['simulate'];
  return { given: call.given, options: { ...merged, simulate }, profiled: ports };
}

async function withRate(given: readonly string[], options: OptionValues): Promise<TypedCall> {
  const last = given.at(-1);
  if (last === undefined || !/^\d+$/.test(last) || (await namesPresent(last))) {
    return { given, options };
  }
  const { baud } = options;
  if (baud !== undefined && baud !== last) {
    throw new CommandError(exitCodes.usage, `the rate is named twice, ${last} and --baud ${baud}: name it once.`);
  }
  return { given: given.slice(0, -1), options: { ...options, baud: last } };
}

interface Arguments {
  readonly ports: readonly string[];
  readonly rest: readonly string[];
}

/** @param isNamed True: an option or a variable names the port, so that the arguments may lack it. */
async function splitArguments(
  given: readonly string[],
  { command, use, isNamed }: { readonly command: Command; readonly use: PortUse; readonly isNamed: boolean },
): Promise<Arguments> {
  const [first, ...behind] = given;
  if (use.place === 'option' || first === undefined) {
    return { ports: [], rest: given };
  }
  if (use.place === 'each' || use.place === 'only') {
    return { ports: given, rest: [] };
  }
  if (await looksLikePort(first, behind)) {
    return { ports: [first], rest: behind };
  }
  if (isNamed || (use.isNamed !== true && (await areFiles(given)))) {
    return { ports: [], rest: given };
  }
  const isAction = command.arguments.some(({ completes }) => Array.isArray(completes) && completes.includes(first));
  if (isAction || /^https?:\/\//i.test(first)) {
    throw await unnamedPort(use.advice);
  }
  if (use.needsMore === true && behind.length === 0) {
    throw await unnamedPort(`${printable(first)} is not there: ${use.advice}`);
  }
  return { ports: [first], rest: behind };
}

/** True: each is a file or a folder that is there, also behind an offset as in `0x1000=app.bin`. */
async function areFiles(words: readonly string[]): Promise<boolean> {
  const kinds = words.map(async (word) => {
    const found = await stat(word).catch(() => stat(placedFile(word).path).catch(() => null));
    return found !== null && (found.isFile() || found.isDirectory());
  });
  return !(await Promise.all(kinds)).includes(false);
}

/**
 * Names that only ports have: of Linux, macOS and Windows, of links in `/dev/serial/by-id` and `by-path`, and USB IDs.
 * A port that was unplugged still has one.
 */
const portNames =
  /^(?:tty[\w-]+|(?:tty|cu)\.\S+|com\d+|rfcomm\d+|usb-\S+-if[\da-f]{2}(?:-port\d+)?|(?:\S+-)?usb(?:v\d)?-\d+:[\d.]+:\d+\.\d+(?:-port\d+)?|[\da-f]{4}:[\da-f]{4})$/i;
/** Devices of Windows, and ports of the network as pyserial writes them. */
const portPlaces = /^(?:\\\\\.\\|(?:tcp|rfc2217|socket):\/\/)/i;
/** Paths of devices of Linux and macOS. Linux has a file system for any file in `/dev/shm`. */
const devicePaths = /^\/dev\/(?!shm\/)/;
/** Volumes of the boot ROMs of RP2040 and RP2350, mounted or not. */
const driveNames = /^RP(?:I-RP2|2350)$/;

/**
 * Returns true for what names a port, whether it is there or not.
 *
 * @param behind The words behind it: a UF2 file goes to a drive.
 */
export async function looksLikePort(word: string, behind: readonly string[]): Promise<boolean> {
  if (portNames.test(word) || portPlaces.test(word) || driveNames.test(basename(word))) {
    return true;
  }
  const found = await stat(word).catch(() => null);
  if (found?.isDirectory() === true) {
    const isDrive = stat(join(word, 'INFO_UF2.TXT')).then(
      () => true,
      () => false,
    );
    return behind.some((other) => /\.uf2$/i.test(other)) || isDrive;
  }
  if (word.includes('/')) {
    return found === null ? devicePaths.test(word) || /^tty[\w-]+$/.test(basename(word)) : found.isCharacterDevice();
  }
  return namesPresent(word);
}

/** Returns true for the name of a port that is there. Other devices in /dev, such as `full`, are not ports. */
async function namesPresent(word: string): Promise<boolean> {
  const path = portPath(word);
  const real = await realpath(path).catch(() => path);
  if ((await isPresent(path)) && (portNames.test(basename(real)) || real.startsWith('/dev/pts/'))) {
    return true;
  }
  const ports = await listPorts();
  return ports.some((port) => port.path === path) || portsNamed(word, ports).length > 0;
}

/** @throws CommandError if two names are those of different ports. */
async function refuseDifferent(ports: readonly string[], named: readonly string[], { place }: PortUse): Promise<void> {
  const [first] = named;
  if (first === undefined || (ports.length === 0 && place === 'each')) {
    return;
  }
  const real = async (name: string) => {
    const { path } = await givenPort(name);
    return realpath(path).catch(() => path);
  };
  const [front = first] = ports;
  const wanted = await Promise.all((ports.length > 0 && place === 'each' ? ports : [front]).map(real));
  for (const name of named) {
    if (!wanted.includes(await real(name))) {
      const other = ports.length > 0 ? ports.join(' ') : `--port ${first}`;
      throw new CommandError(exitCodes.usage, `${other} and --port ${name} are different ports: name the port once.`);
    }
  }
}

interface NamedPort {
  readonly variable: string;
  readonly name: string;
}

/** Returns the first variable that names a port; null without one. */
function portVariable(): NamedPort | null {
  for (const variable of portVariables) {
    const { value, fault } = readSetting(variable, process.env[variable] ?? '');
    if (fault !== null) {
      throw new CommandError(exitCodes.usage, fault);
    }
    if (value !== '') {
      return { variable, name: value };
    }
  }
  return null;
}

interface Choice {
  readonly options: OptionValues;
  /** Options without those of a profile. */
  readonly typed: OptionValues;
  /** Ports of a profile. */
  readonly profiled: readonly string[];
  readonly variable: NamedPort | null;
}

/** Returns the ports that no argument and no `--port` names, and says which one it is. */
async function chosenPorts(
  command: Command,
  { options, typed, profiled, variable }: Choice,
): Promise<readonly string[]> {
  if (profiled.length > 0 && typed['newest'] !== true) {
    return profiled;
  }
  if (options['newest'] === true) {
    return [await newestPort()];
  }
  if (variable !== null) {
    say(`using ${printable(variable.name)}, from ${variable.variable}.`);
    return [variable.name];
  }
  return onlyPort(command, options);
}

const say = (text: string) => void process.stderr.write(`wirebench: ${text}\n`);

/** Returns a port with what its adapter says of itself. */
const describe = (port: ListedPort) => printable(port.product ?? usbIdsText(port) ?? '');

async function newestPort(): Promise<string> {
  const ports = await usbPorts();
  if (ports.length === 0) {
    throw await unnamedPort('there is no USB port.', exitCodes.noPort);
  }
  const newest = ports.length === 1 ? ports : await newestPorts(ports);
  const [port, second] = newest ?? [];
  if (port === undefined) {
    throw new CommandError(
      exitCodes.usage,
      `this system does not tell which port is the newest: name one.${portLines(ports)}`,
    );
  }
  if (second !== undefined) {
    const count = newest?.length ?? 0;
    throw new CommandError(
      exitCodes.usage,
      `the newest USB device has ${count} ports: name one.${portLines(newest ?? [])}`,
    );
  }
  say(`using ${port.path}, the newest USB port (${describe(port)}).`);
  return port.path;
}

/** @throws CommandError unless there is one, which this command may take. */
async function onlyPort({ name, ports: use }: Command, options: OptionValues): Promise<readonly string[]> {
  const ports = await usbPorts();
  const [port, second] = ports;
  if (port === undefined && use?.place === 'option') {
    // The command itself says which of its boards lacks a port.
    return [];
  }
  if (port === undefined || use?.isNamed === true) {
    throw await unnamedPort(use?.advice ?? 'name a port.');
  }
  if (second !== undefined) {
    throw new CommandError(
      exitCodes.usage,
      `${ports.length} USB ports are there: name one, or take the newest with --newest.${portLines(ports)}`,
    );
  }
  const erasing = options['eraseAll'] === true ? `${name} --erase-all` : name;
  if ((use?.erases === true || options['eraseAll'] === true) && !canAsk(options)) {
    throw new CommandError(
      exitCodes.usage,
      `without a terminal, ${erasing} needs the name of its port.${portLines(ports)}`,
    );
  }
  say(`using ${port.path}, the only USB port (${describe(port)}).`);
  return [port.path];
}

const usbPorts = async () => (await listPorts()).filter(({ vendorId }) => vendorId !== null);
