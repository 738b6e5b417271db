/**
 * Loaded before the program (`--import`): makes ports and USB devices of a simulated machine (simulated-machine.ts)
 * those of the system. Pseudo-terminals get the control lines that they lack, and report each opening with its rate.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { connect, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { LinuxBinding, LinuxPortBinding } from '@serialport/bindings-cpp';

const machine = process.env['WIREBENCH_TEST_MACHINE'] ?? '';

/** Returns the place of a path of the system; other paths stay. */
const placeOf = (path: unknown): unknown =>
  typeof path === 'string' && /^\/(?:sys\/class\/tty|dev\/(?:tty|serial))/.test(path) ? join(machine, path) : path;

const functions = ['access', 'readdir', 'readFile', 'readlink', 'realpath', 'stat'] as const;
for (const name of functions) {
  const real = promises[name] as (path: unknown, ...rest: readonly unknown[]) => unknown;
  Object.assign(promises, { [name]: (path: unknown, ...rest: readonly unknown[]) => real(placeOf(path), ...rest) });
}
const readdirReal = promises.readdir as (path: unknown, ...rest: readonly unknown[]) => Promise<readonly string[]>;
Object.assign(promises, {
  readdir: async (path: unknown, ...rest: readonly unknown[]) => {
    const names = await readdirReal(path, ...rest);
    return path === '/proc' ? names.filter((name) => !isOfMachine(name)) : names;
  },
});
syncBuiltinESMExports();

/** True for a process that is the board's side of a port. */
function isOfMachine(name: string): boolean {
  try {
    return name === process.env['WIREBENCH_TEST_PROCESS'] || readFileSync(`/proc/${name}/comm`, 'utf8') === 'socat\n';
  } catch {
    // It has ended, or is no process.
    return false;
  }
}

/** The board's side of a port: one message, one answer. */
class Lines {
  readonly #socket: Socket;
  readonly #answers: (() => void)[] = [];

  constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.on('data', (bytes) => {
      for (const _answer of bytes) {
        this.#answers.shift()?.();
      }
    });
  }

  say(message: object): Promise<void> {
    this.#socket.write(`${JSON.stringify(message)}\n`);
    return new Promise((resolve) => this.#answers.push(resolve));
  }

  end(): void {
    this.#socket.end();
  }
}

const linesOf = new WeakMap<LinuxPortBinding, Lines>();
const openReal = LinuxBinding.open.bind(LinuxBinding);
LinuxBinding.open = async (options) => {
  const path = String(placeOf(options.path));
  const binding = await openReal({ ...options, path });
  if (path !== options.path) {
    const { baudRate, dataBits, stopBits, parity } = binding.openOptions;
    const name = options.path.startsWith('/dev/serial/') ? readlinkSync(path) : path;
    const lines = new Lines(join(machine, 'lines', basename(name)));
    linesOf.set(binding, lines);
    await lines.say({ opened: { baudRate, dataBits, stopBits, parity } });
    await lines.say({ dtr: true, rts: true });
  }
  return binding;
};

const { get, set, close } = LinuxPortBinding.prototype;
LinuxPortBinding.prototype.get = function (this: LinuxPortBinding) {
  return linesOf.has(this) ? Promise.resolve({ cts: true, dsr: true, dcd: false, lowLatency: false }) : get.call(this);
};
LinuxPortBinding.prototype.set = function (this: LinuxPortBinding, options) {
  const { dtr, rts, brk } = options;
  return linesOf.get(this)?.say({ dtr, rts, break: brk }) ?? set.call(this, options);
};
LinuxPortBinding.prototype.close = async function (this: LinuxPortBinding) {
  const lines = linesOf.get(this);
  if (lines !== undefined) {
    linesOf.delete(this);
    await lines.say(this.openOptions.hupcl ? { dtr: false, rts: false, closed: true } : { closed: true });
    lines.end();
  }
  await close.call(this);
};
