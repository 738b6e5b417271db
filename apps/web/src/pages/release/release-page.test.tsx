import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ProjectSummary, Version } from '@wirebench/contract';
import { type ComponentType, use, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../shared/api/api-error.ts';
import { sessionStore } from '../../shared/session/page-session.ts';
import { testSession } from '../../shared/session/testing.ts';
import { chooseTheme } from '../../shared/theme/theme.ts';
import { type Item, releaseOf } from '../../workbench/release/load-release.ts';
import type { ServerRelease } from '../../workbench/release/release.ts';
import { VisitPlaceContext } from '../../workbench/release/visit-place.ts';
import { type LoadRelease, ReleasePage } from './release-page.tsx';

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

function release(changes: Partial<Item> = {}): ServerRelease {
  return releaseOf({
    type: 'project',
    project,
    versions: [version('1.4.0'), version('1.3.2', { writeCount: 1 })],
    owned: null,
    shareId: 'share-project',
    apiUrl: '',
    ...changes,
  });
}

/** Shows what the flasher receives, in the place of its answer. */
function TestFlasher() {
  const place = use(VisitPlaceContext);
  const [pressed, setPressed] = useState<string | null>(null);
  useEffect(() => setPressed((before) => before ?? place?.takePress() ?? null), [place]);
  return place === null
    ? null
    : createPortal(
        <>
          <button type="button" onClick={() => place.follow('id-1.3.2', true)}>
            Install at {place.search} for {pressed ?? 'nothing'}
          </button>
          <button type="button" onClick={() => place.follow('id-1.3.2', false)}>
            Done with {place.search}
          </button>
        </>,
        place.box,
      );
}

function show(
  load: LoadRelease,
  search = '?type=project&id=share-project',
  loadFlasher: () => Promise<ComponentType<object>> = async () => TestFlasher,
) {
  history.replaceState(null, '', `/release.html${search}`);
  return render(<ReleasePage load={load} loadFlasher={loadFlasher} />);
}

const refused = (status: number) => new ApiError('refused', { status, statusText: '', body: null });
/** Opens one of the closed lines. */
const open = async (title: string) => userEvent.click(await screen.findByRole('heading', { name: title }));
/** Opens the line of addresses and codes, which is fetched then. */
const openWays = async () => {
  await open('For developers');
  await screen.findByText('Badge');
};
const install = () => screen.getByRole('link', { name: 'Install' }).getAttribute('href');
/** The sentence on a closed line. */
const answer = async (title: string) =>
  (await screen.findByRole('heading', { name: title })).nextElementSibling?.textContent;

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  Object.defineProperty(navigator, 'serial', { value: {}, configurable: true });
});
afterEach(() => {
  cleanup();
  sessionStore.forget();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serial');
});

describe('a release', () => {
  it('shows its picture, its name, one sentence and one button, with the answers of six closed lines', async () => {
    show(async () => release());
    expect(await screen.findByRole('heading', { level: 1, name: 'weather-node' })).toBeTruthy();
    expect(screen.getByText('Outdoor sensor node.')).toBeTruthy();
    expect(screen.getByText('by mira.k')).toBeTruthy();
    expect(screen.getByText('since 18 Nov 2026')).toBeTruthy();
    expect(screen.getByText('flashed 412 times')).toBeTruthy();
    expect(await screen.findByRole('img', { name: 'Drawing of a board with ESP32-S3' })).toBeTruthy();
    expect([await answer('New in 1.4.0'), await answer('Boards'), await answer('Other versions')]).toEqual([
      'Notes of 1.4.0.',
      'ESP32-S3',
      '1.3.2',
    ]);
    expect(await answer('What is written')).toMatch(/^1\.2 MB\. /);
    expect(screen.queryByRole('table')).toBeNull();
    expect(document.title).toBe('weather-node: Wirebench');
  });

  it('shows the flash plan with each file and its hash', async () => {
    show(async () => release());
    await open('What is written');
    const row = within(screen.getByRole('row', { name: /weather-node\.bin/ }));
    expect(row.getByText('0x10000')).toBeTruthy();
    expect(row.getByText('1.2 MB')).toBeTruthy();
    expect(row.getByTitle('cd'.repeat(32))).toBeTruthy();
    expect(row.getByRole('link', { name: 'Download weather-node.bin' }).getAttribute('href')).toBe(
      '/api/firmware/shared/version/share-1.4.0/files/f2',
    );
    await open('How we know it is this');
    expect(screen.getByText(new RegExp(`${'cd'.repeat(32)} +weather-node.bin`))).toBeTruthy();
  });

  it('summarises its notes in one line, and shows them as written', async () => {
    const description = '## Changes\n\n- Reads again after **deep sleep**\n- A smaller app';
    show(async () => release({ versions: [version('1.4.0', { description })] }));
    expect(await answer('New in 1.4.0')).toBe('Changes, Reads again after deep sleep, A smaller app');
    await open('New in 1.4.0');
    expect((await screen.findByText('deep sleep')).tagName).toBe('STRONG');
  });

  it('without a description is named by its boards, and with a long one has it in a line of its own', async () => {
    show(async () => release({ project: { ...project, description: '' } }));
    expect(await screen.findByText('Firmware for Espressif boards')).toBeTruthy();
    cleanup();
    show(async () => release({ project: { ...project, description: 'Measures.\n\nFor two months.' } }));
    expect(await screen.findByText('Measures.')).toBeTruthy();
    expect(await answer('About weather-node')).toBe('For two months.');
  });

  it('begins with its own sentence and picture, and has the whole description in a line of its own', async () => {
    const file = { type: 'image/png', width: 1_600, height: 1_172, size: 9, sha256: 'ef'.repeat(32) };
    const picture = { text: 'A node in a garden', light: file, dark: file };
    const sentence = 'Measures your garden, and shows it in the kitchen.';
    show(async () => release({ project: { ...project, sentence, picture } }));
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(await answer('About weather-node')).toBe('Outdoor sensor node.');
    const shown = await screen.findByRole('img', { name: 'A node in a garden' });
    expect(shown.getAttribute('src')).toBe('/api/firmware/shared/project/share-project/picture?theme=dark');
    act(() => chooseTheme('light'));
    expect(screen.getByRole('img', { name: 'A node in a garden' }).getAttribute('src')).toMatch(/theme=light$/);
    act(() => chooseTheme('dark'));
  });

  it('shows a picture for one theme in both, and the drawing of its board when the file is missing', async () => {
    const file = { type: 'image/png', width: 1_600, height: 1_172, size: 9, sha256: 'ef'.repeat(32) };
    show(async () => release({ project: { ...project, picture: { text: 'A node', light: file } } }));
    const shown = await screen.findByRole('img', { name: 'A node' });
    expect(shown.getAttribute('src')).toMatch(/theme=light$/);
    act(() => void shown.dispatchEvent(new Event('error')));
    expect(await screen.findByRole('img', { name: 'Drawing of a board with ESP32-S3' })).toBeTruthy();
  });

  it.each([
    [0, 'not flashed yet'],
    [1, 'flashed once'],
    [1_234, 'flashed 1,234 times'],
  ])('says how often it was flashed: %i', async (writeCount, text) => {
    show(async () => release({ versions: [version('1.4.0', { writeCount })] }));
    await screen.findByText(text);
  });

  it('opens its flasher in place of Install, and follows the version that is chosen there', async () => {
    show(async () => release());
    await userEvent.click(await screen.findByRole('link', { name: 'Install' }));
    const button = await screen.findByRole('button', { name: 'Install at ?type=project&id=share-project for board' });
    expect(screen.queryByRole('link', { name: 'Install' })).toBeNull();
    const versions = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Version' });
    await userEvent.selectOptions(versions, '1.3.2');
    expect(
      await screen.findByRole('button', { name: 'Install at ?type=version&id=share-1.3.2 for nothing' }),
    ).toBeTruthy();
    await userEvent.selectOptions(versions, 'id-1.4.0');
    expect(button.isConnected).toBe(false);
    await userEvent.click(await screen.findByRole('button', { name: /^Install at \?type=project/ }));
    expect([versions.value, versions.disabled]).toEqual(['id-1.3.2', true]);
    await userEvent.click(await screen.findByRole('button', { name: /^Done with/ }));
    await userEvent.selectOptions(versions, 'id-1.4.0');
    expect(await screen.findByRole('button', { name: /^Install at \?type=version&id=share-1\.4\.0/ })).toBeTruthy();
  });

  it('tells the flasher of a demo release to connect the demo board', async () => {
    show(async () => release({ project: { ...project, demo: true } }));
    await userEvent.click(await screen.findByRole('link', { name: 'Install' }));
    expect(await screen.findByRole('button', { name: /for demo$/ })).toBeTruthy();
  });

  it('leaves a press with a modifier key to the browser', async () => {
    const loadFlasher = vi.fn(async () => TestFlasher);
    show(async () => release(), undefined, loadFlasher);
    const link = await screen.findByRole('link', { name: 'Install' });
    link.addEventListener('click', (event) => event.preventDefault());
    const user = userEvent.setup();
    await user.keyboard('{Control>}');
    await user.click(link);
    expect(screen.getByRole('link', { name: 'Install' })).toBeTruthy();
  });

  it('follows the newest version for a project link, and opens an older one as that version', async () => {
    show(async () => release());
    const versions = await screen.findByRole('combobox', { name: 'Version' });
    expect(install()).toBe('/esp_flasher.html?type=project&id=share-project');
    await userEvent.selectOptions(versions, '1.3.2');
    expect(install()).toBe('/esp_flasher.html?type=version&id=share-1.3.2');
    expect(await answer('Other versions')).toBe('1.4.0');
    await open('Other versions');
    await userEvent.click(screen.getByRole('button', { name: 'Show version 1.4.0' }));
    expect(install()).toBe('/esp_flasher.html?type=project&id=share-project');
  });

  it('offers no choice for a version link', async () => {
    show(async () => release({ type: 'version', versions: [version('1.4.0')], shareId: 'share-1.4.0' }));
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(install()).toBe('/esp_flasher.html?type=version&id=share-1.4.0');
    expect(document.title).toBe('weather-node 1.4.0: Wirebench');
  });

  it('for STM32 boards leads to their flasher, and offers no button of a tool that cannot install there', async () => {
    show(async () => release({ project: { ...project, deviceFamily: 'stm', deviceModel: 'stm32g' } }));
    await screen.findByRole('heading', { level: 1 });
    expect(install()).toBe('/stm_flasher.html?type=project&id=share-project');
    expect(screen.getByText('Experimental')).toBeTruthy();
    expect(screen.queryByText(/Arduino/)).toBeNull();
    await openWays();
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
    expect(await answer('Boards')).toBe('ESP32-S3 and ESP32-C3');
    await open('Boards');
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'ESP32-S3 with 8 MB of flash or more and PSRAM',
      'ESP32-C3',
    ]);
    await open('How we know it is this');
    expect(screen.getByText(/any board other than an ESP32-S3 or ESP32-C3/)).toBeTruthy();
    await open('What is written');
    expect(screen.getByRole('row', { name: /s3\.bin/ })).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Board' }), 'ESP32-C3');
    expect(screen.getByRole('row', { name: /c3\.bin/ })).toBeTruthy();
    expect(screen.queryByRole('row', { name: /s3\.bin/ })).toBeNull();
  });

  it('leads to the flasher of another family by a line of its own', async () => {
    const build = (deviceFamily: 'esp' | 'nrf', deviceModel: 'esp32s3' | 'nrf52840') => ({
      _id: deviceModel,
      deviceFamily,
      deviceModel,
      guards: {},
      writeCount: 0,
      files: [],
    });
    const builds = [build('esp', 'esp32s3'), build('nrf', 'nrf52840')];
    show(async () => release({ versions: [version('1.4.0', { builds })] }));
    const other = await screen.findByRole('link', { name: 'open the Nordic flasher' });
    expect(other.getAttribute('href')).toBe('/nrf_flasher.html?type=project&id=share-project');
    expect(install()).toBe('/esp_flasher.html?type=project&id=share-project');
  });

  it('without a version says so, and flashes nothing', async () => {
    show(async () => release({ versions: [] }));
    expect(await screen.findByRole('heading', { name: 'No version published yet' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Install' })).toBeNull();
  });

  it.each([
    ['a visitor', null],
    ['its owner', { isPublic: true }],
  ])('names the moment in which its link ends, for %s', async (_who, owned) => {
    show(async () => release({ owned, shareEndsAt: new Date(2099, 0, 31, 12, 30).toISOString() }));
    expect(await screen.findByText('Link expires 31 Jan 2099, 12:30')).toBeTruthy();
    await openWays();
    expect(await screen.findByText(/It works until 31 Jan 2099, 12:30, as long as the release is public/)).toBeTruthy();
    expect(screen.queryByText(/keeps working as long as/)).toBeNull();
  });

  it('marks the demo, and says that real chips refuse it', async () => {
    show(async () => release({ project: { ...project, demo: true } }));
    expect(await screen.findByText('This release is for demo boards.')).toBeTruthy();
  });

  it('hands on link, badge, button and manifest to its publisher, folded and fetched when they are opened', async () => {
    show(async () => release());
    await screen.findByRole('heading', { name: 'For developers' });
    expect(screen.queryByText('Badge')).toBeNull();
    await openWays();
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
    const code = screen.getByRole('img', { name: 'QR code of the link' });
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
    expect(install()).toBe('/esp_flasher.html?type=version&id=id-2.0.0&owned=true');
    expect(screen.queryByRole('heading', { name: 'For developers' })).toBeNull();
    await open('What is written');
    expect(screen.getByRole('button', { name: 'Download bootloader.bin' })).toBeTruthy();
  });

  it('says which version only its owner sees', async () => {
    sessionStore.save(testSession());
    const versions = [version('2.0.0', { isPublic: false }), version('1.4.0')];
    show(async () => release({ versions, owned: { isPublic: true } }), owned);
    expect(await screen.findByText('Version 2.0.0 is private: only you can see it.')).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Version' }), '1.4.0');
    expect(screen.queryByText(/only you can see it/)).toBeNull();
    expect(screen.getByRole('heading', { name: 'For developers' })).toBeTruthy();
  });

  it('shows the newest version that is not a beta, and marks the others', async () => {
    sessionStore.save(testSession());
    const versions = [version('2.0.0-rc1', { channel: 'beta' }), version('1.4.0')];
    show(async () => release({ versions, owned: { isPublic: true } }), owned);
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Version' });
    expect([...choice.options].map(({ textContent }) => textContent)).toEqual(['2.0.0-rc1 (beta)', '1.4.0 (latest)']);
    expect(install()).toBe('/esp_flasher.html?type=project&id=share-project');
    await userEvent.selectOptions(choice, '2.0.0-rc1 (beta)');
    expect(screen.getByText('Beta')).toBeTruthy();
    expect(install()).toBe('/esp_flasher.html?type=version&id=share-2.0.0-rc1');
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
