import { cleanup, render, screen } from '@testing-library/react';
import { guidancePath } from '@wirebench/contract/constants';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFlasher } from '../store/flasher-store.ts';
import { testFamily } from '../testing/families.ts';
import { Answer } from './answer.tsx';

const nothing = () => undefined;

/** Renders the answer before a board in a stubbed browser. `secure`: the page came over https or from the same machine. */
function show({ secure, serial }: { readonly secure: boolean; readonly serial: boolean }): void {
  vi.stubGlobal('isSecureContext', secure);
  vi.stubGlobal('navigator', { userAgent: 'Chrome/156', ...(serial && { serial: {} }) });
  render(<Answer way={null} onHead={nothing} onOffset={nothing} onOtherVersion={nothing} first visit={false} />);
}

const guidance = () => screen.queryByRole('link', { name: /Serial access blocked/ })?.getAttribute('href');

describe('the way to a board', () => {
  beforeEach(() => startFlasher(testFamily));
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('leads from plain http to https or the same computer, and to the demo', () => {
    show({ secure: false, serial: false });
    expect(screen.getByText(/over https, or, on the computer that runs Wirebench, at/).textContent).toContain(
      'http://localhost',
    );
    expect(screen.getByRole('button', { name: 'Open over https' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Try the Demo ESP32' })).toBeTruthy();
    expect(guidance()).toBe(guidancePath('serial-access-blocked'));
  });

  it('names the browsers that have Web Serial where this one has not', () => {
    show({ secure: true, serial: false });
    expect(
      screen.getByText('Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).', {
        exact: false,
      }),
    ).toBeTruthy();
    expect(guidance()).toBe(guidancePath('serial-access-blocked'));
  });

  it('is the browser’s dialog where all is well', () => {
    show({ secure: true, serial: true });
    expect(screen.getByRole('button', { name: 'Connect a board' })).toBeTruthy();
    expect(guidance()).toBeUndefined();
  });
});
