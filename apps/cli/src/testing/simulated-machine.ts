/**
 * A machine with simulated boards at its ports, on which lines of a shell run as they are written: `/dev/ttyUSB0`, its USB
 * device, its rate and its control lines are those of a board behind a pseudo-terminal. Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@wirebench/clock';
import type { Device } from '@wirebench/devices';
import { WiredDevice } from '../../../../packages/devices/src/wire/wired-device.ts';
import { PluggedTerminal } from '../../../../packages/node-port/src/testing/plugged-terminal.ts';
import { programFile } from './monitored-port.ts';

const preloaded = fileURLToPath(
  new URL('../../../../packages/node-port/src/testing/simulated-ports.ts', import.meta.url),
);

/** A board and the USB device through which it is connected. */
export interface PluggedBoard {
  readonly device: Device;
  /** IDs in hex, serial number, manufacturer and product as the adapter gives them. */
  readonly usb: {
    readonly vendor: string;
    readonly product: string;
    readonly serial: string;
    readonly maker: string;
    readonly title: string;
  };
}

/** A line that has run. */
export interface RunLine {
  readonly line: string;
  readonly code: number;
  /** Standard output and standard error; of a terminal without carriage returns and sequences of controls. */
  readonly text: string;
}

/** Printed around the exit code of a line. */
const MARK = '\x1e';

export class SimulatedMachine implements AsyncDisposable {
  /** Home of the machine and folder of its shell. */
  readonly home: string;
  readonly #root = mkdtempSync(join(tmpdir(), 'wirebench-machine-'));
  readonly #closes: (() => Promise<void> | void)[] = [];
  #ports = 0;

  constructor() {
    this.home = join(this.#root, 'home');
    for (const folder of ['home', 'bin', 'lines', 'dev/serial/by-id', 'dev/serial/by-path', 'sys/class/tty']) {
      mkdirSync(join(this.#root, folder), { recursive: true });
    }
    this.addProgram('wirebench', `exec '${process.execPath}' --import '${preloaded}' '${programFile}' "$@"`);
  }

  /** Adds a program to the path of the shell. */
  addProgram(name: string, script: string): void {
    const path = join(this.#root, 'bin', name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  /** Writes a file of the home folder. */
  save(name: string, content: Uint8Array | string): void {
    const path = join(this.home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** @param name Name of its port: `ttyUSB0`. */
  async plug(name: string, { device, usb }: PluggedBoard): Promise<void> {
    let isOpen = false;
    const wired = new WiredDevice(
      device,
      {
        room: () => Number.POSITIVE_INFINITY,
        // The system drops what comes while no program has the port open.
        receive: (bytes) => isOpen && terminal.send(bytes),
        lineError: (_error, byte) => isOpen && byte !== null && terminal.send(Uint8Array.of(byte)),
        moved: () => undefined,
      },
      { clock: systemClock, pace: 'none' },
    );
    const terminal = await PluggedTerminal.plugged();
    terminal.onBytes = (bytes) => wired.send(bytes);
    const lines = linesServer(({ opened, closed, ...changes }) => {
      if (opened !== undefined) {
        isOpen = true;
        wired.open(opened);
      }
      wired.setLines(changes);
      isOpen &&= closed !== true;
    });
    lines.listen(join(this.#root, 'lines', name));
    await once(lines, 'listening');
    this.#closes.push(
      () => terminal.close(),
      () => void lines.close(),
      () => wired.detach(),
    );
    this.#describe(name, usb, terminal.path);
  }

  /** Makes the entries of sysfs and the names of udev. */
  #describe(name: string, { vendor, product, serial, maker, title }: PluggedBoard['usb'], path: string): void {
    const hole = `1-${++this.#ports}`;
    const usb = join(this.#root, 'sys', 'devices', hole);
    const tty = join(this.#root, 'sys', 'class', 'tty', name);
    mkdirSync(join(usb, `${hole}:1.0`), { recursive: true });
    mkdirSync(tty, { recursive: true });
    const facts = { idVendor: vendor, idProduct: product, serial, manufacturer: maker, product: title };
    for (const [fact, value] of Object.entries(facts)) {
      writeFileSync(join(usb, fact), `${value}\n`);
    }
    // The port that was plugged in last has been there for the shortest time.
    mkdirSync(join(usb, 'power'));
    writeFileSync(join(usb, 'power', 'connected_duration'), `${100_000 - 1_000 * this.#ports}\n`);
    symlinkSync(join(usb, `${hole}:1.0`), join(tty, 'device'));
    symlinkSync(path, join(this.#root, 'dev', name));
    const id = `usb-${maker}_${title.replaceAll(' ', '_')}_${serial}-if00-port0`;
    symlinkSync(`../../${name}`, join(this.#root, 'dev', 'serial', 'by-id', id));
    symlinkSync(`../../${name}`, join(this.#root, 'dev', 'serial', 'by-path', `usb-0:${this.#ports}:1.0-port0`));
  }

  /**
   * Runs lines one after the other in one shell.
   *
   * @throws Error if they do not end.
   */
  async run(
    lines: readonly string[],
    { answers = null, variables = {}, limit = 120_000 }: RunOptions = {},
  ): Promise<readonly RunLine[]> {
    const marked = lines.map((line) => `${line}\ncode=$?; printf '${MARK}%d${MARK}' $code; (exit $code)`);
    const script = join(this.#root, 'lines.sh');
    // The end of a terminal discards output that has not been read yet: the last line waits until all has been.
    writeFileSync(script, `cd\n${marked.join('\n')}\nread -r\nexit 0\n`);
    const path = `${join(this.#root, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`;
    const machine = { WIREBENCH_TEST_MACHINE: this.#root, WIREBENCH_TEST_PROCESS: `${process.pid}` };
    const own = { HOME: this.home, PATH: path, NO_COLOR: '1', TERM: 'xterm', PAGER: 'cat', ...machine };
    const unset = { FORCE_COLOR: undefined, XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined };
    const env = { ...process.env, ...unset, ...own, ...variables };
    const child =
      answers === null
        ? spawn('bash', [script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
        : spawn('socat', ['STDIO', `EXEC:bash ${script},pty,stderr`], { env });
    const text = await outputOf(child, lines.length, answers ?? (() => []), limit);
    const parts = text.split(MARK);
    return lines.map((line, index) => {
      const [output, code] = [parts[index * 2], parts[index * 2 + 1]];
      if (output === undefined || code === undefined) {
        throw new Error(`"${line}" did not end:\n${text}`);
      }
      return { line, code: Number(code), text: output };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closes) {
      await close();
    }
    rmSync(this.#root, { recursive: true, force: true });
  }
}

interface RunOptions {
  /** Runs the lines on a terminal: answers to the line with this index. Null: without a terminal. */
  readonly answers?: ((index: number) => readonly Answer[]) | null;
  readonly variables?: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly limit?: number;
}

/** Typed when a text is printed, once for each time that it is. */
export interface Answer {
  readonly to: RegExp;
  readonly type: string;
}

/** A message of simulated-ports.ts. */
interface LineChange {
  readonly opened?: Parameters<WiredDevice['open']>[0];
  readonly closed?: true;
  readonly dtr?: boolean;
  readonly rts?: boolean;
  readonly break?: boolean;
}

/** Answers each message with a byte. */
function linesServer(changed: (change: LineChange) => void): Server {
  return createServer((socket: Socket) => {
    let rest = '';
    socket.on('error', () => 'the program has ended');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (rest + chunk).split('\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        changed(JSON.parse(message) as LineChange);
        socket.write('.');
      }
    });
  });
}

/** Resolves with all that was printed, when the process has ended. */
async function outputOf(
  child: ChildProcess,
  count: number,
  answers: (index: number) => readonly Answer[],
  limit: number,
): Promise<string> {
  let text = '';
  let read = 0;
  const take = (chunk: string) => {
    text += chunk;
    // An answer to one line is not read by the next.
    read = Math.max(read, text.lastIndexOf(MARK) + 1);
    const done = Math.floor((text.split(MARK).length - 1) / 2);
    if (done === count) {
      child.stdin?.end('\n');
      return;
    }
    for (const { to, type } of answers(done)) {
      const match = to.exec(text.slice(read));
      if (match !== null) {
        read += match.index + match[0].length;
        child.stdin?.write(type);
      }
    }
  };
  child.stdout?.setEncoding('utf8').on('data', take);
  child.stderr?.setEncoding('utf8').on('data', take);
  const late = setTimeout(() => child.kill('SIGKILL'), limit);
  await once(child, 'close');
  clearTimeout(late);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that a terminal shows as colours and movements
  return text.replaceAll(/\x1b\[[\d;]*[A-Za-z]/g, '').replaceAll(/\r+\n?/g, '\n');
}
