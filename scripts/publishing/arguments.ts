/** The command line of `npm run publish-release`, read and checked; what is done with it stands in publish.ts. */
import { parseArgs } from 'node:util';
import { parseOffset, releaseLimits } from '@wirebench/contract';

export interface PlacedPath {
  /** As it was given. */
  readonly path: string;
  /** Flash address: `0x…` or decimal. */
  readonly offset: string;
}

export interface Publication {
  /** Scheme, host and port, without a slash at its end. */
  readonly server: string;
  readonly token: string;
  /** Name or id. */
  readonly project: string;
  readonly version: string;
  readonly description: string;
  readonly files: readonly PlacedPath[];
  /** The version is uploaded and shown to nobody. */
  readonly staysPrivate: boolean;
}

export const usage = `Usage: npm run publish-release -- --server <address> --project <name> --version <number> --file <offset>=<path> …

Uploads a version of a firmware project, makes it public and prints the link that flashes it.

Options:
  --server <address>      such as https://wirebench.example
  --project <name>        name or id of a project of yours
  --version <number>      such as 1.4.0; new in the project
  --file <offset>=<path>  a .bin file and its flash address, such as 0x1000=bootloader.bin; up to ${releaseLimits.files} times
  --description <text>    what is new, in Markdown (default: "Version <number>")
  --private               leaves the version private
  --token <token>         a publishing token; better in the environment as WIREBENCH_TOKEN, where no list of processes shows it
  --help                  this text

A token is made, and revoked, in the release manager under Tokens.
`;

/**
 * @returns what was asked for, or `help`.
 * @throws Error with a text of one line that says what is wrong.
 */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Publication | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      server: { type: 'string' },
      project: { type: 'string' },
      version: { type: 'string' },
      file: { type: 'string', multiple: true, default: [] },
      description: { type: 'string' },
      private: { type: 'boolean', default: false },
      token: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const token = values.token ?? environment['WIREBENCH_TOKEN'];
  if (!token) {
    throw new Error('a publishing token is missing: set WIREBENCH_TOKEN');
  }
  const version = given('version', values.version);
  return {
    server: originOf(given('server', values.server)),
    token,
    project: given('project', values.project),
    version,
    description: values.description?.trim() || `Version ${version}`,
    files: filesOf(values.file),
    staysPrivate: values.private,
  };
}

function given(option: string, value: string | undefined): string {
  const text = value?.trim() ?? '';
  if (text === '') {
    throw new Error(`--${option} is missing`);
  }
  return text;
}

function originOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`--server is an address such as https://wirebench.example, not ${address}`);
  }
  return url.origin;
}

function filesOf(values: readonly string[]): PlacedPath[] {
  if (values.length === 0) {
    throw new Error('--file is missing: name at least one, such as --file 0x10000=app.bin');
  }
  if (values.length > releaseLimits.files) {
    throw new Error(`a version has at most ${releaseLimits.files} files, not ${values.length}`);
  }
  return values.map((value) => {
    const [, offset = '', path = ''] = /^([^=]*)=(.+)$/s.exec(value) ?? [];
    if (parseOffset(offset) === null) {
      throw new Error(`--file is a flash address and a path, such as 0x10000=app.bin, not ${value}`);
    }
    return { offset: offset.trim(), path };
  });
}
