import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { dispatch, startFlasher } from '../store/flasher-store.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { History } from './history.tsx';

describe('history of a board', () => {
  beforeEach(() => {
    resetStores();
    startFlasher(testFamily);
    dispatch(1, { type: 'connect', source: { kind: 'demo' } });
    render(<History />);
  });
  afterEach(cleanup);

  const connected = (id: string | null) => act(() => dispatch(1, { type: 'connected', board: testBoard({ id }) }));

  it('says why it is missing for a board without an ID', () => {
    expect(document.body.textContent).toBe('');
    connected(null);
    expect(screen.getByText(/^No history is kept: this board reports no ID/)).toBeDefined();
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('is absent for a board that was not flashed here', () => {
    connected('24:0a:c4:00:01:10');
    expect(document.body.textContent).toBe('');
  });
});
