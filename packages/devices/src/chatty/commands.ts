/** The commands of the board's shell. */

import { TimerGroup } from '../wire/timer-group.ts';
import { resetReasons } from './boot-log.ts';
import { type Command, type CommandBoard, type Job, printUsage, wholeNumber } from './command.ts';
import { crashKinds } from './crash/scenes.ts';
import { loadLineCount, loadLineLength, loadLines } from './load-stream.ts';
import { adcChannels, adcReading, i2cDevices, millivolts } from './sensors.ts';

const help: Command = {
  usage: 'help',
  summary: 'show this list',
  run(_args, board) {
    const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
    const rows = Object.values(commands).map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}\n`);
    board.print(rows.join(''));
    return null;
  },
};

const info: Command = {
  usage: 'info',
  summary: 'show board details and uptime',
  run(_args, board) {
    const { baudRate, dataBits, parity, stopBits } = board.link;
    const rows = [
      ['board', 'Wirebench demo board (simulated)'],
      ['chip', 'ESP32, 2 cores, 240 MHz, 4 MB flash'],
      ['mac', macOf(board.seed)],
      ['serial', `${baudRate} ${dataBits}${parity.charAt(0).toUpperCase()}${stopBits}`],
      ['reset', resetReasons[board.resetReason]],
      ['uptime', `${(board.uptime / 1_000).toFixed(1)} s`],
      ['free heap', `${(296 * 1_024 - 8 * board.random.below(512)).toString()} bytes`],
    ] as const;
    board.print(rows.map(([name, value]) => `${name.padEnd(10)} ${value}\n`).join(''));
    return null;
  },
};

const i2cscan: Command = {
  usage: 'i2cscan',
  summary: 'which addresses answer on the I2C bus',
  run(_args, board) {
    const digits = Array.from({ length: 16 }, (_, digit) => ` ${digit.toString(16)}`);
    const rows = [`    ${digits.join(' ')}`];
    for (let row = 0; row < 0x80; row += 0x10) {
      const cells = digits.map((_, column) => i2cCell(row + column));
      rows.push(`${hex(row)}: ${cells.join(' ')}`);
    }
    const found = [...i2cDevices].map(([address, name]) => `0x${hex(address)} ${name}`);
    board.print(`${rows.join('\n')}\n${found.length} devices: ${found.join(', ')}\n`);
    return null;
  },
};

const adc: Command = {
  usage: 'adc [channel] [count] [interval ms]',
  summary: 'read all analog inputs once, or one input repeatedly',
  run(args, board, done) {
    if (args.length === 0) {
      for (let channel = 0; channel < adcChannels; channel++) {
        const raw = adcReading(channel, board.uptime, board.random);
        board.print(`adc${channel}:${raw} ${millivolts(raw)} mV\n`);
      }
      return null;
    }
    const channel = wholeNumber(args[0], 0, adcChannels - 1);
    const count = wholeNumber(args[1] ?? '1', 1, 1_000_000);
    const interval = wholeNumber(args[2] ?? '100', 1, 60_000);
    if (channel === null || count === null || interval === null || args.length > 3) {
      return printUsage(board, adc);
    }
    return sample(board, channel, count, interval, done);
  },
};

function sample(board: CommandBoard, channel: number, count: number, interval: number, done: () => void): Job | null {
  const timers = new TimerGroup(board.clock);
  let left = count;
  const read = () => {
    board.print(`adc${channel}:${adcReading(channel, board.uptime, board.random)}\n`);
    left--;
    if (left > 0) {
      timers.after(interval, read);
    } else if (count > 1) {
      done();
    }
  };
  read();
  const halt = () => timers.cancelAll();
  const stop = () => {
    halt();
    done();
  };
  return count > 1 ? { stop, halt } : null;
}

const sensors: Command = {
  usage: 'sensors on|off',
  summary: 'print temperature, humidity and pressure every 2 s',
  run(args, board) {
    const [state] = args;
    if ((state !== 'on' && state !== 'off') || args.length > 1) {
      return printUsage(board, sensors);
    }
    board.setSensors(state === 'on');
    return null;
  },
};

const utf8: Command = {
  usage: 'utf8',
  summary: 'print text in several scripts',
  run(_args, board) {
    board.print('Grüße: 25 °C, 4.7 kΩ, ½\nПривет, κόσμε, 東京, שלום\n🚀 👩‍🔧 é (e + U+0301)\n');
    return null;
  },
};

const binary: Command = {
  usage: 'binary',
  summary: 'send each byte from 00 to FF once',
  run(_args, board) {
    board.send(Uint8Array.from({ length: 256 }, (_, byte) => byte));
    board.print('\n');
    return null;
  },
};

const baud: Command = {
  usage: 'baud <rate>',
  summary: 'switch to another baud rate until the next reset',
  run(args, board) {
    const rate = wholeNumber(args[0], 50, 100_000_000);
    if (rate === null || args.length > 1) {
      return printUsage(board, baud);
    }
    board.print(`switching to ${rate} baud\n`);
    board.setBaudRate(rate);
    return null;
  },
};

const stop: Command = {
  usage: 'stop',
  summary: 'stop load or adc (same as Ctrl+C)',
  run(_args, board) {
    board.print('nothing is running\n');
    return null;
  },
};

const crash: Command = {
  usage: `crash [${crashKinds.join('|')}]`,
  summary: 'panic, then restart; by its cause with a core dump',
  run(args, board) {
    const kind = crashKinds.find((one) => one === args[0]);
    if (args.length > 1 || (args.length === 1 && kind === undefined)) {
      return printUsage(board, crash);
    }
    board.panic(kind);
    return null;
  },
};

const loginPassword = 'solder-and-flux';

const login: Command = {
  usage: 'login',
  summary: `ask for a password without an echo (${loginPassword})`,
  run(_args, board, done) {
    board.print('Password: ');
    const end = (answer: string) => {
      board.print(`\n${answer}`);
      done();
    };
    return {
      line: (text) => end(text === loginPassword ? 'Welcome.\n' : 'Login incorrect\n'),
      stop: () => end(''),
      halt: () => undefined,
    };
  },
};

const reboot: Command = {
  usage: 'reboot',
  summary: 'restart',
  run(_args, board) {
    board.restart();
    return null;
  },
};

/** Shortest time between two batches of lines, in ms. */
const tick = 4;
/** Bytes queued for the wire at which the generator pauses. */
const maxPending = 32_768;
/** Most lines written at once. */
const batchLines = 400;

/** `load`: sends checkable lines (see load-stream.ts) at a given rate, for a time or until stopped. */
const load: Command = {
  usage: 'load <bytes per second> [seconds]',
  summary: 'send numbered, checkable lines until done, stop or Ctrl+C',
  run(args, board, done) {
    const rate = wholeNumber(args[0], 1, 100_000_000);
    const seconds = args[1] === undefined ? Infinity : wholeNumber(args[1], 1, 1_000_000);
    if (rate === null || seconds === null || args.length > 2) {
      return printUsage(board, load);
    }
    board.print(`load: ${rate} bytes/s${seconds === Infinity ? '' : ` for ${seconds} s`}\n`);
    return new LoadJob(board, rate, loadLineCount(rate, seconds), done);
  },
};

class LoadJob implements Job {
  readonly #board: CommandBoard;
  readonly #rate: number;
  readonly #total: number;
  readonly #done: () => void;
  readonly #timers: TimerGroup;
  readonly #start: number;
  #written = 0;

  constructor(board: CommandBoard, rate: number, total: number, done: () => void) {
    this.#board = board;
    this.#rate = rate;
    this.#total = total;
    this.#done = done;
    this.#timers = new TimerGroup(board.clock);
    this.#start = board.clock.now();
    this.#wait();
  }

  writable(): void {
    this.#produce();
  }

  stop(): void {
    this.#end('stopped after ');
  }

  halt(): void {
    this.#timers.cancelAll();
  }

  #produce(): void {
    this.#timers.cancelAll();
    const elapsed = this.#board.clock.now() - this.#start;
    const due = Math.min(this.#total, Math.floor((elapsed * this.#rate) / (1_000 * loadLineLength)));
    while (this.#written < due && this.#board.line.pending < maxPending) {
      const count = Math.min(batchLines, due - this.#written);
      this.#board.send(loadLines(this.#written, count, this.#board.seed));
      this.#written += count;
    }
    if (this.#written === this.#total) {
      this.#end('');
    } else {
      this.#wait();
    }
  }

  /** Schedules the next batch. Leaves it to `writable` while the wire's queue is full. */
  #wait(): void {
    if (this.#board.line.pending >= maxPending) {
      return;
    }
    const next = this.#start + ((this.#written + 1) * 1_000 * loadLineLength) / this.#rate;
    this.#timers.after(Math.max(tick, next - this.#board.clock.now()), () => this.#produce());
  }

  #end(how: string): void {
    this.#timers.cancelAll();
    this.#board.print(`load: ${how}${this.#written} lines, ${this.#written * loadLineLength} bytes\n`);
    this.#done();
  }
}

/** The commands by name, in the order in which `help` lists them. */
export const commands: Readonly<Record<string, Command>> = {
  help,
  info,
  i2cscan,
  adc,
  sensors,
  load,
  stop,
  utf8,
  binary,
  baud,
  crash,
  login,
  reboot,
};

/**
 * Returns the cell of one address in the scan. Addresses outside 08–77 are reserved and not scanned (I²C-bus
 * specification, section 3.1.12).
 */
function i2cCell(address: number): string {
  if (address < 0x08 || address > 0x77) {
    return '  ';
  }
  return i2cDevices.has(address) ? hex(address) : '--';
}

/** Returns a locally administered address that differs from seed to seed. */
function macOf(seed: number): string {
  return [0x02, 0x57, 0x42, (seed >>> 16) & 0xff, (seed >>> 8) & 0xff, seed & 0xff].map(hex).join(':');
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
