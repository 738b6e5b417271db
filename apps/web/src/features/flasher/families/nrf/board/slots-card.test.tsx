import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ConnectedBoard } from '../../../../../workbench/families.ts';
import { dropContents, noteConnection } from '../../../store/board-contents.ts';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { testBoard, testFamily } from '../../../testing/families.ts';
import { SlotsCard } from './slots-card.tsx';

afterEach(cleanup);

/** An nRF52840 that lists one image. */
function nrfBoard(name = 'slot 0', version = '1.2.0'): ConnectedBoard {
  const slot = {
    name,
    version,
    hash: 'ab'.repeat(32),
    state: ['active'],
    imageNumber: 0,
    address: null,
    length: null,
  };
  const info = {
    bootloader: 'mcuboot' as const,
    link: 'uart' as const,
    part: 'nRF52840',
    flashSize: null,
    ramSize: null,
    slots: [slot],
    room: null,
    canTest: true,
    unfinished: null,
  };
  const { baudRate, port, console, demo } = testBoard();
  return {
    family: 'nrf',
    name: 'nRF52840',
    model: null,
    id: null,
    flash: { start: 0, size: null },
    areas: [],
    afterwards: null,
    baudRate,
    console,
    demo,
    port,
    info,
  };
}

it('images from before a failed write are not listed as those that the board holds', () => {
  startFlasher(testFamily);
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: nrfBoard() });
  noteConnection(1);
  render(<SlotsCard />);
  expect(screen.getByText('1.2.0')).toBeDefined();
  act(() => dropContents(1, true));
  expect(screen.queryByText('1.2.0')).toBeNull();
  expect(screen.getByText(/Connect it again to see the images that it holds now\.$/)).toBeDefined();
  act(() => noteConnection(1));
  expect(screen.getByText('1.2.0')).toBeDefined();
});

it('a SoftDevice has its name beside its number, which the bootloader reports in decimal', () => {
  startFlasher(testFamily);
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: nrfBoard('softdevice', '291') });
  noteConnection(1);
  render(<SlotsCard />);
  expect(screen.getByText('S140 7.3.0 (0x0123)')).toBeDefined();
});
