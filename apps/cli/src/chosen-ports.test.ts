/** The port that a command takes on machines with no port, one and two. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { looksLikePort } from './chosen-ports.ts';
import { namedBoard } from './testing/named-board.ts';
import { hasSocat } from './testing/served-board.ts';
import { type Answer, type RunLine, SimulatedMachine } from './testing/simulated-machine.ts';

const serials = ['A50285BI', 'B70001XY'];
const only = 'wirebench: using /dev/ttyUSB0, the only USB port (FT232R USB UART).';
const list = (...indexes: readonly number[]) =>
  indexes
    .map((index) => `\n  /dev/ttyUSB${index}  /dev/serial/by-id/usb-FTDI_FT232R_USB_UART_${serials[index]}-if00-port0`)
    .join('');
const several = `wirebench: 2 USB ports are there: name one, or take the newest with --newest.${list(0, 1)}\n`;
const none = 'There are no serial ports.';

interface Row {
  readonly line: string;
  readonly code: number;
  /** Part of what is printed, or all of it with its line end. */
  readonly says: string | RegExp;
  readonly never?: string | RegExp;
  readonly answers?: readonly Answer[];
}

/** Variables of the account that runs the tests do not count. */
const unset = { WIREBENCH_PORT: '', ESPTOOL_PORT: '', ESPPORT: '' };

async function ranBeside(count: number, row: Row): Promise<RunLine> {
  await using machine = new SimulatedMachine();
  for (const [index, serial] of serials.slice(0, count).entries()) {
    await machine.plug(`ttyUSB${index}`, namedBoard(serial));
  }
  machine.save('app.bin', 'no program');
  machine.save('build/app.bin', 'no program');
  machine.save('ttyUSB8', 'a file that has the name of a port');
  machine.save('board.zip', 'no backup');
  const profiles = { lab: { ports: ['ttyUSB1'] }, demo: { simulate: 'esp32' }, last: { newest: true } };
  machine.save('.config/wirebench/profiles.json', JSON.stringify(profiles));
  machine.save('any.jkit.json', JSON.stringify({ fields: [{ content: 'hi', expect: 'got', timeoutMs: 5_000 }] }));
  const [ran] = await machine.run([row.line], {
    variables: unset,
    answers: row.answers === undefined ? null : () => row.answers ?? [],
  });
  if (ran === undefined) {
    throw new Error('the line ran');
  }
  return ran;
}

function expectRow({ code, says, never }: Row, ran: RunLine): void {
  if (typeof says === 'string') {
    expect(ran.text).toContain(says);
  } else {
    expect(ran.text).toMatch(says);
  }
  if (never !== undefined) {
    expect(ran.text).not.toMatch(never);
  }
  expect(ran.code, ran.text).toBe(code);
}

/** Ends the monitor when it says how. */
const quits: readonly Answer[] = [{ to: /Ctrl\+T q quits/, type: '\x14q' }];
const asked = `send --until '>' --timeout 5`;

const withoutPorts: readonly Row[] = [
  { line: 'wirebench monitor', code: 2, says: `name one to four ports, or --simulate <model>. ${none}` },
  { line: 'wirebench monitor 9600', code: 2, says: `name one to four ports, or --simulate <model>. ${none}` },
  { line: 'wirebench send', code: 2, says: `name a port. ${none}` },
  { line: 'wirebench flash', code: 2, says: 'name a port and a build' },
  {
    line: 'wirebench flash build/',
    code: 2,
    says: `name a port and a build: a folder, an archive, files or a release link. ${none}`,
  },
  { line: 'wirebench read', code: 2, says: `name a port and at most one file. ${none}` },
  { line: 'wirebench erase', code: 2, says: `name a port. ${none}` },
  { line: 'wirebench nvs', code: 2, says: `name a port. ${none}` },
  { line: 'wirebench efuses --newest', code: 3, says: `there is no USB port. ${none}` },
  { line: 'wirebench modbus --plan --units 7', code: 0, says: 'request' },
  {
    line: 'WIREBENCH_PORT=ttyUSB9 wirebench monitor --timeout 1',

    code: 3,
    says: '/dev/ttyUSB9 is not there.',
  },
];

const besideOne: readonly Row[] = [
  { line: 'wirebench monitor', code: 0, says: only, answers: quits },
  { line: 'wirebench monitor 9600', code: 0, says: 'connected (9600 8N1)', answers: quits },
  { line: 'wirebench monitor ttyUSB0 9600', code: 0, says: 'connected (9600 8N1)', never: /using/, answers: quits },
  { line: 'wirebench monitor 9600 --baud 19200', code: 2, says: 'the rate is named twice, 9600 and --baud 19200' },
  { line: 'wirebench monitor --json', code: 0, says: only, answers: quits },
  { line: 'wirebench modbus --units 7 --no-registers', code: 1, says: only },
  { line: 'wirebench flash', code: 2, says: 'name a port and a build', never: /using/ },
  { line: 'wirebench flash build/ 0x10000=app.bin --family esp --plan', code: 4, says: only },
  { line: 'wirebench flash nosuch/ --plan', code: 2, says: 'nosuch/ is not there: name a port and a build' },
  { line: 'wirebench flash https://bench.invalid/release.html --plan', code: 2, says: 'name a port and a build' },
  {
    line: 'wirebench flash app.bin --family esp --erase-all --yes',
    code: 2,
    says: 'without a terminal, flash --erase-all needs the name of its port.',
  },
  {
    line: 'wirebench erase --family esp --yes',
    code: 2,
    says: `without a terminal, erase needs the name of its port.${list(0)}\n`,
  },
  {
    line: 'wirebench erase --family esp --yes --no-tty',
    code: 2,
    says: 'without a terminal, erase needs the name',
    answers: [],
  },
  { line: 'wirebench erase --family esp --plan', code: 3, says: only, answers: [] },
  {
    line: 'wirebench restore board.zip --yes',
    code: 2,
    says: 'without a terminal, restore needs the name of its port.',
  },
  { line: 'wirebench restore', code: 2, says: 'name a port and a backup.', never: /using/ },
  { line: 'wirebench send', code: 2, says: `name a port. These ports are there:${list(0)}` },
  { line: 'wirebench send help --until got', code: 3, says: '/dev/help is not there.' },
  { line: 'wirebench send help', code: 3, says: '/dev/help is not there. These ports are there:', answers: [] },
  { line: 'wirebench read', code: 2, says: 'name a port and at most one file. These ports are there:' },
  { line: 'wirebench nvs set app key 3', code: 2, says: 'name a port. These ports are there:' },
  { line: 'wirebench test any.jkit.json', code: 0, says: only },
  {
    line: `wirebench ${asked} --port ttyUSB0 hello there`,
    code: 0,
    says: 'A50285BI got <hello there>',
    never: /using/,
  },
  {
    line: `echo hello | wirebench ${asked} --newest`,
    code: 0,
    says: 'wirebench: using /dev/ttyUSB0, the newest USB port (FT232R USB UART).',
  },
  {
    line: 'wirebench nvs --port ttyUSB0 --simulate esp32',
    code: 2,
    says: '--simulate takes the place of a port: leave --port out.',
  },
  {
    line: 'WIREBENCH_PORT=ttyUSB0 wirebench send ttyUSB9 help --until got',

    code: 3,
    says: '/dev/ttyUSB9 is not there.',
    never: /got </,
  },
  {
    line: 'wirebench send --port ttyUSB0 ttyUSB9 help --until got',
    code: 2,
    says: 'ttyUSB9 and --port ttyUSB0 are different ports: name the port once.',
    never: /got </,
  },
  {
    line: `WIREBENCH_PORT=ttyUSB0 wirebench ${asked} hello there`,

    code: 0,
    says: /using ttyUSB0, from WIREBENCH_PORT\.[\s\S]*A50285BI got <hello there>/,
  },
  { line: 'ESPPORT=/dev/ttyUSB9 wirebench nvs list', code: 3, says: 'wirebench: using /dev/ttyUSB9, from ESPPORT.' },
  { line: 'ESPTOOL_PORT=ttyUSB9 wirebench efuses', code: 3, says: 'wirebench: using ttyUSB9, from ESPTOOL_PORT.' },
  { line: `WIREBENCH_PORT="'ttyUSB0'" wirebench efuses`, code: 2, says: 'WIREBENCH_PORT has quotation marks' },
];

/** Names of ports that were unplugged, and of a drive that is not mounted. */
const absentNames = [
  '/dev/esp',
  'ttyACM7',
  'COM7',
  'cu.usbmodem1101',
  '10c4:ea60',
  'usb-Silicon_Labs_CP2102N_0001-if00-port0',
  'pci-0000:00:14.0-usb-0:6.1.2:1.0-port0',
  '/media/me/RPI-RP2',
];

const besideTwo: readonly Row[] = [
  {
    line: `WIREBENCH_PORT=ttyUSB0 wirebench ${asked} tcp://bench.invalid:4000 hello`,
    code: 3,
    says: /The name bench\.invalid has no address|The name server of this network did not answer for bench\.invalid/,
    never: /got </,
  },
  ...absentNames.map((name) => ({
    line: `WIREBENCH_PORT=ttyUSB0 wirebench ${asked} ${name} hello`,
    code: 3,
    says: `${name} is not there.`,
    never: /got </,
  })),
  { line: 'WIREBENCH_PORT=ttyUSB1 wirebench test any.jkit.json', code: 0, says: 'using ttyUSB1, from WIREBENCH_PORT.' },
  { line: 'wirebench test any.jkit.json --newest', code: 0, says: 'using /dev/ttyUSB1, the newest USB port' },
  { line: 'wirebench test any.jkit.json --junit x.xml 2> none.txt; cat x.xml', code: 0, says: '2 USB ports are there' },
  { line: 'wirebench monitor --profile lab', code: 0, says: 'ttyUSB1 connected', never: /using/, answers: quits },
  {
    line: 'WIREBENCH_PORT=ttyUSB0 wirebench monitor --profile lab',
    code: 0,
    says: 'ttyUSB1 connected',
    answers: quits,
  },
  {
    line: 'wirebench monitor 9600 --profile demo --port ttyUSB0',
    code: 0,
    says: 'ttyUSB0 connected (9600',
    answers: quits,
  },
  {
    line: 'wirebench monitor --profile last',
    code: 0,
    says: 'using /dev/ttyUSB1, the newest USB port',
    answers: quits,
  },
  { line: 'wirebench monitor --profile lab --newest 9600', code: 0, says: '/dev/ttyUSB1, the newest', answers: quits },
  { line: 'wirebench monitor', code: 2, says: several },
  { line: 'wirebench flash build/', code: 2, says: several },
  { line: 'wirebench erase', code: 2, says: several },
  { line: 'wirebench test any.jkit.json', code: 2, says: several },
  { line: 'wirebench send', code: 2, says: `name a port. These ports are there:${list(0, 1)}` },
  { line: `wirebench ${asked} --newest hello`, code: 0, says: 'B70001XY got <hello>' },
  { line: `wirebench ${asked} --port B70001XY hello`, code: 0, says: 'B70001XY got <hello>' },
  { line: `wirebench ${asked} --newest --port ttyUSB0 hello`, code: 0, says: 'A50285BI got <hello>' },
  { line: `wirebench ${asked} --port /dev/ttyUSB1 ttyUSB1 hello`, code: 0, says: 'B70001XY got <hello>' },
  {
    line: `wirebench ${asked} --port ttyUSB1 A50285BI hello`,
    code: 2,
    says: 'A50285BI and --port ttyUSB1 are different ports',
    never: /got </,
  },
  {
    line: `wirebench ${asked} --port ttyUSB1 --port ttyUSB0 hello`,
    code: 2,
    says: '--port ttyUSB1 and --port ttyUSB0 are different ports',
    never: /got </,
  },
  {
    line: 'wirebench monitor --port ttyUSB0 --port ttyUSB1',
    code: 0,
    says: /ttyUSB0 connected[\s\S]*ttyUSB1 connected/,
    answers: quits,
  },
  {
    line: `WIREBENCH_PORT=ttyUSB0 wirebench ${asked} B70001XY hello`,
    code: 0,
    says: 'B70001XY got <hello>',
    never: /using/,
  },
  { line: `WIREBENCH_PORT=ttyUSB1 ESPPORT=ttyUSB0 wirebench ${asked} hello`, code: 0, says: 'B70001XY got <hello>' },
  { line: 'WIREBENCH_PORT=ttyUSB0 wirebench flash ttyUSB8 build/ --plan', code: 3, says: '/dev/ttyUSB8 is not there.' },
];

describe.runIf(existsSync('/dev/shm'))('files in the memory of Linux', () => {
  it.each(['app.bin', 'ttyUSB8', '.'])('are no ports: %s', async (name) => {
    const folder = mkdtempSync('/dev/shm/wirebench-test-');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'app.bin'), 'no program');
    writeFileSync(join(folder, 'ttyUSB8'), 'a file that has the name of a port');
    await expect(looksLikePort(join(folder, name), [])).resolves.toBe(false);
  });

  it('leave devices beside them ports, there or not', async () => {
    await expect(looksLikePort('/dev/null', [])).resolves.toBe(true);
    await expect(looksLikePort('/dev/board-that-is-not-there', [])).resolves.toBe(true);
    await expect(looksLikePort('/dev/shm/app-that-is-not-there.bin', [])).resolves.toBe(false);
  });
});

describe.runIf(hasSocat && process.platform === 'linux')('a command', { timeout: 60_000 }, () => {
  it.concurrent.each(withoutPorts)('without a port on the machine: $line', async (row) => {
    expectRow(row, await ranBeside(0, row));
  });

  it.concurrent.each(besideOne)('beside one port: $line', async (row) => {
    expectRow(row, await ranBeside(1, row));
  });

  it.concurrent.each(besideTwo)('beside two ports: $line', async (row) => {
    expectRow(row, await ranBeside(2, row));
  });
});
