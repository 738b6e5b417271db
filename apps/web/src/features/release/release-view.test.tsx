import { cleanup, render, screen } from '@testing-library/react';
import type { DeviceModel, FamilyId } from '@wirebench/boards';
import type { Version } from '@wirebench/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Item, releaseOf } from '../../workbench/release/load-release.ts';
import { flasherRelease, InstallBox } from './release-view.tsx';

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

function itemOf(deviceFamily: FamilyId, deviceModel: DeviceModel): Item {
  const project: Item['project'] = {
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
  return { type: 'version', project, versions: [version], owned: null, shareId: version.shareId, apiUrl: '' };
}

function show(deviceFamily: FamilyId, deviceModel: DeviceModel) {
  const release = releaseOf(itemOf(deviceFamily, deviceModel));
  const parts = { onInstall: () => undefined, onNear: () => undefined, busy: false };
  render(release.usual && <InstallBox release={release} version={release.usual} {...parts} />);
}

const install = () => screen.queryByRole('link', { name: 'Install' });

describe('install box', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('is one button below the sentence that the chip need not be known', () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { serial: {} });
    show('esp', 'esp32');
    const sentence = screen.getByText(
      /You need not know which one it is: we find out, and say so before anything is written\./,
    );
    expect(install()?.compareDocumentPosition(sentence)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
    expect(document.body.textContent).not.toContain('ESP32');
  });

  it('is open for an STM32 in a browser with USB devices but no serial ports', () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { usb: {} });
    show('stm', 'stm32f');
    expect(screen.getByText(/over USB \(DFU\) it can flash/)).toBeTruthy();
    expect(screen.getByText(/is experimental: keep another way/)).toBeTruthy();
    expect(install()).not.toBeNull();
  });

  it('is closed for an Espressif chip in a browser with USB devices only', async () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { usb: {}, userAgent: '' });
    show('esp', 'esp32');
    expect(await screen.findByText(/This browser cannot use serial ports/)).toBeTruthy();
    expect(install()).toBeNull();
  });

  const phone =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36';

  it('offers a share sheet or the link on a phone, and never a button that cannot work', async () => {
    const share = vi.fn(async () => undefined);
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { userAgent: phone, maxTouchPoints: 5, share });
    show('esp', 'esp32');
    expect(
      await screen.findByText(/^On an Android phone, Chrome, Edge, Opera and Samsung Internet can reach boards\. Open/),
    ).toBeTruthy();
    expect(install()).toBeNull();
    screen.getByRole('button', { name: 'Send to a computer' }).click();
    expect(share).toHaveBeenCalledWith({ title: document.title, url: location.href });
    expect(screen.getByRole('button', { name: 'Copy the link' })).toBeTruthy();
  });

  it('installs on a phone that reaches boards over WebUSB', () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { userAgent: phone, maxTouchPoints: 5, usb: {} });
    show('esp', 'esp32');
    expect(install()).not.toBeNull();
    expect(screen.queryByRole('button', { name: 'Send to a computer' })).toBeNull();
  });

  it('offers only the link on a phone without a share sheet', async () => {
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('navigator', { userAgent: phone, maxTouchPoints: 5 });
    show('esp', 'esp32');
    expect(await screen.findByRole('button', { name: 'Copy the link' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Send to a computer' })).toBeNull();
  });

  it('names the browsers that work in Safari on a Mac, and copies the link', async () => {
    vi.stubGlobal('isSecureContext', true);
    const safari =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
    vi.stubGlobal('navigator', { userAgent: safari, maxTouchPoints: 0 });
    show('esp', 'esp32');
    expect(
      await screen.findByText('Safari cannot use serial ports. Open this page in Chrome, Edge or Firefox.'),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy the link' })).toBeTruthy();
    expect(install()).toBeNull();
  });

  it('explains the need for https on a page over http, without a button', () => {
    vi.stubGlobal('isSecureContext', false);
    vi.stubGlobal('navigator', {});
    show('esp', 'esp32');
    expect(screen.getByText(/Serial ports need a secure page/)).toBeTruthy();
    expect(install()).toBeNull();
  });
});

describe('release for the flasher', () => {
  const older = { ...version, _id: '01978c00-0000-7000-8000-000000000003', version: '1.3.2' };
  const item: Item = { ...itemOf('esp', 'esp32'), type: 'project', versions: [version, older] };
  const given = (part: Partial<Item>, index: number) => {
    const release = releaseOf({ ...item, ...part });
    const chosen = release.versions[index];
    return chosen === undefined ? undefined : { release, chosen, handed: flasherRelease(release, chosen) };
  };

  it('is the one that the page has read, so that it is not read again', () => {
    const { release, handed } = given({}, 0) ?? {};
    expect(handed).toBe(release);
  });

  it('has one version if a visitor chose another than the newest', () => {
    const { chosen, handed } = given({}, 1) ?? {};
    expect(handed).toMatchObject({ versions: [chosen], usual: chosen });
  });

  it('is read as visitors read it for the owner of a public version, and handed over for a private one', () => {
    const owned = { isPublic: true };
    expect(given({ owned }, 0)?.handed).toBeNull();
    expect(given({ owned: { isPublic: false } }, 0)?.handed?.versions).toHaveLength(1);
    expect(given({ owned, versions: [{ ...version, isPublic: false }] }, 0)?.handed?.versions).toHaveLength(1);
  });
});
