import { VirtualClock } from '@wirebench/clock';
import type { RomBoard } from '@wirebench/flasher/espressif/rom';
import { runOn } from '@wirebench/flasher/testing';
import { expect, it } from 'vitest';
import { LabError } from '../lab-failure.ts';
import { asOfProgram, type Recovery, recover } from './recovery.ts';

const signal = new AbortController().signal;
const start =
  'ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\nentry 0x40080698\r\n';
const flood = 'temperature 21.5, humidity 40\r\n'.repeat(500);

/** Returns the diagnosis of a board that printed `text` in place of an answer and answers nothing. */
function saidOf(text: string, synchronise: Recovery['synchronise'] = async () => false, answersAfterReset = false) {
  const board = {
    link: { text, quiet: async () => undefined },
    reset: async () => answersAfterReset,
  } as unknown as RomBoard;
  const clock = new VirtualClock();
  return runOn(clock, recover({ clock, limit: 1_000, signal, board, synchronise, isStillSet: async () => null }));
}

it('a chip that prints its start has restarted', async () => {
  expect(await saidOf(`${start}hello from the program\r\n`)).toMatchObject({ code: 'restarted' });
});

it('of a board that prints without an end it is said that it does, and what, and not that it restarted', async () => {
  const failure = await saidOf(flood);
  expect(failure).toMatchObject({
    code: 'printing',
    detail: expect.stringMatching(/^It printed: temperature/),
  });
  expect(failure?.detail?.length).toBeLessThan(250);
});

/** Synchronises until the time limit, as with a board that keeps printing. */
const untilLate = (late: AbortSignal) =>
  new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason)));

it('nor is it said of one that is still printing when the time is over', async () => {
  expect(await saidOf(flood, untilLate)).toMatchObject({ code: 'printing' });
});

it('a silent board has stopped answering, and no more is said', async () => {
  expect(await saidOf('')).toMatchObject({ code: 'stopped-answering', detail: null });
});

it('one that answers after a reset has stopped too: nothing says that it crashed', async () => {
  expect(await saidOf('', undefined, true)).toMatchObject({ code: 'rom-stopped', detail: null });
});

it('a ROM has crashed when it says so, and is quoted', async () => {
  const panic = 'Fatal exception (28): \r\nepc1=0x40000f7f, epc2=0x00000000\r\n';
  expect(await saidOf(panic, undefined, true)).toMatchObject({ code: 'rom-crashed', detail: panic.trim() });
});

it('where a program answers, the program has stopped, and what was printed stays', () => {
  expect(asOfProgram(new LabError('rom-stopped'))).toMatchObject({ code: 'program-stopped', detail: null });
  expect(asOfProgram(new LabError('rom-crashed', { detail: 'Fatal exception' }))).toMatchObject({
    code: 'program-stopped',
    detail: 'Fatal exception',
  });
  expect(asOfProgram(new LabError('restarted'))).toMatchObject({ code: 'restarted' });
});
