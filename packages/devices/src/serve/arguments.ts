/** Parses and checks the command line of `npm run device`. cli.ts executes it. */
import { parseArgs } from 'node:util';
import { isAvrModel, isEspModel, isModelName, isNrfModel, isStmModel, type ModelName, modelNames } from '../models.ts';
import type { Pace } from '../wire/wire.ts';

export interface DeviceArguments {
  readonly model: ModelName;
  /** TCP port, 0 to 65535; 0: any free port. */
  readonly port: number;
  /** `rfc2217` transfers the rate and the control lines too. */
  readonly protocol: 'tcp' | 'rfc2217';
  /**
   * True: an Espressif chip starts in download mode, an STM32 or a Nordic board in its bootloader. Each connection
   * resets an Arduino board, which starts its bootloader.
   */
  readonly download: boolean;
  readonly pace: Pace;
  readonly seed: number;
  /** In baud; null: the model's own. */
  readonly baudRate: number | null;
}

export const usage = `Usage: npm run device -- <model> --tcp <port> [options]

Serves a simulated device on 127.0.0.1:<port>. Connecting opens its serial port; one client at a time.
Plain TCP carries no baud rate and no control lines, so every rate works, and DTR and RTS do nothing. RFC 2217 carries both.

Models: ${modelNames.join(', ')}

Options:
  --tcp <port>        port to listen on; 0 picks a free one and prints it
  --rfc2217 <port>    the same with baud rate, DTR and RTS, for esptool: rfc2217://127.0.0.1:<port>
  --download          start in the bootloader, for clients that cannot set DTR and RTS; an Arduino board at each connection
  --baud <rate>       baud rate of the device's UART, 50 to 100000000 (default: the model's own)
  --pace wire|none    at the speed of a real line, or as fast as the client reads (default: wire)
  --seed <number>     the same seed gives the same readings, 0 to 4294967295 (default: 1)
  --help              show this help
`;

/**
 * Parses the command line.
 * @returns The arguments, or `help` if help was requested.
 * @throws Error with a one-line message that names the mistake.
 */
export function readArguments(args: readonly string[]): DeviceArguments | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tcp: { type: 'string' },
      rfc2217: { type: 'string' },
      download: { type: 'boolean', default: false },
      baud: { type: 'string' },
      pace: { type: 'string', default: 'wire' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const [model, ...others] = positionals;
  if (model === undefined || others.length > 0 || !isModelName(model)) {
    throw new Error(`name exactly one model: ${modelNames.join(', ')}`);
  }
  const port = values.tcp ?? values.rfc2217;
  if (port === undefined) {
    throw new Error('--tcp <port> is missing');
  }
  if (values.tcp !== undefined && values.rfc2217 !== undefined) {
    throw new Error('use either --tcp or --rfc2217, not both');
  }
  if (values.download && !isEspModel(model) && !isStmModel(model) && !isNrfModel(model) && !isAvrModel(model)) {
    throw new Error(`${model} has no download mode`);
  }
  if (values.pace !== 'wire' && values.pace !== 'none') {
    throw new Error('--pace must be wire or none');
  }
  return {
    model,
    port: wholeNumber(values.tcp === undefined ? '--rfc2217' : '--tcp', port, 0, 65_535),
    protocol: values.tcp === undefined ? 'rfc2217' : 'tcp',
    download: values.download,
    pace: values.pace,
    seed: wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
    baudRate: values.baud === undefined ? null : wholeNumber('--baud', values.baud, 50, 100_000_000),
  };
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw new Error(`${option} must be a whole number from ${least} to ${most}`);
  }
  return number;
}
