/**
 * Reads and checks the command line of `wirebench publish` and of `publish-release.mjs`. `publish.ts` executes it.
 */

import { parseArgs } from 'node:util';
import { familyOf } from '@wirebench/boards';
import {
  type BuildGuards,
  buildLimits,
  offsetFaultText,
  type ReleaseChannel,
  readTypedOffset,
  releaseChannels,
  releaseLimits,
} from '@wirebench/contract';
import { readSetting } from '@wirebench/contract/setting-text';

export interface PlacedPath {
  /** Path as given on the command line. */
  readonly path: string;
  /** Flash offset in the form `0x…`. */
  readonly offset: string;
}

const TOKEN_VARIABLE = 'WIREBENCH_TOKEN';

/** Marks the ELF file that the build itself names. */
export const elfOfBuild = Symbol('the ELF file of the build');

/** A build for one chip. */
export interface ChipBuild {
  readonly deviceModel: string;
  readonly guards: BuildGuards;
  /** Folder of a build with a list of its files, or one file. */
  readonly path: string;
  /** Flash offset of the file in the form `0x…`; null for a folder, and for a file with its own addresses. */
  readonly offset: string | null;
}

export interface Publication {
  /** Scheme, host and port, without a trailing slash. */
  readonly server: string;
  readonly token: string;
  /** Name or ID. */
  readonly project: string;
  readonly version: string;
  readonly description: string;
  /** Empty if `build` lists the files. */
  readonly files: readonly PlacedPath[];
  /** Folder of a build whose list names files and offsets; null if `files` does. */
  readonly build: string | null;
  /** Builds by chip. Missing: the version is for the project's chip alone. */
  readonly builds?: readonly ChipBuild[];
  /** Missing: the server's default, `stable`. */
  readonly channel?: ReleaseChannel;
  /** The program's ELF file: a path, the one that the build or each of the builds names, or null. */
  readonly elf: string | typeof elfOfBuild | null;
  /** Names of files that are published although they are damaged. */
  readonly acceptDamaged: readonly string[];
  /** True: the uploaded version stays private. */
  readonly staysPrivate: boolean;
  /** Present: deletes the oldest version if the project is full. */
  readonly replaceOldest?: true;
}

/**
 * Returns the help text.
 *
 * @param command Command that starts the program.
 */
export const usageOf = (
  command: string,
): string => `Usage: ${command} --server <address> --project <name> --version <number> --build <folder>
       ${command} --server <address> --project <name> --version <number> --file <offset>=<path> …

Uploads a version of a firmware project, makes it public and prints the link that flashes it.

Options:
  --server <address>       such as https://wirebench.example
  --project <name>         name or id of one of your projects
  --version <number>       such as 1.4.0; must be new in the project
  --build <folder>         folder with the build's flasher_args.json, which lists up to ${buildLimits.files} files and their flash addresses
  --build <chip>=<folder>  a build for one chip, such as esp32s3=build/s3; up to ${buildLimits.builds} times. One of them is for the project's chip
  --build <board>=<folder> the same for an Arduino board, with the folder of its sketch: uno=build/arduino.avr.uno
  --build <chip>=<file>    the same with one file: nrf52840=zephyr.hex, or with its flash address: esp32=0x0=merged.bin
  --guard <conditions>     conditions on the boards of the --build before it: flash=8MB, psram=yes or no, revision=3.1,
                           connection=usb or uart; several with commas
  --file <offset>=<path>   a .bin file and its flash address, such as 0x1000=bootloader.bin; up to ${releaseLimits.files} times
  --elf <file>             the program's ELF file, which only you can read: it turns addresses of crashes into lines
  --with-elf               the same with the ELF file that the build names, beside --build; with several builds, each gets the one of its folder
  --description <text>     what is new, in Markdown (default: "Version <number>")
  --accept-damaged <file>  publish a file although it is damaged; give its name, once per file
  --channel <name>         stable (default) or beta: the project's link leads to the newest stable version
  --private                keep the version private
  --replace-oldest         where the project has as many versions as it may, delete the oldest one; the token has to allow it
  --token <token>          a publishing token; WIREBENCH_TOKEN in the environment is safer, since process lists do not show it
  --help                   show this help

Create and revoke tokens in the release manager, under Tokens.
`;

/**
 * Parses the command line.
 *
 * @returns The requested publication, or `help`.
 * @throws Error with a message of one line.
 */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Publication | 'help' {
  const { values, tokens } = parseArgs({
    args: [...args],
    tokens: true,
    options: {
      server: { type: 'string' },
      project: { type: 'string' },
      version: { type: 'string' },
      build: { type: 'string', multiple: true },
      guard: { type: 'string', multiple: true },
      channel: { type: 'string' },
      file: { type: 'string', multiple: true, default: [] },
      elf: { type: 'string' },
      'with-elf': { type: 'boolean', default: false },
      'accept-damaged': { type: 'string', multiple: true, default: [] },
      description: { type: 'string' },
      private: { type: 'boolean', default: false },
      'replace-oldest': { type: 'boolean', default: false },
      token: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const token = tokenOf(values.token, environment);
  const version = given('version', values.version);
  const builds = chipBuildsOf(tokens.flatMap((token) => (token.kind === 'option' ? [token] : [])));
  const build = builds === null ? folderOf(values.build) : null;
  return {
    server: originOf(given('server', values.server)),
    token,
    project: given('project', values.project),
    version,
    description: values.description?.trim() || `Version ${version}`,
    files: values.build === undefined ? filesOf(values.file) : noFilesBeside(values.file),
    build,
    ...(builds === null ? {} : { builds }),
    ...(values.channel === undefined ? {} : { channel: channelOf(values.channel) }),
    elf: elfOf(values),
    acceptDamaged: values['accept-damaged'],
    staysPrivate: values.private,
    ...(values['replace-oldest'] ? { replaceOldest: true } : {}),
  };
}

/**
 * Returns the publishing token of the option or of the environment.
 *
 * @throws Error with a message of one line, without the token.
 */
export function tokenOf(option: string | undefined, environment: Readonly<Record<string, string | undefined>>): string {
  const [name, text] = option === undefined ? [TOKEN_VARIABLE, environment[TOKEN_VARIABLE]] : ['--token', option];
  const { value, fault } = readSetting(name, text ?? '', { isSecret: true });
  if (fault !== null || value === '') {
    throw new Error(fault ?? `the publishing token is missing: set ${TOKEN_VARIABLE}`);
  }
  return value;
}

function given(option: string, value: string | undefined): string {
  const text = value?.trim() ?? '';
  if (text === '') {
    throw new Error(`--${option} is missing`);
  }
  return text;
}

/** Returns scheme, host and port of a server. @throws Error with a message of one line. */
export function originOf(address: string): string {
  // `URL.parse` is missing in Node 20.
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`--server must be an address such as https://wirebench.example, not ${address}`);
  }
  return url.origin;
}

/** Never takes an ELF file without a request, because it holds names of the whole source. */
function elfOf(values: {
  readonly elf?: string | undefined;
  readonly 'with-elf': boolean;
  readonly build?: readonly string[] | undefined;
}): Publication['elf'] {
  if (!values['with-elf']) {
    return values.elf === undefined ? null : given('elf', values.elf);
  }
  if (values.elf !== undefined) {
    throw new Error('use either --elf or --with-elf');
  }
  if (values.build === undefined) {
    throw new Error('--with-elf needs --build with a folder: name the file with --elf');
  }
  return elfOfBuild;
}

/** An option of the command line, with the value that is written beside it. */
interface GivenOption {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Returns the builds that name their chip, with the guards that follow each; null if no build names one. */
function chipBuildsOf(options: readonly GivenOption[]): readonly ChipBuild[] | null {
  const builds: ChipBuild[] = [];
  let others = 0;
  for (const { name, value = '' } of options) {
    const last = builds.at(-1);
    if (name === 'build') {
      const build = chipBuildOf(value);
      others += build === null ? 1 : 0;
      builds.push(...(build === null ? [] : [build]));
    } else if (name === 'guard' && last !== undefined) {
      builds[builds.length - 1] = { ...last, guards: { ...last.guards, ...readGuards(value) } };
    } else if (name === 'guard') {
      throw new Error('--guard belongs behind the --build <chip>=<folder> that it is for');
    }
  }
  if (builds.length === 0) {
    return null;
  }
  if (others > 0) {
    throw new Error('each --build needs its chip when one of them has it, such as --build esp32s3=build');
  }
  return builds;
}

/** Returns null for a folder without a chip, also if its name has an equals sign. */
function chipBuildOf(value: string): ChipBuild | null {
  const [, chip = '', offset, path = ''] = /^([^=]+)=(?:(0x[\da-f]+)=)?(.+)$/is.exec(value) ?? [];
  const deviceModel = chip.trim().toLowerCase().replaceAll('-', '');
  return familyOf(deviceModel) === null ? null : { deviceModel, guards: {}, path, offset: offset ?? null };
}

const units = { kb: 1_024, mb: 1_048_576 } as const;

type Guard = keyof BuildGuards;

const readers = {
  flash: (text) => {
    const [, number, unit = ''] = /^(\d+) ?([km]b)$/i.exec(text) ?? [];
    return number === undefined
      ? null
      : { flashSize: Number(number) * units[unit.toLowerCase() as keyof typeof units] };
  },
  psram: (text) => (text === 'yes' || text === 'no' ? { psram: text === 'yes' } : null),
  revision: (text) => {
    const [, major, minor] = /^v?(\d+)\.(\d{1,2})$/i.exec(text) ?? [];
    return major === undefined ? null : { minRevision: Number(major) * 100 + Number(minor) };
  },
  connection: (text) => (text === 'usb' || text === 'uart' ? { connection: text } : null),
} as const satisfies Record<string, (text: string) => Partial<Record<Guard, unknown>> | null>;

/** Form of each condition, for the message about a wrong one. */
const forms = {
  flash: 'flash=8MB',
  psram: 'psram=yes or psram=no',
  revision: 'revision=3.1',
  connection: 'connection=usb or connection=uart',
} satisfies Record<keyof typeof readers, string>;

/**
 * Reads the conditions that `--guard` names, such as `flash=8MB,psram=yes`.
 *
 * @throws Error with a message of one line.
 */
function readGuards(text: string): BuildGuards {
  const guards = text.split(',').map((part) => {
    const [name = '', value = ''] = part.trim().split('=');
    const key = (Object.keys(readers) as (keyof typeof readers)[]).find((known) => known === name.trim());
    if (key === undefined) {
      throw new Error(`--guard knows ${Object.keys(readers).join(', ')}, not ${part.trim()}`);
    }
    const guard = readers[key](value.trim().toLowerCase());
    if (guard === null) {
      throw new Error(`--guard must be such as ${forms[key]}, not ${part.trim()}`);
    }
    return guard;
  });
  return Object.assign({}, ...guards);
}

function folderOf(builds: readonly string[] | undefined): string | null {
  const [build, ...more] = builds ?? [];
  if (more.length > 0) {
    throw new Error('several --build need a chip each, such as --build esp32=build/esp32 --build esp32s3=build/s3');
  }
  return build === undefined ? null : given('build', build);
}

function channelOf(name: string): ReleaseChannel {
  const channel = releaseChannels.find((known) => known === name);
  if (channel === undefined) {
    throw new Error(`--channel must be ${releaseChannels.join(' or ')}, not ${name}`);
  }
  return channel;
}

function noFilesBeside(values: readonly string[]): PlacedPath[] {
  if (values.length > 0) {
    throw new Error('use either --build or --file: the build already lists its files');
  }
  return [];
}

function filesOf(values: readonly string[]): PlacedPath[] {
  if (values.length === 0) {
    throw new Error('--file is missing: give at least one, such as --file 0x10000=app.bin, or --build <folder>');
  }
  if (values.length > releaseLimits.files) {
    throw new Error(`a version holds up to ${releaseLimits.files} files, not ${values.length}`);
  }
  return values.map((value) => {
    const [, offset = '', path = ''] = /^([^=]*)=(.+)$/s.exec(value) ?? [];
    const typed = readTypedOffset(offset);
    if (typed.fault === 'no-prefix') {
      throw new Error(offsetFaultText(path, typed));
    }
    if (typed.fault !== null) {
      throw new Error(`--file must be a flash address and a path, such as 0x10000=app.bin, not ${value}`);
    }
    return { offset: offset.trim(), path };
  });
}
