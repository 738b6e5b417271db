import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ProjectSummary, Version } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Release } from '../../features/release/load-release.ts';
import type { LoadRelease } from '../../features/release/use-release.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { testSession } from '../../shared/session/testing.ts';
import { ReleasePage } from './release-page.tsx';

const project: ProjectSummary = {
  _id: '019a0000-0000-7000-8000-000000000001',
  name: 'weather-node',
  description: 'Outdoor sensor node.',
  deviceFamily: 'esp',
  deviceModel: 'esp32s3',
  publisher: 'mira.k',
  demo: false,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-18T10:00:00.000Z',
};

function version(number: string, changes: Partial<Version> = {}): Version {
  return {
    _id: `id-${number}`,
    shareId: `share-${number}`,
    version: number,
    description: `Notes of ${number}.`,
    isPublic: true,
    createdAt: '2026-11-18T12:00:00.000Z',
    writeCount: 412,
    console: null,
    files: [
      { _id: 'f1', fileName: 'bootloader.bin', size: 21_402, offset: '0x0', sha256: 'ab'.repeat(32) },
      { _id: 'f2', fileName: 'weather-node.bin', size: 1_258_291, offset: '0x10000', sha256: 'cd'.repeat(32) },
    ],
    ...changes,
  };
}

function release(changes: Partial<Release> = {}): Release {
  return {
    type: 'project',
    project,
    versions: [version('1.4.0'), version('1.3.2', { writeCount: 1 })],
    owned: null,
    shareId: 'share-project',
    apiUrl: '',
    ...changes,
  };
}

function show(load: LoadRelease, search = '?type=project&id=share-project') {
  history.replaceState(null, '', `/release.html${search}`);
  return render(<ReleasePage load={load} />);
}

const refused = (status: number) => new ApiError('refused', { status, statusText: '', body: null });
/** Opens the fold of addresses and codes, which is fetched then. */
const openPublishers = async () => {
  await userEvent.click(await screen.findByRole('heading', { name: 'For publishers' }));
  await screen.findByText('Badge');
};
const flash = () => screen.getByRole('link', { name: 'Flash this version' }).getAttribute('href');

beforeEach(() => vi.stubGlobal('isSecureContext', true));
afterEach(() => {
  cleanup();
  sessionStore.forget();
  vi.unstubAllGlobals();
});

describe('a release', () => {
  it('says what it is, for which chip, by whom, and what is written where', async () => {
    show(async () => release());
    expect(await screen.findByRole('heading', { level: 1, name: 'weather-node' })).toBeTruthy();
    expect(screen.getByText('Published by mira.k')).toBeTruthy();
    expect(screen.getByText('18 Nov 2026')).toBeTruthy();
    expect(screen.getByText('412 flashes')).toBeTruthy();
    expect(await screen.findByText('Notes of 1.4.0.')).toBeTruthy();
    const row = within(screen.getByRole('row', { name: /weather-node\.bin/ }));
    expect(row.getByText('0x10000')).toBeTruthy();
    expect(row.getByText('1.2 MB')).toBeTruthy();
    expect(row.getByTitle('cd'.repeat(32))).toBeTruthy();
    expect(row.getByRole('link', { name: 'Download weather-node.bin' }).getAttribute('href')).toBe(
      '/api/firmware/shared/version/share-1.4.0/files/f2',
    );
    expect(document.title).toBe('weather-node: Wirebench');
  });

  it('of a project: the newest follows the project into the flasher, an older one is that version', async () => {
    show(async () => release());
    const versions = await screen.findByRole('combobox', { name: 'Version' });
    expect(flash()).toBe('/esp_flasher.html?type=project&id=share-project');
    await userEvent.selectOptions(versions, '1.3.2');
    expect(flash()).toBe('/esp_flasher.html?type=version&id=share-1.3.2');
    expect(screen.getByText('1 flash')).toBeTruthy();
  });

  it('of one version: there is nothing to choose', async () => {
    show(async () => release({ type: 'version', versions: [version('1.4.0')], shareId: 'share-1.4.0' }));
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(flash()).toBe('/esp_flasher.html?type=version&id=share-1.4.0');
    expect(document.title).toBe('weather-node 1.4.0: Wirebench');
  });

  it('for STM32 boards leads to their flasher, and offers no button of a tool that cannot install there', async () => {
    show(async () => release({ project: { ...project, deviceFamily: 'stm', deviceModel: 'stm32g' } }));
    await screen.findByRole('heading', { level: 1 });
    expect(flash()).toBe('/stm_flasher.html?type=project&id=share-project');
    const needs = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(needs).toContain('An STM32G board connected by a USB data cable or a USB serial adapter');
    expect(screen.getByText('Experimental')).toBeTruthy();
    expect(screen.queryByText(/Arduino/)).toBeNull();
    await openPublishers();
    expect(screen.getByText('Flash button for your page')).toBeTruthy();
    expect(screen.queryByText('Button of ESP Web Tools')).toBeNull();
    expect(screen.queryByText('Manifest')).toBeNull();
  });

  it('with several builds names the boards, and shows the files of the chosen one', async () => {
    const file = (id: string, fileName: string) => ({ _id: id, fileName, size: 64, offset: '0x0', sha256: 'ef' });
    const builds = [
      { deviceModel: 'esp32s3' as const, guards: { flashSize: 8 * 1_048_576, psram: true }, file: 's3.bin' },
      { deviceModel: 'esp32c3' as const, guards: {}, file: 'c3.bin' },
    ].map(({ file: name, ...build }, index) => ({
      _id: `build-${index}`,
      deviceFamily: 'esp' as const,
      writeCount: 0,
      files: [file(`f${index}`, name)],
      ...build,
    }));
    show(async () => release({ versions: [version('1.4.0', { builds })] }));
    expect(await screen.findByText('ESP32-S3, ESP32-C3')).toBeTruthy();
    const boards = within(screen.getByRole('region', { name: 'For these boards' }));
    expect(boards.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'ESP32-S3 with 8 MB of flash or more and PSRAM',
      'ESP32-C3',
    ]);
    const needs = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(needs).toContain('An ESP32-S3 or ESP32-C3 board connected by a USB data cable');
    expect(screen.getByText(/any board other than an ESP32-S3 or ESP32-C3/)).toBeTruthy();
    expect(screen.getByRole('row', { name: /s3\.bin/ })).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Board' }), 'ESP32-C3');
    expect(screen.getByRole('row', { name: /c3\.bin/ })).toBeTruthy();
    expect(screen.queryByRole('row', { name: /s3\.bin/ })).toBeNull();
  });

  it('without a version says so, and flashes nothing', async () => {
    show(async () => release({ versions: [] }));
    expect(await screen.findByRole('heading', { name: 'No version published yet' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Flash this version' })).toBeNull();
  });

  it.each([
    ['a visitor', null],
    ['its owner', { isPublic: true }],
  ])('names the moment in which its link ends, for %s', async (_who, owned) => {
    show(async () => release({ owned, shareEndsAt: new Date(2099, 0, 31, 12, 30).toISOString() }));
    expect(await screen.findByText('Link expires 31 Jan 2099, 12:30')).toBeTruthy();
    await openPublishers();
    expect(await screen.findByText(/It works until 31 Jan 2099, 12:30, as long as the release is public/)).toBeTruthy();
    expect(screen.queryByText(/keeps working as long as/)).toBeNull();
  });

  it('marks the demo, and says that real chips refuse it', async () => {
    show(async () => release({ project: { ...project, demo: true } }));
    expect(await screen.findByText('This release is for demo devices.')).toBeTruthy();
  });

  it('hands on link, badge, button and manifest to its publisher, folded and fetched when they are opened', async () => {
    show(async () => release());
    await screen.findByRole('heading', { name: 'For publishers' });
    expect(screen.queryByText('Badge')).toBeNull();
    await openPublishers();
    const { origin } = location;
    expect(screen.getByText(`${origin}/release.html?type=project&id=share-project`)).toBeTruthy();
    expect(
      screen.getByText(
        `[![weather-node](${origin}/api/firmware/shared/project/share-project/badge.svg)](${origin}/release.html?type=project&id=share-project)`,
      ),
    ).toBeTruthy();
    expect(
      screen.getByText(
        new RegExp(
          `^<script type="module" src="${origin}/flash-button.js"></script> <wirebench-flash release="${origin}/release.html\\?type=project&amp;id=share-project">`,
        ),
      ),
    ).toBeTruthy();
    expect(screen.getByText(/<esp-web-install-button manifest=".*\/manifest\.json">/)).toBeTruthy();
    expect(screen.getByText(`${origin}/api/firmware/shared/project/share-project/manifest.json`)).toBeTruthy();
    const code = screen.getByRole('img', { name: 'QR code of the link to this page' });
    await waitFor(() => expect(code.querySelector('path')).not.toBeNull());
  });
});

describe('a release of one’s own', () => {
  const owned = '?type=project&id=x&owned=true';

  it('asks to sign in before it asks the server', async () => {
    const load = vi.fn<LoadRelease>();
    show(load, owned);
    expect(await screen.findByText('Please sign in to see your release')).toBeTruthy();
    expect(load).not.toHaveBeenCalled();
  });

  it('while private names what becomes visible too, flashes by its own id, and shares nothing', async () => {
    sessionStore.save(testSession());
    const versions = [version('2.0.0', { isPublic: false }), version('1.4.0')];
    show(async () => release({ versions, owned: { isPublic: false } }), owned);
    expect(await screen.findByText('weather-node is private: only you can see this page.')).toBeTruthy();
    expect(screen.getByText('When you make it public, this version becomes visible too: 1.4.0.')).toBeTruthy();
    expect(flash()).toBe('/esp_flasher.html?type=version&id=id-2.0.0&owned=true');
    expect(screen.queryByRole('heading', { name: 'For publishers' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Download bootloader.bin' })).toBeTruthy();
  });

  it('says which version only its owner sees', async () => {
    sessionStore.save(testSession());
    const versions = [version('2.0.0', { isPublic: false }), version('1.4.0')];
    show(async () => release({ versions, owned: { isPublic: true } }), owned);
    expect(await screen.findByText('Version 2.0.0 is private: only you can see it.')).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Version' }), '1.4.0');
    expect(screen.queryByText(/only you can see it/)).toBeNull();
    expect(screen.getByRole('heading', { name: 'For publishers' })).toBeTruthy();
  });
});

describe('a link that leads nowhere', () => {
  it.each([
    ['', 'This link is incomplete'],
    ['?type=project', 'This link is incomplete'],
  ])('%j: says so without asking the server', async (search, title) => {
    const load = vi.fn<LoadRelease>();
    show(load, search);
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(load).not.toHaveBeenCalled();
  });

  it.each([
    [404, 'There is no release at this link'],
    [0, 'The release could not be loaded'],
    [429, 'Too many requests at the moment'],
    [503, 'The release could not be loaded'],
  ])('answered %i: says so kindly, and can be tried again', async (status, title) => {
    const load = vi.fn<LoadRelease>().mockRejectedValueOnce(refused(status)).mockResolvedValue(release());
    show(load);
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'weather-node' })).toBeTruthy();
  });
});
