/** The log of `wirebench flash --until`: from the first byte after the restart, also over a port that vanishes. */
import { espFirmwareSet } from '@wirebench/devices';
import type { Family, FamilyBoard } from '@wirebench/flasher/family';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { readAwaited } from '../awaited-text.ts';
import type { BoardRun } from '../board/board-run.ts';
import { TestFolder } from '../testing/built-files.ts';
import { ran, wirebench } from '../testing/monitored-port.ts';
import { cabled, esp32, hasSocat } from '../testing/served-board.ts';
import { followProgram } from './follow-program.ts';

const files = new TestFolder();
const lamp = (chip: 'esp32' | 'esp32c3') => {
  const set = espFirmwareSet({ chip, project: 'lamp', version: '1.0.0', text: 'on' });
  return files.espBuild(`lamp-${chip}`, set, chip).path;
};
const untilLamp = ['--yes', '--until', 'Project name:     lamp', '--timeout', '20'];
/** Output behind the result of the write. */
const logIn = (text: string) => text.replace(/^[\s\S]*?verified in .*\n(?:The board did not restart.*\n)?/, '');

describe('the log after a flash', { timeout: 60_000 }, () => {
  it('begins with the first line of the ROM on a chip with its own USB', async () => {
    const { code, text } = await ran('flash', '--simulate', 'esp32c3-usb', lamp('esp32c3'), ...untilLamp);
    expect(code, text).toBe(0);
    expect(logIn(text)).toMatch(/^ESP-ROM:esp32c3-api1-20210207\r?\n/);
  });

  it('begins with the first line of the ROM behind an adapter, and has it once', async () => {
    const { code, text } = await ran('flash', '--simulate', 'esp32', lamp('esp32'), ...untilLamp);
    expect(code, text).toBe(0);
    expect(logIn(text)).toMatch(/^ets Jul 29 2019 12:21:46\r?\n/);
    expect(text.match(/ets Jul 29 2019/g)).toHaveLength(1);
  });

  it.runIf(hasSocat)('goes on over a port that vanishes and comes back, from its first byte', async () => {
    const device = esp32({ seed: 41, powerUp: 'attach', flash: { content: 'demo' } });
    device.holdBoot(true);
    const board = await cabled(device);
    device.holdBoot(false);
    const { path } = files.espBuild('real');
    const program = wirebench(['flash', board.path, path, '--by-hand', '--yes', '--until', 'boot:0x13']);
    await program.until(/verified in/);
    board.pull();
    await board.plug(115_200);
    expect(await program.exited, program.text()).toBe(0);
    expect(logIn(program.text())).toMatch(/^ets Jul 29 2019 12:21:46\r?\n/);
  });

  it('has what a board that a person restarts has printed before its port is opened again', async () => {
    const never = new AbortController();
    const texts: string[] = [];
    const run = {
      options: { byHand: true },
      output: {
        text: (bytes: Uint8Array, decoder: TextDecoder) => texts.push(decoder.decode(bytes, { stream: true })),
        endText: () => undefined,
        step: () => undefined,
      },
      ended: { signal: never.signal, readerGone: never.signal },
      port: {},
    } as unknown as BoardRun;
    const board = {
      facts: { family: 'esp', console: { lines: { dtr: false, rts: false }, reset: 'circuit' } },
      hearsProgram: true,
      over: never.signal,
      close: async () => undefined,
    } as unknown as FamilyBoard;
    const awaited = readAwaited({ until: 'boot:0x13' });
    const early = ['ets Jul 29 2019\n', 'rst:0x1,boot:0x13\n'].map((text) => new TextEncoder().encode(text));
    const parts = { family: {} as Family, board, early, awaited, wait: 5_000, logRate: null };
    expect(await followProgram(run, parts)).toBe(0);
    expect(texts[0]).toBe('ets Jul 29 2019\n');
  });

  it.runIf(hasSocat && isLong)('ends with 3 when the port does not come back', async () => {
    const device = esp32({ seed: 42 });
    const board = await cabled(device);
    const { path } = files.espBuild('gone');
    const program = wirebench(['flash', board.path, path, '--by-hand', '--yes', '--until', 'never']);
    await program.until(/verified in/);
    board.pull();
    expect(await program.exited, program.text()).toBe(3);
    expect(program.text()).toContain('the board was unplugged.');
  });
});
