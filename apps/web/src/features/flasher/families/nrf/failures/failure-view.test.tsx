import { act, cleanup, render, screen } from '@testing-library/react';
import { type NrfFailure, nrfFailureText } from '@wirebench/flasher/nrf';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FailureView } from '../../../failures/failure-view.tsx';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { nrfPage } from '../nrf-page.ts';
import { nrfRemedies } from './remedies.tsx';

const codes = Object.keys(nrfFailureText) as NrfFailure[];

function fail(code: NrfFailure): void {
  const message = nrfFailureText[code].what;
  const state = code === 'cancelled' ? 'incomplete' : 'unchanged';
  act(() => {
    dispatch(1, { type: 'connect', source: { kind: 'demo', model: 'nrf52840-secure' } });
    dispatch(1, { type: 'failed', failure: { code, message, detail: null, state } });
  });
}

describe('remedy of a failure of a Nordic board', () => {
  beforeEach(() => {
    vi.stubGlobal('isSecureContext', true);
    startFlasher(nrfPage);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each(codes)('%s says what happened, in what state the board is, and offers a way on', (code) => {
    render(<FailureView remedies={nrfRemedies} />);
    fail(code);
    const card = screen.getByRole('alert');
    expect(card.querySelector('h2')?.textContent).not.toBe('');
    expect(screen.getAllByRole('button').length).toBeGreaterThan(0);
    expect(card.textContent).toMatch(/Nothing on the board was changed|only partly written/);
  });

  it('draws both ways into a bootloader, and mentions the plug of a demo board', () => {
    render(<FailureView remedies={nrfRemedies} />);
    fail('no-bootloader');
    expect(screen.getByRole('img', { name: /pressed twice within half a second/ })).toBeTruthy();
    expect(screen.getByRole('img', { name: /button is held down/ })).toBeTruthy();
    expect(screen.getByText('Unplug the demo board and plug it in again')).toBeTruthy();
  });

  it('leads from a refused package to another one', () => {
    render(<FailureView remedies={nrfRemedies} />);
    fail('version-too-low');
    expect(screen.getByRole('button', { name: 'Remove this package' })).toBeTruthy();
    expect(screen.getByText(/--application-version/)).toBeTruthy();
  });
});
