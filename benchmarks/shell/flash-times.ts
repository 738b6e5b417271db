/**
 * A build of 1.5 MB written at 921,600 baud by the packed program and by esptool, each as a whole process, to a simulated
 * ESP32 behind a pseudo-terminal of socat whose wire takes the time of a real one. The flash itself takes none.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deflateSync } from 'node:zlib';
import { EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { buildApp, buildBootloader, buildTable, chipIds, factoryLayout } from '@wirebench/flasher/testing';
import { findEsptool } from '../../packages/devices/src/esp/testing/esptool.ts';
import { servePseudoTerminal } from '../../packages/devices/src/testing/pseudo-terminal.ts';
import { makeImage } from '../flashing/image.ts';

const RATE = 921_600;
/** Bits of a byte on the wire, 8N1. */
const BITS = 10;
const LONGEST_RUN = 300_000;
const appOffset = 0x10000;
/** Bytes of an image in front of its first segment's data, and of the description of an app. */
const headBytes = 32 + 256;

/** Times in milliseconds. */
export interface FlashTimes {
  /** Time that the compressed files need on the wire. */
  readonly wire: number;
  /** A first write, from the start of the process to its end. */
  readonly first: number;
  /** The part of it from the first byte written to the last hash that was equal. */
  readonly writing: number;
  /** The same command again, with nothing changed. */
  readonly again: number;
  /** Null: esptool is not installed. */
  readonly esptool: number | null;
}

/** An app with its checksum and hash whose data compress like firmware. */
function firmware(): Uint8Array {
  const data = makeImage();
  const app = Buffer.from(buildApp({ chipId: chipIds.esp32, project: 'lamp', size: data.length }));
  const checksumAt = app.length - 33;
  app.set(data, headBytes);
  const segment = app.subarray(32, 32 + app.readUInt32LE(28));
  app[checksumAt] = segment.reduce((sum, byte) => sum ^ byte, 0xef);
  app.set(createHash('sha256').update(app.subarray(0, -32)).digest(), app.length - 32);
  return app;
}

/** Writes a build of ESP-IDF, and returns its files. */
function saveBuild(path: string) {
  const files = [
    { name: 'bootloader.bin', offset: 0x1000, data: buildBootloader({ chipId: chipIds.esp32, size: 12_000 }) },
    {
      name: 'partition-table.bin',
      offset: 0x8000,
      data: buildTable(
        factoryLayout.map((entry) => (entry.offset === appOffset ? { ...entry, size: 0x200000 } : entry)),
      ),
    },
    { name: 'lamp.bin', offset: appOffset, data: firmware() },
  ];
  mkdirSync(path);
  for (const { name, data } of files) {
    writeFileSync(join(path, name), data);
  }
  const list = Object.fromEntries(files.map(({ name, offset }) => [`0x${offset.toString(16)}`, name]));
  const args = { flash_files: list, extra_esptool_args: { chip: 'esp32' } };
  writeFileSync(join(path, 'flasher_args.json'), JSON.stringify(args));
  return files;
}

type Content = NonNullable<NonNullable<EspDeviceOptions['flash']>['content']>;

interface Run {
  readonly time: number;
  readonly lines: readonly string[];
}

async function run(command: string, args: readonly string[]): Promise<Run> {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: LONGEST_RUN });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (text) => lines.push(text));
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new Error(`${command} ended with ${code}: ${lines.at(-1) ?? ''}`);
  }
  return { time: performance.now() - start, lines };
}

/** @param program The packed program. @param folder Folder for files. */
export async function measureFlash(program: string, folder: string): Promise<FlashTimes> {
  const path = join(folder, 'build');
  const files = saveBuild(path);
  // Each run has a board of its own: a pseudo-terminal has no control lines that would bring a board back to its ROM.
  const onBoard = async (name: string, content: Content, use: (port: string) => Promise<Run>) => {
    const device = new EspDevice({ chip: 'esp32', seed: 1, powerUp: 'download', flash: { content } });
    const port = join(folder, name);
    const terminal = await servePseudoTerminal(device, port, 'wire');
    const used = await use(port);
    for (const { name: file, offset, data } of files) {
      if (!Buffer.from(device.flash.read(offset, data.length)).equals(data)) {
        throw new Error(`${name} did not write ${file}.`);
      }
    }
    await terminal.close();
    return used;
  };
  const flash = (port: string) =>
    run(process.execPath, [program, 'flash', port, path, '--yes', '--by-hand', '--baud', `${RATE}`, '--json']);
  const first = await onBoard('wirebench', 'factory', flash);
  const again = await onBoard('wirebench-again', files, flash);
  const esptool = findEsptool();
  const peer =
    esptool === null
      ? null
      : await onBoard('esptool', 'factory', (port) => {
          const [command = '', ...words] = esptool;
          const places = files.flatMap(({ name, offset }) => [`0x${offset.toString(16)}`, join(path, name)]);
          const options = ['--port', port, '--baud', `${RATE}`, '--before', 'no_reset', '--after', 'no_reset'];
          return run(command, [...words, ...options, 'write_flash', '--flash_size', 'keep', ...places]);
        });
  const writing = Number(/"event":"written".*"duration":([\d.]+)/.exec(first.lines.join('\n'))?.[1]);
  const bytes = files.reduce((sum, { data }) => sum + deflateSync(data, { level: 9 }).length, 0);
  return {
    wire: (bytes * BITS * 1_000) / RATE,
    first: first.time,
    writing,
    again: again.time,
    esptool: peer?.time ?? null,
  };
}
