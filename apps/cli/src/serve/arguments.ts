/**
 * Reads and checks the command lines of `wirebench serve` and `remote-port.mjs`. The link is a secret, so it may also
 * come from the environment or from standard input.
 */
import { parseArgs } from 'node:util';
import { readSetting } from '@wirebench/contract/setting-text';

export interface RemotePortArguments {
  /** The link as given; null: read it from standard input. */
  readonly link: string | null;
  /** Port of the bench, 1 to 4; null: the only one that is shared. */
  readonly port: number | null;
  /** TCP port, 0 to 65535; 0 picks a free one. */
  readonly listen: number;
  /** Name that the host sees; null: none was given. */
  readonly name: string | null;
}

export const linkVariable = 'WIREBENCH_LINK';
export const standardListen = 4_000;

export const usage = `Usage: npm run remote-port -- [link] [options]
       node remote-port.mjs [link] [options]

Makes a port of a shared bench a serial port for programs on this computer: RFC 2217 on 127.0.0.1, one program at a time.
It joins as a guest, asks for the right to use the port, and waits until the host allows it.

The link is a secret: whoever has it can watch the bench, and other people on this computer can see command lines. It may also be in
the variable ${linkVariable}, or be read from standard input when there is none.

Options:
  --port <1-4>     port of the bench (default: the only one that is shared)
  --listen <port>  TCP port on 127.0.0.1 (default: ${standardListen}); 0 picks a free one
  --name <name>    who you are, as the host sees it (default: your user name)
  --help           show this help

Ctrl+C ends it: the port is closed there and its control lines are released.
Exit codes: 0 ended by Ctrl+C, 1 it could not go on (what it says why goes to standard error), 2 wrong usage.
`;

/**
 * @param args Arguments without the interpreter and the script.
 * @returns The arguments, or `help` if the user asked for it.
 * @throws Error with a one-line text that says what is wrong. The text never contains the link.
 */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RemotePortArguments | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: 'string' },
      listen: { type: 'string' },
      name: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  return checkArguments(positionals, values, environment);
}

/** Values as typed; undefined: the option was not given. */
interface TypedValues {
  readonly port?: string | undefined;
  readonly listen?: string | undefined;
  readonly name?: string | undefined;
}

/** @throws Error as `readArguments`. */
export function checkArguments(
  links: readonly string[],
  { port, listen, name }: TypedValues,
  environment: Readonly<Record<string, string | undefined>>,
): RemotePortArguments {
  if (links.length > 1) {
    throw new Error('give one link; in quotes where the shell takes it apart');
  }
  return {
    link: links[0] ?? linkOfEnvironment(environment),
    port: port === undefined ? null : wholeNumber('--port', port, 1, 4),
    listen: listen === undefined ? standardListen : wholeNumber('--listen', listen, 0, 65_535),
    name: name?.trim() || null,
  };
}

function linkOfEnvironment(environment: Readonly<Record<string, string | undefined>>): string | null {
  const { value, fault } = readSetting(linkVariable, environment[linkVariable] ?? '', { isSecret: true });
  if (fault !== null) {
    throw new Error(fault);
  }
  return value || null;
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw new Error(`${option} must be a whole number from ${least} to ${most}`);
  }
  return number;
}
