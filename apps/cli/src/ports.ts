/** `wirebench ports`: the ports of the machine, and what is known of them. */
import { families } from '@wirebench/boards';
import { deviceName } from '@wirebench/boards/device-name';
import { guessFamily } from '@wirebench/boards/guess-family';
import { systemClock } from '@wirebench/clock';
import { type ListedPort, listPorts, type PortHolder, portHolders, usbIdsText } from '@wirebench/node-port';
import { type Paint, paintFor } from './colours.ts';
import type { OptionValues } from './commands/command.ts';
import { exitCodes } from './exit-code.ts';
import { interruption } from './interruption.ts';
import { printable } from './printable.ts';

/** Pause between two looks of `--watch`, in milliseconds. */
const WATCH_PAUSE = 250;

/** A port as `--json` prints it. */
interface PortFacts extends ListedPort {
  /** Name of its adapter or board by its USB IDs; null for a port that is not on USB. */
  readonly adapter: string | null;
  /** Family of its board, if its USB IDs tell. */
  readonly family: string | null;
  readonly holders: readonly PortHolder[];
}

export async function runPorts(_given: readonly string[], options: OptionValues) {
  const isJson = options['json'] === true;
  const ports = await portFacts(await listPorts());
  if (options['watch'] === true) {
    return watch(ports, isJson);
  }
  const text = isJson ? `${JSON.stringify(ports, null, 2)}\n` : tableText(ports, paintFor(process.stdout));
  process.stdout.write(text);
  return exitCodes.ok;
}

async function portFacts(ports: readonly ListedPort[]): Promise<readonly PortFacts[]> {
  const holders = ports.length === 0 ? new Map() : await portHolders(ports.map(({ path }) => path));
  return ports.map((port) => {
    const { vendorId, productId } = port;
    const ids = vendorId === null ? {} : { usbVendorId: vendorId, usbProductId: productId ?? 0 };
    const family = guessFamily(ids, '');
    return {
      ...port,
      adapter: vendorId === null ? null : deviceName(ids),
      family: family === null ? null : families[family].name,
      holders: holders.get(port.path) ?? [],
    };
  });
}

function tableText(ports: readonly PortFacts[], paint: Paint): string {
  if (ports.length === 0) {
    return 'No serial ports. Plug a board in with a cable that carries data, and try "wirebench ports --watch".\n';
  }
  const width = Math.max(...ports.map(({ path }) => path.length));
  return ports.map((port) => `${lineText(port, width, paint)}\n`).join('');
}

function lineText(port: PortFacts, width: number, paint: Paint): string {
  const { path, adapter, family, product, serialNumber, byId, byPath, holders } = port;
  const board = [...new Set([adapter ?? 'not on USB', family, product])].filter((part) => part !== null).join(', ');
  const named = [usbIdsText(port), serialNumber].filter((name) => name !== null).map((name) => `, ${name}`);
  const lasting = byId ?? byPath;
  const held = holders.map(({ program, process: id }) => `, open in ${program} (process ${id})`).join('');
  const name = lasting === null ? '' : paint('dim', ` [${lasting}]`);
  return `${paint('bold', path.padEnd(width))}  ${printable(board + named.join(''))}${paint('yellow', printable(held))}${name}`;
}

async function watch(first: readonly PortFacts[], isJson: boolean) {
  const paint = paintFor(process.stdout);
  const say = (event: 'there' | 'connected' | 'disconnected', port: PortFacts) => {
    const words = {
      there: '',
      connected: paint('green', 'connected     '),
      disconnected: paint('red', 'disconnected  '),
    };
    process.stdout.write(
      isJson
        ? `${JSON.stringify({ event, ...port })}\n`
        : `${words[event]}${lineText(port, port.path.length, paint)}\n`,
    );
  };
  const ended = interruption();
  let before = new Map(first.map((port) => [port.path, port]));
  for (const port of first) {
    say('there', port);
  }
  while (!ended.signal.aborted) {
    await systemClock.sleep(WATCH_PAUSE, ended.signal).catch(() => 'interrupted');
    const listed = await listPorts();
    const paths = new Set(listed.map(({ path }) => path));
    const came = await portFacts(listed.filter(({ path }) => !before.has(path)));
    for (const port of before.values()) {
      if (!paths.has(port.path)) {
        say('disconnected', port);
      }
    }
    for (const port of came) {
      say('connected', port);
    }
    before = new Map([
      ...[...before].filter(([path]) => paths.has(path)),
      ...came.map((port) => [port.path, port] as const),
    ]);
  }
  return ended.exitCode();
}
