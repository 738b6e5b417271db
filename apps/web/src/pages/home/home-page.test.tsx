import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useFeedback } from '../../features/feedback/feedback-state.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { testSession } from '../../shared/session/testing.ts';
import { readHook } from '../../shared/testing/stores.ts';
import { HomePage } from './home-page.tsx';

beforeEach(() => {
  sessionStore.forget();
  vi.stubGlobal('isSecureContext', true);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show() {
  render(
    <MemoryRouter>
      <Routes>
        <Route path="/" element={<HomePage />} />
        <Route path="*" element={<h1>Another page</h1>} />
      </Routes>
    </MemoryRouter>,
  );
}

const card = (name: string) => screen.queryByRole('link', { name }) ?? screen.getByRole('button', { name });
const readout = () => screen.getByTestId('readout').textContent;

describe('cards of the home page', () => {
  it('describe the first tool to begin with, and whatever the pointer is over', () => {
    show();
    expect(readout()).toContain('Up to four ports in one console');
    fireEvent.pointerEnter(card('Firmware releases').closest('li') ?? document.body);
    expect(readout()).toContain('Keeps the versions of your firmware');
  });

  it('are walked through with the arrow keys, round both ends', async () => {
    show();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(card('Serial terminal'));
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(card('Firmware flasher'));
    expect(readout()).toContain('Firmware flasher');
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(document.activeElement).toBe(card('ESP32 bench'));
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(card('Serial terminal'));
    await userEvent.keyboard('{End}');
    expect(document.activeElement).toBe(card('ESP32 bench'));
    await userEvent.keyboard('{Home}');
    expect(document.activeElement).toBe(card('Serial terminal'));
  });

  it('are left alone by arrow keys that are pressed in another control, or with Alt', async () => {
    show();
    const play = screen.getByRole('button', { name: 'Watch the Firmware flasher video' });
    play.focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(play);
    play.blur();
    await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
    expect(document.activeElement).toBe(document.body);
  });

  it('are read out with their description', () => {
    show();
    const description = document.getElementById(card('Firmware flasher').getAttribute('aria-describedby') ?? '');
    expect(description?.textContent).toContain('Writes and verifies firmware straight from this browser');
  });

  it('open with Enter the one under the pointer, also when another has the focus', async () => {
    show();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(card('Serial terminal'));
    fireEvent.pointerEnter(card('Firmware flasher').closest('li') ?? document.body);
    expect(readout()).toContain('Firmware flasher');
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Which chip family?' });
    expect(screen.queryByRole('heading', { name: 'Another page' })).toBeNull();
  });

  it('open with Enter the selected one when nothing has the focus, and leave Enter to other controls', async () => {
    show();
    screen.getByRole('button', { name: 'Watch the Firmware flasher video' }).focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Firmware flasher' });
    await userEvent.keyboard('{Escape}');
    cleanup();
    show();
    fireEvent.pointerEnter(card('Firmware releases').closest('li') ?? document.body);
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('heading', { name: 'Another page' })).toBeTruthy();
  });

  it('open with Enter', async () => {
    show();
    await userEvent.keyboard('{ArrowRight}{Enter}');
    expect(screen.getByRole('heading', { name: 'Another page' })).toBeTruthy();
  });
});

describe('flasher card', () => {
  it('asks for the chip family, with a link to each flasher', async () => {
    show();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}');
    await screen.findByRole('dialog', { name: 'Which chip family?' });
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toEqual([
      [expect.stringContaining('Espressif'), '/esp_flasher.html'],
      [expect.stringMatching(/STM32.*Experimental/), '/stm_flasher.html'],
      [expect.stringMatching(/Nordic.*Experimental/), '/nrf_flasher.html'],
      [expect.stringMatching(/Arduino.*Experimental/), '/avr_flasher.html'],
      [expect.stringMatching(/Raspberry Pi.*Experimental/), '/rp_flasher.html'],
    ]);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(card('Firmware flasher')));
  });
});

describe('video of a tool', () => {
  it('is shown with captions, and a calm sentence takes the place of one that is not there', async () => {
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Watch the Serial terminal video' }));
    const dialog = await screen.findByRole('dialog', { name: 'Serial terminal' });
    const video = dialog.querySelector('video');
    expect(video?.getAttribute('src')).toBe('/videos/uart.webm');
    expect(video?.getAttribute('poster')).toBe('/videos/uart.webp');
    expect(video?.preload).toBe('none');
    expect(video?.querySelector('track')?.getAttribute('src')).toBe('/videos/uart.vtt');
    fireEvent.error(video ?? dialog);
    expect(dialog.textContent).toContain('The video of the serial terminal could not be loaded.');
    await userEvent.click(screen.getByRole('link', { name: 'Open the serial terminal' }));
    expect(screen.getByRole('heading', { name: 'Another page' })).toBeTruthy();
  });

  it('leads to the choice of a chip family for the flasher', async () => {
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Watch the Firmware flasher video' }));
    const dialog = await screen.findByRole('dialog', { name: 'Firmware flasher' });
    fireEvent.error(dialog.querySelector('video') ?? dialog);
    await userEvent.click(screen.getByRole('button', { name: 'Choose a chip family' }));
    await screen.findByRole('dialog', { name: 'Which chip family?' });
  });
});

describe('beta notice', () => {
  it('asks visitors to sign in for feedback, and offers it to those who are signed in', async () => {
    show();
    expect(screen.queryByRole('button', { name: 'Send feedback' })).toBeNull();
    expect(screen.getByText('To send feedback, sign in.')).toBeTruthy();
    cleanup();
    sessionStore.save(testSession());
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Send feedback' }));
    expect(readHook(useFeedback).open).toBe(true);
  });
});

describe('notice about the browser', () => {
  it('says word for word that Web Serial is missing', async () => {
    show();
    const text = 'Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).';
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('adds the next step on an iPhone, and names what is ready on a phone with WebUSB', async () => {
    const agent = (text: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(text);
    agent('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1');
    show();
    const text = 'Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).';
    expect(
      await screen.findByText(`${text} No browser on an iPhone or iPad can reach boards.`, { exact: false }),
    ).toBeTruthy();
    cleanup();
    agent(
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36',
    );
    Object.defineProperty(navigator, 'usb', { configurable: true, value: {} });
    show();
    expect(await screen.findByText('Boards on a USB cable are ready in this browser')).toBeTruthy();
    Reflect.deleteProperty(navigator, 'usb');
    vi.restoreAllMocks();
  });

  it('blames the insecure page, not the browser, over plain http', async () => {
    vi.stubGlobal('isSecureContext', false);
    show();
    expect(
      await screen.findByText('Serial ports need a secure page: open it through https or localhost.'),
    ).toBeTruthy();
  });
});
