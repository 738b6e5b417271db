/**
 * Ctrl+C and a pulled cable at random moments of every command that has a port open: nothing hangs, each run ends with its
 * documented code, and the next run completes a write. A moment is a number of bytes on the cable.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AvrDevice,
  avrFirmware,
  avrFirmwareHex,
  type Device,
  NrfDevice,
  nrfFirmware,
  StmDevice,
  secureDfuPackage,
  stmFirmware,
} from '@wirebench/devices';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import type { ProgramProcess } from '@wirebench/server/testing/program-process.ts';
import { firstUnlessLong, isLong, randomBytes, randomNumber } from '@wirebench/test-input';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createModel } from '../../../packages/devices/src/models.ts';
import { agentClient } from './mcp/testing/agent-client.ts';
import { boardWith } from './testing/board-with-files.ts';
import { TestFolder } from './testing/built-files.ts';
import { wirebench } from './testing/monitored-port.ts';
import { ProgramDevice } from './testing/program-device.ts';
import { type CabledBoard, cabled, esp32, hasSocat, isSame } from './testing/served-board.ts';

const files = new TestFolder();
/** Longest time of a run until it counts as hanging, in milliseconds: none of them takes a tenth alone. */
const LIMIT = 90_000;
/** Moments for each command and each of the two ends. */
const rounds = isLong ? 5 : 1;

/** A command with the board that it works on. */
interface Worked {
  readonly name: string;
  /** Makes the board of one run, always with the same contents. */
  readonly board: () => Device | Promise<Device>;
  readonly args: (path: string, folder: string) => readonly string[];
  /** Memory that is the same after an interrupted run and a following one as after one run; missing: nothing is written. */
  readonly memory?: (board: never) => Uint8Array;
  /** Prepares the board for a run, such as the button of a person at its bootloader. */
  readonly ready?: (board: never) => Promise<unknown>;
  /** Resolves when the program has its port. Missing: with its first byte. */
  readonly begun?: (program: ProgramProcess) => Promise<unknown>;
  /** Bytes within which a command without an end of its own is ended. Missing: those of one whole run. */
  readonly bytes?: number;
}

const flashOf = (board: { readonly flash: { readonly size: number; read(at: number, length: number): Uint8Array } }) =>
  board.flash.read(0, board.flash.size).slice();
/** The program alone: the bootloader receives a second version of it into the bank behind it. */
const startOf = ({ flash }: NrfDevice) => flash.read(0, 0x1000 + nrfImage.length).slice();
const esp = ['--by-hand', '--family', 'esp', '--json'];
const stm = ['--by-hand', '--family', 'stm', '--json'];
const inUse = () => esp32({ seed: 71, flash: { content: 'demo' } });
const talker = () => new ProgramDevice(files.path, 'sh', '-c', 'while :; do echo tick; sleep 0.02; done');
const stmImage = stmFirmware({ text: 'random ends', size: 30_000 });
const stmBoard = () =>
  new StmDevice({
    part: 'stm32f407',
    powerUp: 'bootloader',
    wiring: 'by-hand',
    content: [{ address: 0x0800_0000, data: new Uint8Array(0x7000).fill(0x5a) }],
  });
const stmReady = async (board: StmDevice) => {
  board.pressReset();
  await vi.waitUntil(() => board.state === 'bootloader', 20_000);
};
const uno = () =>
  new AvrDevice({
    board: 'arduino-uno',
    patience: 20,
    resetAtOpen: true,
    content: [{ address: 0, data: avrFirmware({ lines: ['Sketch'], size: 6_000, seed: 3 }) }],
  });
const nrfImage = nrfFirmware({ board: 'nrf52840-secure', size: 16_384 }).image;
nrfImage.set(new TextEncoder().encode('another'), Buffer.from(nrfImage).indexOf('wirebench-boot-text'));
const data = randomBytes(120_000);
const text = files.saved('text.bin', randomBytes(20_000));
/** For XMODEM, of which rx takes ten blocks a second. */
const short = files.saved('short.bin', randomBytes(3_000));
const keys = files.saved(
  'keys.csv',
  [
    'key,type,encoding,value',
    'app,namespace,,',
    ...Array.from({ length: 40 }, (_, index) => `k${index},data,string,${'x'.repeat(100)}${index}`),
    '',
  ].join('\n'),
);
const asks = { content: 'info', expect: 'uptime', timeoutMs: 20_000 };
const jkit = files.saved('asks.jkit.json', JSON.stringify({ fields: Array(20).fill(asks) }));

/** A backup with other contents than the board in use has. */
let backup: string | null = null;
async function madeBackup(): Promise<string> {
  if (backup === null) {
    const other = esp32({ seed: 72, flash: { content: 'demo' } });
    const path = join(files.path, 'backup.zip');
    const program = wirebench(['backup', (await cabled(other)).path, path, ...esp]);
    expect(await program.exited, program.text()).toBe(0);
    backup = path;
  }
  return backup;
}

const transfers = (
  [
    ['--zmodem', ['rz', '--quiet', '--overwrite']],
    ['--ymodem', ['rb', '--quiet', '--overwrite']],
    ['--xmodem', ['rx', '--quiet', '--with-crc', 'short.bin']],
  ] as const
)
  .filter(([, [program]]) => spawnSync(program, ['--version']).status === 0)
  .map(([flag, command]): Worked => {
    const inbox = mkdtempSync(join(tmpdir(), 'wirebench-inbox-'));
    afterAll(() => rmSync(inbox, { recursive: true, force: true }));
    return {
      name: `send ${flag}`,
      board: () => new ProgramDevice(inbox, ...command),
      args: (path) => ['send', path, flag, '--file', flag === '--xmodem' ? short : text],
    };
  });

const commands: readonly Worked[] = [
  {
    name: 'flash an ESP32',
    board: () => esp32({ seed: 73 }),
    args: (path) => ['flash', path, `0x200000=${files.saved('data.bin', data)}`, '--yes', ...esp],
    memory: flashOf,
  },
  {
    name: 'import NVS',
    board: inUse,
    args: (path) => ['nvs', path, 'import', keys, '--yes', '--by-hand', '--json'],
    memory: flashOf,
  },
  {
    name: 'monitor',
    board: talker,
    args: (path) => ['monitor', path, '--no-reconnect', '--no-tty', '--log', join(files.path, 'monitor.txt')],
    begun: (program) => program.until(/connected/),
    bytes: 300,
  },
  { name: 'read an ESP32', board: inUse, args: (path, folder) => ['read', path, join(folder, 'r.bin'), ...esp] },
  {
    name: 'erase an ESP32',
    board: inUse,
    args: (path) => ['erase', path, '--yes', '--range', '0x10000+0x80000', ...esp],
    memory: flashOf,
  },
  {
    name: 'back up an ESP32',
    board: inUse,
    args: (path, folder) => ['backup', path, join(folder, 'b.zip'), '--part', 'nvs', '--part', 'ota_0', ...esp],
  },
  {
    name: 'restore an ESP32',
    board: inUse,
    args: (path) => ['restore', path, backup ?? '', '--yes', ...esp],
    memory: flashOf,
  },
  { name: 'list NVS', board: inUse, args: (path) => ['nvs', path, 'list', '--by-hand', '--json'] },
  {
    name: 'put files into flash',
    board: () => boardWith('littlefs', 74),
    args: (path) => ['files', path, 'put', text, '--in', 'flash', '--yes', '--by-hand', '--json'],
    memory: flashOf,
  },
  { name: 'show eFuses', board: inUse, args: (path) => ['efuses', path, '--by-hand', '--json'] },
  {
    name: 'put files over MicroPython',
    board: () => MicroPythonBoard.load({ files: { '/boot.py': 'x = 1\n' } }),
    args: (path) => ['files', path, 'put', text, '--in', 'python', '--yes', '--json'],
    memory: ({ files: stored }: MicroPythonBoard) => stored.get('/text.bin')?.slice() ?? new Uint8Array(),
  },
  {
    name: 'flash an STM32',
    board: stmBoard,
    ready: stmReady,
    args: (path) => ['flash', path, files.saved('stm.bin', stmImage), '--yes', ...stm],
    memory: flashOf,
  },
  {
    name: 'read an STM32',
    board: stmBoard,
    ready: stmReady,
    args: (path, folder) => ['read', path, join(folder, 's.bin'), '--range', '0x08000000+0x8000', ...stm],
  },
  {
    name: 'erase an STM32',
    board: stmBoard,
    ready: stmReady,
    args: (path) => ['erase', path, '--yes', ...stm],
    memory: flashOf,
  },
  {
    name: 'flash an Arduino Uno',
    board: uno,
    args: (path) => ['flash', path, files.saved('uno.hex', avrFirmwareHex({ size: 5_000 })), '--yes', '--json'],
    memory: flashOf,
  },
  {
    name: 'back up an Arduino Uno',
    board: uno,
    args: (path, folder) => ['backup', path, join(folder, 'uno.hex'), '--family', 'avr', '--json'],
  },
  {
    name: 'flash a Nordic board',
    board: () => new NrfDevice({ board: 'nrf52840-secure', powerUp: 'bootloader' }),
    args: (path) => [
      'flash',
      path,
      files.saved('nrf.zip', secureDfuPackage([{ kind: 'application', image: nrfImage }])),
      '--yes',
      '--json',
    ],
    memory: startOf,
  },
  {
    name: 'send a text',
    board: talker,
    args: (path) => ['send', path, 'info', '--until', 'never', '--timeout', '60'],
    bytes: 600,
  },
  ...transfers,
  {
    name: 'test',
    board: () => createModel('chatty', { seed: 3 }),
    args: (path, folder) => ['test', jkit, '--port', path, '--settle', '0', '--junit', join(folder, 'j.xml')],
    bytes: 3_000,
  },
];

type Ending = 'a pulled cable' | 'Ctrl+C';

/** Ends of each command, and what they left. */
const table: string[] = [];

describe.runIf(hasSocat)(
  'Ctrl+C and a pulled cable at random moments',
  { timeout: isLong ? 1_800_000 : 120_000 },
  () => {
    afterAll(() => {
      if (isLong) {
        process.stderr.write(`${table.join('\n')}\n`);
      }
    });

    interface RunParts {
      readonly args: (path: string, folder: string) => readonly string[];
      readonly folder: string;
      /** Called when the program has its port. */
      readonly end?: (cable: CabledBoard, interrupt: () => void) => void;
    }

    /** Runs a command to its end, whatever ends it. `bytes` have passed since it had its port. */
    async function run({ ready, begun }: Worked, board: Device, { args, folder, end }: RunParts) {
      const cable = await cabled(board);
      await ready?.(board as never);
      const program = wirebench(args(cable.path, folder), {}, { folder });
      let start = 0;
      const hasPort =
        begun?.(program) ?? vi.waitUntil(() => cable.terminal.got.length > 0, { timeout: LIMIT, interval: 2 });
      void hasPort.then(
        () => {
          start = cable.passed;
          end?.(cable, () => program.interrupt());
        },
        () => 'it ended before',
      );
      let late: NodeJS.Timeout | undefined;
      const hangs = new Promise<never>((_, reject) => {
        late = setTimeout(() => reject(new Error(`It hangs after ${cable.passed} bytes:\n${program.text()}`)), LIMIT);
      });
      const code = await Promise.race([program.exited, hangs]).finally(() => clearTimeout(late));
      cable.pull();
      return { code, text: program.text(), bytes: cable.passed - start };
    }

    /** Carries out what the program has said about a change that was cut, and then the command itself. */
    async function madeGood(worked: Worked, board: Device, said: string, folder: string, where: string) {
      const [, back] = /: "wirebench ([^"]+)" writes them back/.exec(said) ?? [];
      if (back !== undefined) {
        const [name = '', , ...rest] = back.split(' ');
        const args = (path: string) => [name, path, ...rest, '--by-hand', '--yes'];
        const restored = await run(worked, board, { args, folder });
        expect(restored.code, `${where}\nand then:\n${restored.text}`).toBe(0);
      }
      const next = await run(worked, board, { args: worked.args, folder });
      expect(next.code, `${where}\nand then:\n${next.text}`).toBe(0);
    }

    it.each(firstUnlessLong(commands, 2))(
      '$name ends with its code, and the next run completes a write',
      async (worked) => {
        await madeBackup();
        const whole = await worked.board();
        const own = () => mkdtempSync(join(files.path, 'run-'));
        const { args } = worked;
        let total = worked.bytes ?? 0;
        if (worked.bytes === undefined) {
          const done = await run(worked, whole, { args, folder: own() });
          expect(done.code, done.text).toBe(0);
          total = done.bytes;
        }
        const ends: Ending[] = ['a pulled cable', 'Ctrl+C'];
        for (const end of ends) {
          const codes: (number | null)[] = [];
          for (let round = 0; round < rounds; round++) {
            const board = await worked.board();
            const at = Math.floor(randomNumber() * total);
            const folder = own();
            const cut = await run(worked, board, {
              args,
              folder,
              end: (cable, interrupt) => cable.after(at, end === 'Ctrl+C' ? interrupt : () => cable.pull()),
            });
            codes.push(cut.code);
            const where = `${worked.name}, ${end} after ${at} of ${total} bytes:\n${cut.text}`;
            expect([0, end === 'Ctrl+C' ? 130 : 3], where).toContain(cut.code);
            expect(cut.text, where).not.toMatch(/ {4}at |Error: /);
            if (worked.memory !== undefined) {
              await madeGood(worked, board, cut.text, folder, where);
              expect(isSame(worked.memory(board as never), worked.memory(whole as never)), where).toBe(true);
            }
          }
          table.push(`${worked.name.padEnd(28)} ${end.padEnd(15)} ${codes.join(' ')}`);
        }
      },
    );

    it('an agent reads that its board was unplugged, and its program goes on', async () => {
      for (let round = 0; round < rounds; round++) {
        const cable = await cabled(createModel('chatty', { seed: 4 }));
        const agent = await agentClient('--allow', `port=${cable.path},send`);
        onTestFinished(() => agent.close());
        await agent.call('open_port', { port: cable.path });
        await agent.call('send', { port: cable.path, text: 'help', ending: 'cr' });
        cable.after(Math.floor(randomNumber() * 400), () => cable.pull());
        const waited = await agent.call('wait_for', { port: cable.path, pattern: 'never', timeout_s: 1 });
        expect(waited.said).toMatch(/Not yet|not open|unplugged/);
        cable.pull();
        const state = async () => (await agent.call('read_port', { port: cable.path })).said;
        await expect.poll(state, { timeout: 20_000 }).toContain('was unplugged');
        await agent.close();
      }
    });
  },
);
