import { act, cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlotPicture } from '../../../../protocol/bench/plot-part.ts';
import { resetStores } from '../../../../shared/testing/stores.ts';
import { addBrowserParts } from '../../../../workbench/testing/browser-parts.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { PlotCurves } from './plot-curves.tsx';
import { placeCursor, plotNow, setSpan } from './plot-store.ts';

const picture: PlotPicture = {
  revision: 1,
  series: [],
  from: 100_000,
  to: 130_000,
  window: null,
  skippedLines: 0,
  missedLines: 0,
  leftOutSeries: 0,
  leftOutValue: '',
  hasCutLines: false,
  hasLongLines: false,
  hasManyTexts: false,
};
addBrowserParts();
const call = fakeBench();
const facts = vi.fn();
/** Places cursor A at a time before the picture. */
const placeBefore = () => act(() => placeCursor('a', { sequence: 1, at: 50_000, values: new Map() }));

beforeEach(async () => {
  call.mockResolvedValueOnce(picture);
  // The pictures of later choices have not come yet.
  call.mockReturnValue(new Promise(() => undefined));
  render(<PlotCurves heads={null} lanes={1} onFacts={facts} onPointed={() => undefined} />);
  await waitFor(() => expect(facts).toHaveBeenCalled());
});
afterEach(() => {
  cleanup();
  call.mockReset();
  facts.mockReset();
  resetStores();
});

describe('a cursor that is placed outside of the last picture', () => {
  it('leaves the plot at all points when they were chosen, though the picture of them has not come yet', () => {
    act(() => setSpan(null));
    placeBefore();
    expect(plotNow()).toMatchObject({ span: null, held: null });
  });

  it('moves a plot of the newest points to its line', () => {
    placeBefore();
    expect(plotNow().held).toEqual({ from: 35_000, to: 65_000 });
  });
});
