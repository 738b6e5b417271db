/** Ctrl+C and a pulled cable at random moments of the commands that work on a board. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLong, randomBytes, randomNumber } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { TestFolder } from '../testing/built-files.ts';
import { ran, wirebench } from '../testing/monitored-port.ts';
import { cabled, esp32, hasSocat, isSame, served } from '../testing/served-board.ts';

const files = new TestFolder();
const esp = ['--by-hand', '--family', 'esp', '--json'];
/** Matches once a program has printed this many lines. */
const linesOf = (count: number) => new RegExp(`(?:.*\\n){${count}}`);
const rounds = isLong ? 60 : 1;

describe.runIf(hasSocat)('work that is interrupted', { timeout: isLong ? 1_200_000 : 60_000 }, () => {
  it('is completed by the same command after Ctrl+C at a random moment of a flash', async () => {
    const codes = new Set<number | null>();
    for (let round = 0; round < rounds; round++) {
      const device = esp32({ seed: 61 + round, profile: 'real-flash' });
      const data = randomBytes(200_000);
      const args = [`0x200000=${files.saved('data.bin', data)}`, '--yes', ...esp];
      const program = wirebench(['flash', (await served(device)).path, ...args]);
      await Promise.race([
        program.until(linesOf(1 + Math.floor(randomNumber() * 40))).catch(() => 'ended'),
        program.exited,
      ]);
      program.interrupt();
      const ended = await program.exited;
      codes.add(ended);
      expect([0, 130], program.text()).toContain(ended);
      const { code, text } = await ran('flash', (await served(device)).path, ...args);
      expect(code, text).toBe(0);
      expect(isSame(device.flash.read(0x200000, data.length), data)).toBe(true);
    }
    // One round may come too late.
    expect(rounds === 1 || codes.has(130)).toBe(true);
  });

  const backup = join(files.path, 'backup.zip');
  const commands: readonly (readonly string[])[] = [
    ['flash', `0x200000=${files.saved('long.bin', new Uint8Array(200_000).fill(0x5a))}`, '--yes'],
    ['read', join(files.path, 'read.bin'), '--range', '0x10000+0x80000'],
    ['erase', '--yes', '--range', '0x10000+0x80000'],
    ['backup', backup, '--part', 'nvs', '--part', 'factory'],
  ];
  it.each(commands)('ends with 3 after the cable was pulled at a random moment: %s', async (name, ...args) => {
    const codes = new Set<number | null>();
    for (let round = 0; round < rounds; round++) {
      rmSync(backup, { force: true });
      const board = await cabled(esp32({ seed: 161 + round, profile: 'real-flash' }));
      const program = wirebench([name ?? '', board.path, ...args, ...esp]);
      await Promise.race([
        program.until(linesOf(1 + Math.floor(randomNumber() * 20))).catch(() => 'ended'),
        program.exited,
      ]);
      board.pull();
      // Everything may have been done before.
      const code = await program.exited;
      codes.add(code);
      expect([0, 3], program.text()).toContain(code);
      expect(code === 0 || /unplugged|is gone|not there|not plugged in/.test(program.text()), program.text()).toBe(
        true,
      );
    }
    expect(rounds === 1 || codes.has(3)).toBe(true);
  });
});
