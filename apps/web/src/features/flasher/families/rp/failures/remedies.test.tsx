import { act, cleanup, render, screen } from '@testing-library/react';
import { type RpFailure, rpFailureText } from '@wirebench/flasher/rp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FailureView } from '../../../failures/failure-view.tsx';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { rpPage } from '../rp-page.ts';
import { rpRemedies } from './remedies.tsx';

const codes = Object.keys(rpFailureText) as RpFailure[];

function fail(code: RpFailure, message = rpFailureText[code].what): void {
  const state = code === 'cancelled' ? 'incomplete' : 'unchanged';
  act(() => {
    dispatch(1, { type: 'connect', source: { kind: 'usb', place: { index: 0, count: 1, vendorId: 1, productId: 2 } } });
    dispatch(1, { type: 'failed', failure: { code, message, detail: null, state } });
  });
}

describe('remedy of a failure of a Raspberry Pi board', () => {
  beforeEach(() => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('showDirectoryPicker', () => undefined);
    startFlasher(rpPage);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each(codes)('%s says what happened, in what state the board is, and offers a way on', (code) => {
    render(<FailureView remedies={rpRemedies} />);
    fail(code);
    const card = screen.getByRole('alert', { name: /\w/ });
    expect(card.querySelector('h2')?.textContent).not.toBe('');
    expect(screen.getAllByRole('button').length).toBeGreaterThan(0);
    expect(card.textContent).toMatch(/Nothing on the board was changed|only partly written/);
  });

  it.each(['not-in-bootsel', 'button-not-pressed'] as const)('%s leads to the BOOTSEL button, drawn', (code) => {
    render(<FailureView remedies={rpRemedies} />);
    fail(code);
    expect(screen.getByRole('img', { name: /BOOTSEL button is held down/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Try again with the button held' })).toBeTruthy();
  });

  it.each([
    ['Windows NT 10.0', /interface 1 .*Never choose interface 0.*If the drive is gone/],
    ['X11; Linux x86_64', /idVendor.*2e8a/],
  ])('offers the drive first without a driver, then what %s needs', (system, words) => {
    vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${system}) Chrome/156` });
    render(<FailureView remedies={rpRemedies} />);
    fail('usb-driver');
    const card = screen.getByRole('alert', { name: /interface 1/ });
    expect(card.textContent).toMatch(words);
    const [first] = card.querySelectorAll('li');
    expect(first?.textContent).toContain('Copy to its drive');
    expect(screen.getByRole('button', { name: 'Copy to its drive' })).toBeTruthy();
  });

  it('names a folder that is no drive, and offers to choose again', () => {
    render(<FailureView remedies={rpRemedies} />);
    fail(
      'not-the-drive',
      '"CIRCUITPY" is not the drive of a board in BOOTSEL: it has no INFO_UF2.TXT. Nothing was copied.',
    );
    expect(screen.getByRole('alert').textContent).toContain('"CIRCUITPY" is not the drive');
    expect(screen.getByRole('button', { name: 'Choose the drive again' })).toBeTruthy();
  });
});
