/**
 * Checks the boards of the tests with avrdude, which flashes genuine boards: what it writes through a pseudo-terminal is
 * in the flash afterwards. Runs where avrdude, libsimavr, a compiler and Debian's bootloaders are installed.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GenuineBoardName, genuineBoards } from './genuine-boards.ts';
import { provideSimavrBoard } from './simavr-process.ts';
import { SimavrTerminal } from './simavr-terminal.ts';
import { sketch } from './sketches.ts';

const board = provideSimavrBoard();
const hasAvrdude = spawnSync('avrdude', ['-?'], { stdio: 'ignore' }).error === undefined;
const program = hasAvrdude && 'program' in board ? board.program : '';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-avrdude-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function withBoard(name: GenuineBoardName, work: (board: SimavrTerminal) => Promise<void>): Promise<void> {
  const terminal = await SimavrTerminal.start(program, name);
  try {
    await work(terminal);
  } finally {
    await terminal.end();
  }
}

/** Runs avrdude and returns its output. */
async function avrdude(name: GenuineBoardName, path: string, ...operations: readonly string[]): Promise<string> {
  const { mcu, baudRate } = genuineBoards[name];
  const protocol = name === 'mega' ? 'wiring' : 'arduino';
  const args = ['-c', protocol, '-p', mcu, '-b', `${baudRate}`, '-P', path, '-D'];
  const operands = operations.flatMap((operation) => ['-U', operation]);
  const { stderr } = await promisify(execFile)('avrdude', [...args, ...operands], { timeout: 60_000 });
  return stderr;
}

describe.runIf(program !== '')('avrdude on genuine bootloaders in simavr', () => {
  it.each([
    ['uno', '0x1e950f'],
    ['nano', '0x1e950f'],
    ['oldNano', '0x1e950f'],
    ['mega', '0x1e9801'],
  ] as const)('identifies, writes, verifies and reads %s', async (name, signature) => {
    const bytes = sketch(1_000);
    const [written, copy] = [join(folder, `${name}.bin`), join(folder, `${name}-copy.bin`)];
    writeFileSync(written, bytes);
    await withBoard(name, async (terminal) => {
      const before = await terminal.flash();
      const output = await avrdude(name, terminal.path, `flash:w:${written}:r`, `signature:r:${copy}:h`);
      expect(output).toContain(`device signature = ${signature}`);
      expect(output).toContain('1000 bytes of flash verified');
      const after = await terminal.flash();
      expect(after.subarray(0, 1_000)).toEqual(bytes);
      expect(after.subarray(1_024)).toEqual(before.subarray(1_024));
    });
  });

  it('writes and reads the EEPROM of ATmegaBOOT', async () => {
    const bytes = sketch(64, 3);
    const [written, copy] = [join(folder, 'eeprom.bin'), join(folder, 'eeprom-copy.bin')];
    writeFileSync(written, bytes);
    await withBoard('oldNano', async (terminal) => {
      await avrdude('oldNano', terminal.path, `eeprom:w:${written}:r`, `eeprom:r:${copy}:r`);
      expect((await terminal.eeprom()).subarray(0, 64)).toEqual(bytes);
      expect(new Uint8Array(readFileSync(copy)).subarray(0, 64)).toEqual(bytes);
    });
  });
});
