import { act, cleanup, render, screen } from '@testing-library/react';
import { type StmFailure, stmFailureText } from '@wirebench/flasher/stm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FailureView } from '../../../failures/failure-view.tsx';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { stmPage } from '../stm-page.ts';
import { stmRemedies } from './remedies.tsx';

const codes = Object.keys(stmFailureText) as StmFailure[];

function fail(code: StmFailure): void {
  const state = code === 'cancelled' ? 'incomplete' : 'unchanged';
  act(() => {
    dispatch(1, { type: 'connect', source: { kind: 'demo', model: 'stm32f407' } });
    dispatch(1, { type: 'failed', failure: { code, message: stmFailureText[code].what, detail: null, state } });
  });
}

describe('remedy of a failure of an STM32', () => {
  beforeEach(() => {
    vi.stubGlobal('isSecureContext', true);
    startFlasher(stmPage);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each(codes)('%s says what happened, in what state the board is, and offers a way on', (code) => {
    render(<FailureView remedies={stmRemedies} />);
    fail(code);
    const card = screen.getByRole('alert', { name: /\w/ });
    expect(card.querySelector('h2')?.textContent).not.toBe('');
    expect(screen.getAllByRole('button').length).toBeGreaterThan(0);
    expect(card.textContent).toMatch(/Nothing on the board was changed|only partly written/);
  });

  it('leads to BOOT0, drawn, and to other wiring of the lines', () => {
    render(<FailureView remedies={stmRemedies} />);
    fail('no-answer');
    expect(screen.getByRole('img', { name: /jumper joins BOOT0/ })).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'Starting the bootloader' })).toBeTruthy();
  });

  it.each([
    ['Windows NT 10.0', 'WinUSB'],
    ['X11; Linux x86_64', 'idVendor'],
  ])('says what %s needs for a USB device', (system, word) => {
    vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${system}) Chrome/156` });
    render(<FailureView remedies={stmRemedies} />);
    fail('usb-driver');
    expect(screen.getByRole('alert', { name: /USB/ }).textContent).toContain(word);
  });
});
