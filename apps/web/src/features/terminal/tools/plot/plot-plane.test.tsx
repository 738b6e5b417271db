import { cleanup, render, screen, within } from '@testing-library/react';
import type { SeriesSpectrum } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../../shared/testing/stores.ts';
import { addBrowserParts } from '../../../../workbench/testing/browser-parts.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import type { PlotFacts } from './plot-curves.tsx';
import { PlotPlane } from './plot-plane.tsx';

addBrowserParts();
const call = fakeBench();

const series = (id: number, name: string): PlotFacts['series'][number] => ({
  id,
  port: 1,
  name,
  unit: '',
  points: 100,
  dropped: 0,
  last: 1,
  low: 0,
  high: 1,
  valueNames: new Map(),
  from: 0,
  to: 1_000,
  hasBoardTimes: false,
});

function showSpectra(...spectra: readonly SeriesSpectrum[]): void {
  call.mockResolvedValue(spectra);
  const shown = spectra.map(({ id }) => series(id, `curve ${id}`));
  render(<PlotPlane look="spectrum" shown={shown} hidden={[]} />);
}

beforeEach(() => resetStores());
afterEach(() => {
  cleanup();
  call.mockReset();
});

describe('spectra', () => {
  it('name the highest frequency of a curve', async () => {
    const columns = Float64Array.of(0, 2, 0, 0);
    showSpectra({ id: 1, columns, top: 500, points: 1_024, peak: { frequency: 120.1, amplitude: 2 } });
    const head = within(screen.getByRole('list', { name: 'Spectra' })).getByRole('listitem');
    await expect.poll(() => head.textContent).toContain('120.1 Hz');
  });

  it.each([
    [{ reason: 'few-points' }, 'Too few points: a spectrum needs 8. Show a longer part, or wait for more.'],
    [
      { reason: 'one-time' },
      'All points came at one time, so their distances are not known. Let the board send its time with each value, as in >name:1200:21.5.',
    ],
    [
      { reason: 'unknown-times' },
      'This log has no times, so the distances of its points are not known. Mark its times, if its lines have some.',
    ],
    [
      { reason: 'uneven-times', shortest: 0, longest: 16.04 },
      'The points are 0 to 16 ms apart. Uneven times would show frequencies that are not there. Let the board send its time with each value, as in >name:1200:21.5.',
    ],
  ] as const)('say why a curve has none, and what to do: %o', async (missing, text) => {
    const columns = Float64Array.of(0, 2, 0, 0);
    const drawn = { id: 1, columns, top: 500, points: 1_024, peak: { frequency: 120.1, amplitude: 2 } };
    showSpectra(drawn, { id: 2, ...missing });
    const places = await screen.findByRole('list', { name: 'Curves without a spectrum' });
    expect([...places.children].map((place) => place.textContent)).toEqual(['', text]);
  });
});
