import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { FamilyId } from '@wirebench/boards';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChosenFiles, GivenFile } from '../../../protocol/flash-protocol.ts';
import { appNavigation } from '../../../shared/app-navigation.ts';
import { useAnswer } from '../answer/use-answer.ts';
import { takeCarried } from '../store/carried-files.ts';
import { addFiles, takeFiles } from '../store/file-actions.ts';
import { dispatch, flasherStore, flashOf, startFlasher, switchFlasher } from '../store/flasher-store.ts';
import { planNow } from '../store/plan-actions.ts';
import { fakeFlasher } from '../testing/fake-flasher.ts';
import { testBoard, testFamily, testRelease, testVersion } from '../testing/families.ts';
import { ArrivedLine } from './arrived-line.tsx';
import { FileNotices } from './file-notices.tsx';

const call = fakeFlasher();

const file = (id: number, name: string, chip?: string) => ({
  id,
  name,
  size: 0x1000,
  what: 'App',
  offset: id * 0x10000,
  why: '',
  places: null,
  application: null,
  sha256: '',
  ...(chip !== undefined && { chip }),
});
const nothing: ChosenFiles = { files: [], leftOut: [], conflicts: [] };
const asks = {
  ...nothing,
  conflicts: [
    {
      code: 'several-builds',
      files: [],
      what: 'There are 3 builds: a, b, c.',
      remedy: 'Choose the one for your board.',
      stops: true,
    },
  ],
  builds: {
    picked: null,
    options: [
      { name: 'a', chip: 'ESP32' },
      { name: 'b', chip: 'ESP32' },
      { name: 'c', chip: 'ESP32-C3' },
    ],
  },
};
const given: readonly GivenFile[] = [{ name: 'weather.zip', content: new Blob(['x']) }];

/** Shows what the page says of the files, and what its main button does. */
function Page() {
  const { view, canWrite } = useAnswer();
  return (
    <>
      <h2>{view.title}</h2>
      <p>{`${view.label}: ${canWrite ? 'possible' : 'not possible'}`}</p>
      <FileNotices empty={false} locked={false} />
    </>
  );
}

function connectBoard(name: string): void {
  dispatch(1, { type: 'connect', source: { kind: 'demo', model: 'esp32' } });
  dispatch(1, { type: 'connected', board: testBoard({ name }) });
}

beforeEach(() => {
  startFlasher(testFamily);
  call.mockReset();
});
afterEach(cleanup);

describe('builds that were given together', () => {
  it('are asked for by name and chip, and nothing is planned before', async () => {
    call.mockResolvedValue(asks);
    await takeFiles(given);
    connectBoard('ESP32-S3');
    render(<Page />);
    expect(screen.getByText('None of the 3 builds is for ESP32-S3.')).toBeTruthy();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'a · ESP32',
      'b · ESP32',
      'c · ESP32-C3',
    ]);
    expect(screen.getByText('Write: not possible')).toBeTruthy();
    await planNow(1);
    expect(call.mock.calls.map(([name]) => name)).not.toContain('plan');
  });

  it('are only those for the chip of the connected board', async () => {
    call.mockResolvedValue(asks);
    await takeFiles(given);
    connectBoard('ESP32');
    render(<Page />);
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['a · ESP32', 'b · ESP32']);
    call.mockResolvedValue({ ...nothing, files: [file(1, 'app.bin')], builds: { ...asks.builds, picked: 'b' } });
    fireEvent.click(screen.getByRole('button', { name: 'b · ESP32' }));
    await waitFor(() => expect(screen.getByText('Build b is written, of 3 that were given.')).toBeTruthy());
    expect(call).toHaveBeenLastCalledWith('pickBuild', 'b');
  });

  it('are taken by themselves when one is for the chip of the board', async () => {
    call.mockResolvedValue(asks);
    await takeFiles(given);
    connectBoard('ESP32-C3');
    call.mockResolvedValue({
      ...nothing,
      files: [file(1, 'app.bin', 'ESP32-C3')],
      builds: { ...asks.builds, picked: 'c' },
    });
    render(<Page />);
    await waitFor(() => expect(flasherStore().getState().chosen.builds?.picked).toBe('c'));
    expect(call).toHaveBeenCalledWith('pickBuild', 'c');
  });
});

describe('files that do not fit', () => {
  it('stop the write, and the page names them', async () => {
    const conflict = {
      code: 'too-many-files',
      files: ['e.bin'],
      what: 'At most 4 files.',
      remedy: 'Remove 1.',
      stops: true,
    };
    call.mockResolvedValue({ ...nothing, files: [file(1, 'a.bin')], conflicts: [conflict] });
    await takeFiles(given);
    connectBoard('ESP32');
    render(<Page />);
    expect(screen.getByRole('heading', { name: 'At most 4 files' })).toBeTruthy();
    expect(screen.getByText('Choose other files: not possible')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('At most 4 files. Remove 1.');
    await planNow(1);
    expect(flashOf(1).plan).toBeNull();
  });
});

describe('files for another flasher', () => {
  const elsewhere: ChosenFiles = { ...nothing, elsewhere: { family: 'stm', names: ['app.hex'], only: true } };
  const show = vi.fn();

  beforeEach(() => {
    show.mockReset();
    appNavigation.show = show;
    history.replaceState(null, '', '/esp_flasher.html');
  });
  afterEach(() => {
    appNavigation.show = null;
    history.replaceState(null, '', '/');
  });

  /** Shows the page of a family, and returns the files that it takes. */
  async function arriveAt(name: FamilyId): Promise<readonly GivenFile[]> {
    const taken: GivenFile[] = [];
    switchFlasher({ ...testFamily, name });
    await takeCarried(async (files) => {
      taken.push(...files);
      await takeFiles(files);
    });
    return taken;
  }

  it('open it by themselves on an unused page, and are named there with the way back', async () => {
    call.mockResolvedValue(elsewhere);
    await takeFiles(given);
    expect(show.mock.calls).toEqual([['/stm_flasher.html']]);
    call.mockResolvedValue({ ...nothing, files: [file(1, 'app.hex')] });
    expect(await arriveAt('stm')).toEqual(given);
    render(<ArrivedLine />);
    expect(screen.getByText('app.hex is for STM32, so this is now the STM32 flasher.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Stay with Espressif' }).getAttribute('href')).toBe('/esp_flasher.html');
    await addFiles([{ name: 'other.hex', content: new Blob(['y']) }]);
    cleanup();
    render(<ArrivedLine />);
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('stay on the page with its question after the way back', async () => {
    call.mockResolvedValue(elsewhere);
    await takeFiles(given);
    await arriveAt('stm');
    await arriveAt('esp');
    render(<Page />);
    fireEvent.click(screen.getByRole('link', { name: 'Open the STM32 flasher' }));
    expect(await arriveAt('stm')).toEqual(given);
    expect(flasherStore().getState().arrival).toBeNull();
    expect(show).toHaveBeenCalledOnce();
  });

  it.each([
    ['a board is connected', () => connectBoard('ESP32')],
    ['a board is being connected', () => dispatch(1, { type: 'connect', source: { kind: 'demo', model: 'esp32' } })],
    ['boards are written in batch mode', () => flasherStore().setState({ batchMode: true })],
    ['a release is loaded', () => flasherStore().setState({ release: testRelease(testVersion) })],
    ['the person has left the page', () => history.replaceState(null, '', '/app/uart')],
    ['the document cannot show other pages', () => (appNavigation.show = null)],
  ])('ask first while %s', async (_name, prepare) => {
    prepare();
    call.mockResolvedValue(elsewhere);
    await takeFiles(given);
    expect(show).not.toHaveBeenCalled();
    render(<Page />);
    expect(screen.getByRole('link', { name: 'Open the STM32 flasher' })).toBeTruthy();
  });

  it('ask first beside files that are chosen, and when several flashers take them', async () => {
    call.mockResolvedValue({ ...elsewhere, files: [file(1, 'app.bin')] });
    await takeFiles(given);
    call.mockResolvedValue({ ...nothing, elsewhere: { family: 'stm', names: ['app.hex'], only: false } });
    await takeFiles(given);
    expect(show).not.toHaveBeenCalled();
  });

  it('are named with their flasher, and one link takes them along', async () => {
    call.mockResolvedValue(elsewhere);
    await takeFiles(given);
    render(<Page />);
    expect(screen.getByText('app.hex belongs in the STM32 flasher.')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Open the STM32 flasher' });
    expect(link.getAttribute('href')).toBe('/stm_flasher.html');
    fireEvent.click(link);
    expect(screen.queryByText('app.hex belongs in the STM32 flasher.')).toBeNull();
    expect(await arriveAt('stm')).toEqual(given);
    expect(await arriveAt('stm')).toEqual([]);
  });

  it('do not go along to a flasher that is opened in another way', async () => {
    connectBoard('ESP32');
    call.mockResolvedValue(elsewhere);
    await takeFiles(given);
    expect(await arriveAt('stm')).toEqual([]);
  });

  it('are forgotten when other files are given', async () => {
    call.mockResolvedValue(elsewhere);
    await takeFiles(given);
    call.mockResolvedValue({ ...nothing, files: [file(1, 'app.bin')] });
    await takeFiles([{ name: 'app.bin', content: new Blob(['y']) }]);
    render(<Page />);
    expect(screen.queryByRole('link')).toBeNull();
  });
});
