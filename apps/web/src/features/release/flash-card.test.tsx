import { cleanup, render, screen } from '@testing-library/react';
import type { DeviceFamily, DeviceModel, Version } from '@wirebench/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FlashCard } from './flash-card.tsx';
import type { Release } from './load-release.ts';

const version: Version = {
  _id: '01978c00-0000-7000-8000-000000000001',
  shareId: 'v000000000000000000001',
  version: '1.4.0',
  description: 'Fixes I2C timeout after deep sleep.',
  isPublic: true,
  createdAt: '2026-11-18T12:00:00.000Z',
  writeCount: 0,
  console: null,
  files: [],
};

function show(deviceFamily: DeviceFamily, deviceModel: DeviceModel) {
  const project: Release['project'] = {
    _id: '01978c00-0000-7000-8000-000000000002',
    name: 'boiler',
    description: '',
    deviceFamily,
    deviceModel,
    publisher: 'mira.k',
    demo: false,
    createdAt: '2026-11-18T12:00:00.000Z',
    updatedAt: '2026-11-18T12:00:00.000Z',
  };
  const release: Release = {
    type: 'version',
    project,
    versions: [version],
    owned: null,
    shareId: version.shareId,
    apiUrl: '',
  };
  render(<FlashCard release={release} version={version} onChoose={() => undefined} />);
}

const need = (text: string) => screen.getByText(text, { exact: false }).closest('li')?.dataset['state'];

describe('the way to the board', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('of an STM32 is open to a browser that has USB devices and no serial ports', () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { usb: {} });
    show('stm', 'stm32f');
    expect(need('over USB (DFU) it can flash')).toBe('done');
    expect(screen.getByText(/It is experimental: keep another way/)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/ESP|Arduino/);
  });

  it('of an Espressif chip is not', () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { usb: {} });
    show('esp', 'esp32');
    expect(need('This browser cannot use serial ports')).toBe('failed');
  });

  it('of an STM32 is closed to a browser that has neither', () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', {});
    show('stm', 'stm32f');
    expect(need('This browser cannot use serial ports')).toBe('failed');
  });
});
