/** The commands of the board's shell. */

import { TimerGroup } from '../wire/timer-group.ts';
import { resetReasons } from './boot-log.ts';
import { type Command, type CommandBoard, type Job, printUsage, wholeNumber } from './command.ts';
import { crashKinds } from './crash/scenes.ts';
import { load } from './load-command.ts';
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

const reboot: Command = {
  usage: 'reboot',
  summary: 'restart',
  run(_args, board) {
    board.restart();
    return null;
  },
};

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
