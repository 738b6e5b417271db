import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { SeriesSpectrum, SpectrumCurve } from '@wirebench/serial/spectrum';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../../shared/testing/stores.ts';
import { addBrowserParts } from '../../../../workbench/testing/browser-parts.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import type { PlotFacts } from './plot-curves.tsx';
import { choosePlot, plotNow, setLook } from './plot-store.ts';
import { SpectrumPlane } from './spectrum-plane.tsx';

addBrowserParts();
const call = fakeBench();

const series = (id: number, name: string): PlotFacts['series'][number] => ({
  id,
  port: 1,
  name,
  unit: 'mm/s²',
  points: 100,
  dropped: 0,
  last: 1,
  low: 0,
  high: 1,
  valueNames: new Map(),
  from: 0,
  to: 1_000,
  hasBoardTimes: false,
  wholeValues: null,
});

const even = { kind: 'even', first: 0, count: 1_024, gaps: 0, clock: 'lines', jitter: 0.3, bursts: 1_024 } as const;

const drawn: SpectrumCurve = {
  id: 1,
  columns: Float64Array.of(0, 2, 0, 0.02, 0),
  frequencies: Float64Array.of(0, 120.1, 250, 360.4, 500),
  top: 500,
  bin: 0.98,
  points: 1_024,
  window: 'hann',
  peaks: [
    { frequency: 120.1, amplitude: 2 },
    { frequency: 360.4, amplitude: 0.02 },
  ],
  sampling: { ...even, from: 'times', rate: 1_000.2, uncertainty: 0.04 },
};

function showSpectra(...spectra: readonly SeriesSpectrum[]): void {
  call.mockResolvedValue(spectra);
  render(<SpectrumPlane shown={spectra.map(({ id }) => series(id, `curve ${id}`))} hidden={[]} />);
}

const region = (id: number) => screen.findByRole('region', { name: `Spectrum of curve ${id}` });
const head = () => within(screen.getByRole('list', { name: 'Spectra' })).getByRole('listitem');
const plain = (text: string | null | undefined) => text?.replaceAll(/\s/g, ' ');

beforeEach(() => resetStores());
afterEach(() => {
  cleanup();
  call.mockReset();
});

describe('spectra', () => {
  it('name the peaks, the window, the points, the bin, the reference, and the source of the rate', async () => {
    showSpectra(drawn);
    const facts = await region(1);
    const rows = within(facts)
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent).join(' | '));
    expect(rows).toEqual([
      'curve 1 | Hz | dB | mm/s²',
      '1st peak | 120.1 | 6.0 | 2',
      '2nd peak | 360.4 | −34.0 | 0.02',
    ]);
    expect(plain(facts.querySelector('p')?.textContent)).toContain(
      'Hann window, 1 024 points, 0.98 Hz a bin, 0 dB = 1 mm/s². Rate about 1 000.2 Hz, estimated from the times of the lines, jitter 0.3 ms. No gaps.',
    );
    expect(head().textContent).toBe('curve 1120.1 Hz6.0 dB');
  });

  it.each([
    [{ ...even, from: 'given', rate: 1_000, uncertainty: 0, jitter: 0 }, 'Rate 1 000 Hz, as you set it. No gaps.'],
    [
      { ...even, from: 'bursts', rate: 999.93, uncertainty: 0.5, jitter: 2, bursts: 64, gaps: 2 },
      'Rate about 999.9 Hz, estimated from 1 024 points in 64 bursts, jitter 2 ms. 2 gaps: the longest part without one is read.',
    ],
    [
      { ...even, from: 'times', rate: 50, uncertainty: 0, jitter: 0, clock: 'board' },
      'Rate about 50 Hz, estimated from the times of the board, no jitter. No gaps.',
    ],
    [
      {
        kind: 'uneven',
        first: 0,
        count: 700,
        gaps: 1,
        clock: 'adapter',
        rate: 20,
        top: 14,
        shortest: 35.71,
        longest: 10_000,
        isGrid: true,
      },
      'About 20 points a second, 35.7 to 10 000 ms apart, read at the time stamps of the adapter (Lomb–Scargle). 1 gap, not drawn across.',
    ],
  ] as const)('say where the rate came from: %o', async (sampling, text) => {
    showSpectra({ ...drawn, sampling });
    expect(plain((await region(1)).textContent)).toContain(text);
  });

  it.each([
    [{ reason: 'few-points', gaps: 0 }, 'Too few points: a spectrum needs 8. Show a longer part, or wait for more.'],
    [
      { reason: 'few-points', gaps: 3 },
      'Too few points between two gaps: a spectrum needs 8. Show a longer part, or wait for more.',
    ],
    [
      { reason: 'one-time' },
      'All points came at one time, so their rate is not known. Set the rate, or let the board send its time with each value, as in >name:1200:21.5.',
    ],
    [
      { reason: 'unknown-times' },
      'This log has no times, so the rate of its points is not known. Set the rate, or mark the times if its lines have some.',
    ],
    [
      { reason: 'few-bursts', bursts: 12 },
      'The points came at 12 times. A rate is estimated from 20 on. Show a longer part, or set the rate.',
    ],
    [
      { reason: 'uneven-bursts', late: 5.04 },
      'The points came in bursts that are 5 ms early or late, too much to estimate a rate. Show a longer part, or set the rate.',
    ],
    [
      { reason: 'uneven-times', shortest: 10, longest: 990 },
      'The points are 10 to 990 ms apart. Such times would show frequencies that are not there. Set the rate, or let the board send its time with each value, as in >name:1200:21.5.',
    ],
  ] as const)('say why a curve has none, and what to do: %o', async (missing, text) => {
    showSpectra(drawn, { id: 2, ...missing });
    await region(2);
    const places = screen.getByRole('list', { name: 'Curves without a spectrum' });
    expect([...places.children].map((place) => place.textContent)).toEqual(['', text]);
  });

  it('name the line that arrow keys point at, from the highest peak on', async () => {
    showSpectra(drawn);
    await region(1);
    const area = screen.getByRole('group', { name: 'Spectrum: arrow keys move the pointer' });
    const said = () => screen.getByRole('status').textContent;
    fireEvent.keyDown(area, { key: 'ArrowRight' });
    expect(said()).toBe('curve 1: 120.1 Hz, 6.0 dB.');
    fireEvent.keyDown(area, { key: 'ArrowRight' });
    expect(said()).toBe('curve 1: 250 Hz, −∞ dB.');
    expect(head().textContent).toBe('curve 1250 Hz−∞ dB');
    fireEvent.keyDown(area, { key: 'End' });
    fireEvent.keyDown(area, { key: 'ArrowLeft' });
    fireEvent.click(screen.getByRole('radio', { name: 'Amplitude' }));
    expect(said()).toBe('curve 1: 360.4 Hz, 0.02 mm/s².');
    fireEvent.keyDown(area, { key: 'Escape' });
    expect(said()).toBe('');
    expect(head().textContent).toBe('curve 1120.1 Hz2 mm/s²');
  });

  it('give way to the curves over time if the worker cannot load them', async () => {
    call.mockRejectedValue(new Error('Failed to fetch'));
    setLook('spectrum');
    render(<SpectrumPlane shown={[series(1, 'curve 1')]} hidden={[]} />);
    await expect.poll(() => plotNow().look).toBe('time');
  });

  it('are read with the window and the rate that are set, which the curve keeps', async () => {
    showSpectra(drawn);
    const facts = await region(1);
    fireEvent.change(screen.getByRole('combobox', { name: 'Window' }), { target: { value: 'flat-top' } });
    fireEvent.click(within(facts).getByRole('button', { name: 'Set the rate of curve 1' }));
    const form = within(facts).getByRole('form', { name: 'Rate of curve 1' });
    const field = within(form).getByRole('textbox', { name: 'Points a second' });
    fireEvent.change(field, { target: { value: 'fast' } });
    fireEvent.submit(form);
    expect(form.textContent).toContain('Enter a number of points a second above 0, as 1000.');
    fireEvent.change(field, { target: { value: '99,5' } });
    fireEvent.submit(form);
    expect(within(facts).queryByRole('form')).toBeNull();
    await expect
      .poll(() => call.mock.lastCall)
      .toMatchObject(['plotSpectra', {}, { window: 'flat-top', rates: { 1: 99.5 } }]);
    choosePlot({ format: 'named' });
    expect(plotNow().rates).toEqual({ '1 curve 1': 99.5 });
    fireEvent.click(within(facts).getByRole('button', { name: 'Estimate the rate of curve 1' }));
    expect(plotNow().rates).toEqual({});
  });
});
