import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { choiceFrom, setDismissedList } from '../../hardware/dismissed-list.ts';
import { requestPort } from '../../hardware/port-request.ts';
import { requestUsb } from '../../hardware/web-usb.ts';
import { NoBoardChosen } from './no-board-chosen.tsx';

afterEach(() => {
  cleanup();
  setDismissedList(null);
  vi.unstubAllGlobals();
});

const dismissal = new DOMException('No port selected by the user.', 'NotFoundError');
const chrome = (system: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36`;

/** Stands for a browser whose dialogs are closed without a choice. */
function dismissing(system = 'Windows NT 10.0; Win64; x64') {
  vi.stubGlobal('navigator', {
    userAgent: chrome(system),
    serial: { requestPort: () => Promise.reject(dismissal) },
    usb: { requestDevice: () => Promise.reject(dismissal), getDevices: async () => [] },
  });
}

const again = vi.fn();
const advice = () => screen.queryAllByRole('region', { name: 'No board was chosen' });
const causes = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');

describe('a closed list of boards', () => {
  it('leads to three causes, which stay, and which a second one does not stack', async () => {
    dismissing();
    const { rerender } = render(<NoBoardChosen hasBoard={false} again={again} />);
    expect(advice()).toEqual([]);
    await requestPort();
    expect(await screen.findByText('The cable carries power only')).toBeTruthy();
    await requestPort();
    expect(advice()).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
    rerender(<NoBoardChosen hasBoard again={again} />);
    expect(advice()).toEqual([]);
    rerender(<NoBoardChosen hasBoard={false} again={again} />);
    expect(advice()).toEqual([]);
  });

  it.each([
    ['Windows NT 10.0; Win64; x64', 'Windows', 'Windows has no driver for it'],
    ['Macintosh; Intel Mac OS X 10_15_7', 'macOS', 'macOS has not let it connect'],
    ['X11; Linux x86_64', 'Linux', 'Your account may not use serial ports'],
  ])('names the cause of the system: %s', async (agent, name, cause) => {
    dismissing(agent);
    render(<NoBoardChosen hasBoard={false} again={again} />);
    await requestPort();
    await screen.findByText(cause);
    expect(screen.getByRole<HTMLInputElement>('radio', { name }).checked).toBe(true);
  });

  it('can be read for another system, and links the drivers', async () => {
    dismissing('X11; Linux x86_64');
    render(<NoBoardChosen hasBoard={false} again={again} />);
    await requestPort();
    await screen.findByText('sudo usermod -aG dialout $USER');
    await userEvent.click(screen.getByRole('radio', { name: 'Windows' }));
    const [shown] = advice();
    expect(
      within(shown ?? document.body)
        .getByRole('link', { name: /^CH340, CH9102/ })
        .getAttribute('target'),
    ).toBe('_blank');
    expect(causes().some((text) => text.includes('dialout'))).toBe(false);
  });

  it('has its own causes for USB devices', async () => {
    dismissing();
    render(<NoBoardChosen hasBoard={false} again={again} />);
    await requestUsb([{ vendorId: 0x0483, productId: 0xdf11 }]);
    expect(await screen.findByText('Windows has no WinUSB driver for it')).toBeTruthy();
    expect(screen.getByText('STM32 BOOTLOADER')).toBeTruthy();
  });

  it('is forgotten once a board was chosen, and dismissed by hand', async () => {
    dismissing();
    render(<NoBoardChosen hasBoard={false} again={again} />);
    await requestPort();
    await screen.findByText('The cable carries power only');
    await choiceFrom('serial', async () => 'a board');
    await vi.waitFor(() => expect(advice()).toEqual([]));
    await requestPort();
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss the advice' }));
    expect(advice()).toEqual([]);
  });

  it('passes other failures on', async () => {
    const refused = new DOMException('Denied.', 'SecurityError');
    await expect(choiceFrom('serial', () => Promise.reject(refused))).rejects.toBe(refused);
  });
});
