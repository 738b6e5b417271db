import { VirtualClock } from '@wirebench/clock';
import type { RomBoard } from '@wirebench/flasher/esp/rom';
import { runOn } from '@wirebench/flasher/testing';
import { describe, expect, it } from 'vitest';
import { LabError } from '../lab-failure.ts';
import { asOfProgram, type ChipState, type Recovery, recover } from './recovery.ts';

const signal = new AbortController().signal;
const start =
  'ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\nentry 0x40080698\r\n';
const started = `${start}hello from the program\r\n`;
const flood = 'temperature 21.5, humidity 40\r\n'.repeat(500);

/** Returns the diagnosis of a board that printed `text` in place of an answer and answers nothing but its state, if that is given. */
function saidOf(
  text: string,
  synchronise: Recovery['synchronise'] = async () => false,
  { answersAfterReset = false, state = null }: { answersAfterReset?: boolean; state?: ChipState | null } = {},
) {
  const board = {
    link: { text, quiet: async () => undefined },
    reset: async () => answersAfterReset,
  } as unknown as RomBoard;
  const clock = new VirtualClock();
  return runOn(clock, recover({ clock, limit: 1_000, signal, board, synchronise, readState: async () => state }));
}

it('a chip that prints its start is reported as restarted', async () => {
  expect(await saidOf(started)).toMatchObject({ code: 'restarted' });
});

it('a board that prints without end is reported as printing, with a quote, not as restarted', async () => {
  const failure = await saidOf(flood);
  expect(failure).toMatchObject({
    code: 'printing',
    detail: expect.stringMatching(/^It printed: temperature/),
  });
  expect(failure?.detail?.length).toBeLessThan(250);
});

describe('a chip that answers after it has printed its start', () => {
  const answers = async () => true;

  it('is taken as it is if it has kept its state: what it printed came late', async () => {
    expect(await saidOf(started, answers, { state: 'kept' })).toBeNull();
  });

  it.each(['lost', 'unknown', null] as const)('is reported as restarted if its state is %s', async (state) => {
    expect(await saidOf(started, answers, { state })).toMatchObject({ code: 'restarted' });
  });

  it('is reported as printing, state or not, if that is not a start', async () => {
    expect(await saidOf(flood, answers, { state: 'kept' })).toMatchObject({ code: 'printing' });
  });
});

/** Synchronises until the time limit, as with a board that keeps printing. */
const untilLate = (late: AbortSignal) =>
  new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason)));

it('a board that still prints when the time is over is not reported as restarted', async () => {
  expect(await saidOf(flood, untilLate)).toMatchObject({ code: 'printing' });
});

it('a silent board is reported as stopped, without a further cause', async () => {
  expect(await saidOf('')).toMatchObject({ code: 'stopped-answering', detail: null });
});

it('a board that answers after a reset is reported as stopped, not as crashed', async () => {
  expect(await saidOf('', undefined, { answersAfterReset: true })).toMatchObject({ code: 'rom-stopped', detail: null });
});

it('a crash that the ROM prints is reported with a quote', async () => {
  const panic = 'Fatal exception (28): \r\nepc1=0x40000f7f, epc2=0x00000000\r\n';
  expect(await saidOf(panic, undefined, { answersAfterReset: true })).toMatchObject({
    code: 'rom-crashed',
    detail: panic.trim(),
  });
});

it('a stopped ROM is reported as a stopped program where a program answers, with its text', () => {
  expect(asOfProgram(new LabError('rom-stopped'))).toMatchObject({ code: 'program-stopped', detail: null });
  expect(asOfProgram(new LabError('rom-crashed', { detail: 'Fatal exception' }))).toMatchObject({
    code: 'program-stopped',
    detail: 'Fatal exception',
  });
  expect(asOfProgram(new LabError('restarted'))).toMatchObject({ code: 'restarted' });
});
