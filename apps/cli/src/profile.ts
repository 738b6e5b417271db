/**
 * Profiles: named sets of options for `wirebench monitor`, in a file of the user. Keys are the long names of options, and
 * `ports`: `{ "lab": { "ports": ["ttyUSB0"], "baud": 921600, "time": true, "fail-on": ["panic"] } }`.
 */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '@wirebench/contract/json';
import { baseFolder } from './base-folder.ts';
import { type CommandOption, longFlag, type OptionValue, type OptionValues, takesValue } from './commands/command.ts';
import { portCommands } from './commands/port-commands.ts';
import { CommandError, exitCodes } from './exit-code.ts';

interface ProfiledCall {
  readonly ports: readonly string[];
  readonly options: OptionValues;
}

/** Returns the path of the file: `XDG_CONFIG_HOME`, `APPDATA` on Windows, or `~/.config`. */
export function profilesPath(environment: NodeJS.ProcessEnv = process.env, system = process.platform): string {
  const { XDG_CONFIG_HOME: folder, APPDATA: data = '' } = environment;
  const standard = system === 'win32' && data !== '' ? data : join(homedir(), '.config');
  return join(baseFolder(folder) ?? standard, 'wirebench', 'profiles.json');
}

/**
 * Completes a call of `wirebench monitor` by a profile. What the command line says wins.
 *
 * @throws CommandError with the place of a fault.
 */
export async function withProfile(name: string, call: ProfiledCall, path = profilesPath()): Promise<ProfiledCall> {
  const { ports, ...keys } = await readProfile(name, path);
  const refuse = (key: string, what: string) => new CommandError(exitCodes.usage, `${path}: ${name}.${key}: ${what}`);
  const named = portCommands.find((command) => command.name === 'monitor')?.options ?? [];
  const merged: Record<string, OptionValue> = { ...call.options };
  for (const [key, value] of Object.entries(keys)) {
    const option = named.find((one) => longFlag(one) === `--${key}`);
    if (option === undefined || key === 'profile') {
      throw refuse(key, 'monitor has no such option.');
    }
    if (key === 'port') {
      throw refuse(key, 'the ports of a profile are in "ports".');
    }
    const read = typedValue(option, value);
    if (read === null) {
      const wanted = !takesValue(option) ? 'true' : option.repeats === true ? 'a list of texts' : 'a text or a number';
      throw refuse(key, `it takes ${wanted}.`);
    }
    const isNegative = key.startsWith('no-');
    const own = isNegative ? key.slice(3) : key.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const before = merged[own];
    const isGiven =
      before !== undefined && !(isNegative && before === true) && !(Array.isArray(before) && before.length === 0);
    if (!isGiven) {
      merged[own] = isNegative ? false : read;
    }
  }
  const list = ports === undefined ? [] : textsOf(ports);
  if (list === null) {
    throw refuse('ports', 'it takes a list of texts.');
  }
  return { ports: call.ports.length > 0 ? call.ports : list, options: merged };
}

async function readProfile(name: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const refuse = (what: string) => new CommandError(exitCodes.usage, `there is no profile "${name}": ${what}`);
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw refuse(`the file cannot be read: ${error.message}`);
  });
  let profiles: unknown;
  try {
    profiles = JSON.parse(text);
  } catch (error) {
    throw refuse(`${path} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isRecord(profiles)) {
    throw refuse(`${path} has no object of profiles.`);
  }
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!isRecord(profile)) {
    throw refuse(`${path} has ${Object.keys(profiles).join(', ') || 'none'}.`);
  }
  return profile;
}

/** Returns the value as the command line gives it; null for one of another kind. */
function typedValue(option: CommandOption, value: unknown): OptionValue | null {
  if (!takesValue(option)) {
    return value === true ? true : null;
  }
  return option.repeats === true ? textsOf(value) : textOf(value);
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

function textsOf(value: unknown): readonly string[] | null {
  const texts = (Array.isArray(value) ? value : [value]).map(textOf);
  return texts.every((text) => text !== null) ? texts : null;
}
