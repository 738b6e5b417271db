import { act, cleanup, render, screen } from '@testing-library/react';
import { type EspFailure, espFailureText } from '@wirebench/flasher/esp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FailureView } from '../../../failures/failure-view.tsx';
import { failureFrom } from '../../../state/failure-from.ts';
import type { FailureFacts } from '../../../state/flash-state.ts';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { espPage } from '../esp-page.ts';
import { espRemedies } from './remedies.tsx';

const codes = Object.keys(espFailureText) as EspFailure[];

/** Returns a failure as the host reports it. */
const facts = (code: EspFailure): FailureFacts => ({
  code,
  message: espFailureText[code].what,
  detail: null,
  state: 'unchanged',
});

function fail(failure: FailureFacts): void {
  act(() => {
    dispatch(1, { type: 'connect', source: { kind: 'demo', model: 'esp32' } });
    dispatch(1, { type: 'failed', failure });
  });
}

describe('remedy of a failure', () => {
  beforeEach(() => {
    vi.stubGlobal('isSecureContext', true);
    startFlasher(espPage);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each(codes)('%s says what happened, in what state the board is, and offers a way on', (code) => {
    render(<FailureView remedies={espRemedies} />);
    expect(screen.queryByRole('button')).toBeNull();
    fail({ ...facts(code), state: code === 'cancelled' ? 'incomplete' : 'unchanged' });
    const card = screen.getByRole('alert');
    expect(card.querySelector('h2')?.textContent).not.toBe('');
    expect(screen.getAllByRole('button').length).toBeGreaterThan(0);
    expect(card.textContent).toMatch(/Nothing on the board was changed|only partly written/);
  });

  it('leads from a normal boot to the buttons of the board, with a drawing', () => {
    render(<FailureView remedies={espRemedies} />);
    fail(facts('normal-boot'));
    expect(screen.getByRole('img', { name: /BOOT goes low/ })).toBeTruthy();
    expect(screen.getByRole('alert', { name: 'The board did not enter download mode' }).textContent).toContain('BOOT');
  });

  it('says what was thrown where that has no code', () => {
    render(<FailureView remedies={espRemedies} />);
    fail(failureFrom(new Error('The list of ports has just changed.')));
    expect(screen.getByRole('alert', { name: 'The list of ports has just changed' })).toBeTruthy();
  });

  it('is gone once the board is connected again', () => {
    render(<FailureView remedies={espRemedies} />);
    fail(facts('brown-out'));
    act(() => dispatch(1, { type: 'connect', source: { kind: 'same' } }));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
