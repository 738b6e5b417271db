import { act, cleanup, render, screen } from '@testing-library/react';
import { type AvrFailure, avrFailureText } from '@wirebench/flasher/avr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FailureView } from '../../../failures/failure-view.tsx';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { avrPage } from '../avr-page.ts';
import { avrRemedies } from './remedies.tsx';

const codes = Object.keys(avrFailureText) as AvrFailure[];

function fail(code: AvrFailure): void {
  const state = code === 'cancelled' ? 'incomplete' : 'unchanged';
  act(() => {
    dispatch(1, { type: 'connect', source: { kind: 'demo', model: 'arduino-uno' } });
    dispatch(1, { type: 'failed', failure: { code, message: avrFailureText[code].what, detail: null, state } });
  });
}

describe('remedy of a failure of an Arduino board', () => {
  beforeEach(() => {
    vi.stubGlobal('isSecureContext', true);
    startFlasher(avrPage);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each(codes)('%s says what happened, in what state the board is, and offers a way on', (code) => {
    render(<FailureView remedies={avrRemedies} />);
    fail(code);
    const card = screen.getByRole('alert', { name: /\w/ });
    expect(card.querySelector('h2')?.textContent).not.toBe('');
    expect(screen.getAllByRole('button').length).toBeGreaterThan(0);
    expect(card.textContent).toMatch(/Nothing on the board was changed|only partly written/);
  });

  it('offers the reset by hand, drawn, and the rate of an old Nano', () => {
    render(<FailureView remedies={avrRemedies} />);
    fail('no-answer');
    expect(screen.getByRole('img', { name: /press the reset button once/ })).toBeTruthy();
    screen.getByRole('button', { name: 'Connect with reset by hand' });
    screen.getByRole('button', { name: 'Try only 57600 baud' });
    expect(screen.getByText(/Nano Every is programmed through UPDI/)).toBeTruthy();
  });

  it('says to hold reset while the sketch floods the port', () => {
    render(<FailureView remedies={avrRemedies} />);
    fail('sketch-floods');
    expect(screen.getByText(/Hold it first/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try only 57600 baud' })).toBeNull();
  });

  it('leads from a file that is not for the board to another one', () => {
    render(<FailureView remedies={avrRemedies} />);
    fail('reaches-bootloader');
    screen.getByRole('button', { name: 'Remove the files' });
  });
});
