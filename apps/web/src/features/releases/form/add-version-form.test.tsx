import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { errorStatus, errorText, type Project } from '@wirebench/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeRequest } from '../testing/fake-request.ts';
import { clearManager, dialog, field, press, showManager } from '../testing/manager.tsx';
import type { ReleaseServer } from '../testing/release-server.ts';
import { testProject, testVersion } from '../testing/releases.ts';

afterEach(clearManager);

const bin = (name: string, size = 64) => new File([new Uint8Array(size).fill(1)], name);

const fileInputs = () => screen.getAllByLabelText<HTMLInputElement>(/^File \d/);

const choose = async (files: File | File[], row = 0) => {
  const input = fileInputs()[row];
  if (input === undefined) {
    throw new Error('There is no such row.');
  }
  await userEvent.upload(input, files, { applyAccept: false });
};

async function openForm(changes: Partial<Project> = {}, prepare: (server: ReleaseServer) => void = () => undefined) {
  const bench = showManager((server) => {
    server.projects = [testProject(changes)];
    prepare(server);
  });
  await screen.findByText(/of 3 used/);
  await press('Add version');
  return bench;
}

async function fill(version = '1.5.0') {
  await screen.findByRole('form');
  await userEvent.type(field('Version'), version);
  await userEvent.type(field('Description'), 'Adds a gauge.');
  await choose(bin('weather-node.bin'));
}

/** Returns the running upload. */
async function uploading(): Promise<FakeRequest> {
  const before = FakeRequest.all.length;
  await press('Create version');
  await waitFor(() => expect(FakeRequest.all.length).toBe(before + 1));
  return FakeRequest.last();
}

const posts = ({ calls }: ReleaseServer) => calls.filter((call) => call.startsWith('POST'));

describe('the form of a new version', () => {
  it('opens and closes with its button and keeps what it holds; Escape empties it, and the draft comes back', async () => {
    await openForm();
    await screen.findByRole('form');
    expect(document.activeElement).toBe(field('Version'));
    await userEvent.type(field('Version'), '1.5.0');
    await press('Add version');
    expect(screen.queryByRole('form')).toBeNull();
    await press('Add version');
    expect(field('Version').value).toBe('1.5.0');
    await userEvent.type(field('Description'), '{Escape}');
    expect(screen.queryByRole('form')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add version' }));
    await press('Add version');
    expect(field('Version').value).toBe('');
    await press('Restore it');
    expect(field('Version').value).toBe('1.5.0');
    await userEvent.type(field('Version'), '{Escape}');
    await press('Undo');
    expect(field('Version').value).toBe('1.5.0');
  });

  it('does not create a version without the ELF file that was chosen and refused, unless a person says so', async () => {
    await openForm();
    await fill();
    const choice = await screen.findByLabelText('ELF file: choose a file');
    await userEvent.upload(choice, new File(['just some text, long enough'], 'notes.txt'), { applyAccept: false });
    await screen.findByText(/"notes.txt" is not the ELF file/);
    const before = FakeRequest.all.length;
    await press('Create version');
    await waitFor(() => expect(document.activeElement).toBe(choice));
    expect(FakeRequest.all).toHaveLength(before);
    await press('Continue without an ELF file');
    expect(screen.queryByText(/"notes.txt" is not the ELF file/)).toBeNull();
    const request = await uploading();
    expect((request.body as FormData).has('elf')).toBe(false);
  });

  it('says nothing of a refused ELF file once another one is chosen, while that is still read', async () => {
    await openForm();
    const choice = await screen.findByLabelText('ELF file: choose a file');
    await userEvent.upload(choice, new File(['just some text, long enough'], 'notes.txt'), { applyAccept: false });
    await screen.findByText(/"notes.txt" is not the ELF file/);
    const slow = new File(['just some text, long enough'], 'firmware.elf');
    vi.spyOn(slow, 'slice').mockReturnValue({ arrayBuffer: () => new Promise(() => undefined) } as Blob);
    await userEvent.upload(choice, slow);
    await waitFor(() => expect(screen.queryByText(/"notes.txt" is not the ELF file/)).toBeNull());
  });

  it('says what is missing, by Enter too, but not in the description', async () => {
    await openForm();
    await userEvent.type(field('Description'), '{Enter}');
    expect(screen.queryByText('Please enter a version number')).toBeNull();
    await userEvent.clear(field('Description'));
    await userEvent.type(field('Version'), '{Enter}');
    expect(screen.getByText('Please enter a version number')).toBeTruthy();
    expect(screen.getByText('Description is required')).toBeTruthy();
    expect(screen.getByText('At least one firmware file with offset is required')).toBeTruthy();
    expect(document.activeElement).toBe(field('Version'));
  });

  it('always has a row to choose a file in, up to four', async () => {
    await openForm();
    await choose([bin('bootloader.bin'), bin('partitions.bin'), bin('app.bin')]);
    expect(fileInputs()).toHaveLength(4);
    expect(field('Offset of bootloader.bin').value).toBe('0x0');
    expect(field('Offset of partitions.bin').value).toBe('0x8000');
    expect(field('Offset of app.bin').value).toBe('0x10000');
    await choose([bin('nvs.bin'), bin('five.bin')], 3);
    expect(fileInputs()).toHaveLength(5);
    expect(screen.getByText(/^A version can have at most 4 files: remove 1/)).toBeTruthy();
    for (const name of ['bootloader.bin', 'partitions.bin', 'app.bin', 'nvs.bin', 'five.bin']) {
      await press(`Remove ${name}`);
    }
    expect(fileInputs()).toHaveLength(1);
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  });

  it('takes .bin files only', async () => {
    await openForm();
    await choose(bin('app.hex'));
    expect(screen.getByText('"app.hex" is not a .bin file. Only .bin files can be uploaded.')).toBeTruthy();
    expect(fileInputs()[0]?.accept).toBe('.bin');
  });

  it('takes files of all formats for an Arduino board, and asks for no ELF file', async () => {
    await openForm({ deviceFamily: 'avr', deviceModel: 'uno' });
    expect(fileInputs()[0]?.accept).toContain('.hex');
    await choose(new File([':01000000AA55\n:00000001FF\n'], 'Blink.ino.hex'));
    const build = await screen.findByRole('group', { name: 'Build 1: Arduino Uno' });
    expect(within(build).getByText('Blink.ino.hex')).toBeTruthy();
    expect(within(build).getByText('has its addresses')).toBeTruthy();
    expect(screen.queryByLabelText(/ELF file/)).toBeNull();
  });

  it('never guesses an offset without 0x, and offers the likely one in one click', async () => {
    await openForm();
    await fill();
    await userEvent.clear(field('Offset of weather-node.bin'));
    await userEvent.type(field('Offset of weather-node.bin'), '10000');
    await press('Create version');
    expect(screen.getByText('The offset of "weather-node.bin" has no 0x prefix. Use 0x10000.')).toBeTruthy();
    await press('Use 0x10000');
    expect(field('Offset of weather-node.bin').value).toBe('0x10000');
    expect(screen.queryByText(/has no 0x prefix/)).toBeNull();
  });

  it('refuses a release that cannot be flashed before it uploads anything', async () => {
    const { server } = await openForm();
    const uploads = FakeRequest.all.length;
    await fill();
    await userEvent.clear(field('Offset of weather-node.bin'));
    await userEvent.type(field('Offset of weather-node.bin'), '0x2710');
    await screen.findByText(/"weather-node.bin" cannot begin at 0x2710: flash is erased in sectors of 4 KB/);
    await press('Create version');
    expect(FakeRequest.all).toHaveLength(uploads);
    expect(posts(server)).toEqual([]);
  });

  it('asks for a typed decision before a damaged image is published', async () => {
    await openForm();
    await fill();
    const image = new Uint8Array(64);
    image.set([0xe9, 1, 2, 0x20]);
    new DataView(image.buffer).setUint16(12, 9, true);
    new DataView(image.buffer).setUint32(28, 0xffff, true);
    await choose(new File([image], 'broken.bin'), 1);
    await userEvent.clear(field('Offset of broken.bin'));
    await userEvent.type(field('Offset of broken.bin'), '0x20000');
    await screen.findByText(/"broken.bin": The image ends too early\./);
    const uploads = FakeRequest.all.length;
    await press('Create version');
    await dialog('Publish damaged firmware?');
    expect(FakeRequest.all).toHaveLength(uploads);
    await userEvent.type(field('Name'), '1.5{Enter}');
    await screen.findByText("Confirmation text doesn't match");
    await userEvent.type(field('Name'), '.0{Enter}');
    await waitFor(() => expect(FakeRequest.all).toHaveLength(uploads + 1));
    expect((FakeRequest.last().body as FormData).get('acceptDamaged')).toBe('["broken.bin"]');
  });

  it('does not upload a web page that is called firmware, and says where it may come from', async () => {
    await openForm();
    await fill();
    await choose(new File(['<!DOCTYPE html><html><head><title>Sign in</title></head></html>'], 'page.bin'), 1);
    await userEvent.clear(field('Offset of page.bin'));
    await userEvent.type(field('Offset of page.bin'), '0x8000');
    await screen.findByText(/"page.bin" is a web page, not firmware\. A download that needed a sign-in/);
    const uploads = FakeRequest.all.length;
    await press('Create version');
    expect(FakeRequest.all).toHaveLength(uploads);
  });

  it('asks whether the number is free before anything is uploaded', async () => {
    const { server } = await openForm({ versions: [testVersion({ version: '1.4.0-RC' })] });
    const uploads = FakeRequest.all.length;
    await fill(' 1.4.0-rc ');
    await press('Create version');
    await screen.findByText('Version "1.4.0-rc" already exists in this project. Please use a unique version number.');
    expect(FakeRequest.all).toHaveLength(uploads);
    expect(posts(server)).toEqual([]);
    expect(document.activeElement).toBe(field('Version'));
    await userEvent.type(field('Version'), '2');
    expect(screen.queryByText(/already exists in this project/)).toBeNull();
  });

  it('says when the number could not be asked for, and asks again with what was typed', async () => {
    const { server } = await openForm({}, (prepared) => prepared.failAt('GET /api/firmware/versions/', 'offline'));
    await fill();
    await press('Create version');
    await screen.findByText('Failed to check version uniqueness: Network error: No response from server');
    expect(field('Version').value).toBe('1.5.0');
    expect(field('Offset of weather-node.bin')).toBeTruthy();
    server.failAt('GET /api/firmware/versions/', null);
    expect((await uploading()).body).toBeInstanceOf(FormData);
  });

  it('uploads with progress, once, and makes room for the new version', async () => {
    const { server } = await openForm();
    const [project] = server.projects;
    await fill();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Set up the terminal after a flash' }));
    const request = await uploading();
    await userEvent.click(screen.getByRole('button', { name: 'Creating…' }));
    act(() => request.progress(512, 1_024));
    expect(screen.getByText('Uploading: 512 B of 1.0 KB, 50 %')).toBeTruthy();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    const form = request.body as FormData;
    expect([...form.keys()]).toEqual(['projectId', 'version', 'description', 'offsets', 'console', 'files']);
    expect(form.get('version')).toBe('1.5.0');
    expect(form.get('offsets')).toBe('["0x10000"]');
    expect(JSON.parse(String(form.get('console')))).toEqual({ baudRate: 115_200, lineEnding: 'lf', jkitId: null });
    expect(form.get('files')).toMatchObject({ name: 'weather-node.bin', size: 64 });
    act(() => request.progress(1_024, 1_024));
    expect(screen.getByText('Storing the files…')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Cancel upload' })).toBeNull();
    const version = testVersion({ version: '1.5.0' });
    server.addVersion(project?._id ?? '', version);
    act(() => request.answer(201, JSON.stringify({ version })));
    await screen.findByText('Version 1.5.0 created');
    expect(screen.queryByRole('form')).toBeNull();
    expect(screen.getByText('1 of 3 used')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add version' }));
  });

  it('publishes a beta version when that is ticked', async () => {
    await openForm();
    await fill();
    const tick = screen.getByRole<HTMLInputElement>('checkbox', {
      name: 'Beta',
      description: 'The link of the project shows a beta version only with &channel=beta at its end.',
    });
    expect(tick.checked).toBe(false);
    await userEvent.click(tick);
    expect(((await uploading()).body as FormData).get('channel')).toBe('beta');
  });

  it('stops an upload when it is cancelled, by Escape too, and keeps what was typed', async () => {
    await openForm();
    await fill();
    let request = await uploading();
    await press('Cancel upload');
    await screen.findByText('Upload cancelled. Nothing was stored.');
    expect(request.aborted).toBe(true);
    expect(field('Version').value).toBe('1.5.0');
    request = await uploading();
    await userEvent.keyboard('{Escape}');
    await screen.findByText('Upload cancelled. Nothing was stored.');
    expect(request.aborted).toBe(true);
    expect(field('Description').value).toBe('Adds a gauge.');
  });

  it.each([
    [413, '"weather-node.bin" is larger than 16 MB'],
    [
      422,
      'You have reached the maximum limit of 3 versions per project. Please delete an existing version before creating a new one.',
    ],
    [503, 'The file store is not responding. Please try again in a moment.'],
  ])('shows what the server refused with %i, and keeps what was typed', async (status, message) => {
    await openForm();
    await fill();
    const request = await uploading();
    act(() => request.answer(status, JSON.stringify({ error: message, message })));
    await screen.findByText(`Failed to create version: ${message}`);
    expect(field('Version').value).toBe('1.5.0');
    expect(field('Offset of weather-node.bin').value).toBe('0x10000');
  });

  it('shows that a connection broke, and can be sent again', async () => {
    await openForm();
    await fill();
    const request = await uploading();
    act(() => request.fail());
    await screen.findByText('Failed to create version: Network error: No response from server');
    expect((await uploading()).body).toBeInstanceOf(FormData);
  });

  it.each(['too-many-uploads', 'uploads-busy', 'disk-space-low', 'overloaded', 'request-timeout'] as const)(
    'says why the server takes no upload, keeps what was typed, and can send it again: %s',
    async (code) => {
      await openForm();
      await fill();
      const request = await uploading();
      const message = errorText[code];
      act(() => request.answer(errorStatus[code], JSON.stringify({ error: message, message, code })));
      await screen.findByText(`Failed to create version: ${message}`);
      expect(field('Version').value).toBe('1.5.0');
      expect((await uploading()).body).toBeInstanceOf(FormData);
    },
  );

  it('shows an occupied version number at its field when the server reports it', async () => {
    await openForm();
    await fill();
    const message = 'Version "1.5.0" already exists in this project. Please use a unique version number.';
    const request = await uploading();
    act(() => request.answer(409, JSON.stringify({ error: message, message })));
    await screen.findByText(message);
    expect(field('Version').getAttribute('aria-invalid')).toBe('true');
  });

  it('is replaced at the limit by the sentence that there is no room', async () => {
    const versions = ['1', '2', '3'].map((version) => testVersion({ version }));
    await openForm({ versions });
    expect(screen.queryByRole('form')).toBeNull();
    expect(
      screen.getByText(
        'You have reached the maximum limit of 3 versions per project. Please delete an existing version before creating a new one.',
      ),
    ).toBeTruthy();
  });

  it('warns before the document is left while it uploads, and not before', async () => {
    await openForm();
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    await fill();
    expect(leave()).toBe(false);
    await uploading();
    expect(leave()).toBe(true);
  });

  it('takes files that are dropped on it', async () => {
    await openForm();
    const group = screen.getByRole('form', { name: 'New version' });
    fireEvent.drop(group, {
      dataTransfer: { types: ['Files'], items: [], files: [bin('bootloader.bin'), bin('app.bin')] },
    });
    await screen.findByRole('textbox', { name: 'Offset of app.bin' });
    expect(field('Offset of bootloader.bin').value).toBe('0x0');
  });

  it('fills rows and offsets from the list of a build', async () => {
    await openForm();
    const list = {
      flash_files: {
        '0x0': 'bootloader/bootloader.bin',
        '0x20000': 'weather-node.bin',
        '0x9000': 'partition-table.bin',
      },
      extra_esptool_args: { chip: 'esp32s3' },
    };
    const files = [
      bin('weather-node.bin'),
      bin('bootloader.bin'),
      bin('partition-table.bin'),
      bin('other.bin'),
      new File([JSON.stringify(list)], 'flasher_args.json'),
    ];
    fireEvent.drop(screen.getByRole('form', { name: 'New version' }), {
      dataTransfer: { types: ['Files'], items: [], files },
    });
    await screen.findByText('Filled in from flasher_args.json.');
    expect(field('Offset of bootloader.bin').value).toBe('0x0');
    expect(field('Offset of partition-table.bin').value).toBe('0x9000');
    expect(field('Offset of weather-node.bin').value).toBe('0x20000');
    expect(screen.queryByRole('textbox', { name: 'Offset of other.bin' })).toBeNull();
  });

  it('says so when what was dropped cannot be read, and keeps the rows', async () => {
    await openForm();
    await choose(bin('app.bin'));
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const gone = bin('gone.bin');
    gone.slice = () => {
      throw new DOMException('It moved.', 'NotReadableError');
    };
    fireEvent.drop(screen.getByRole('form', { name: 'New version' }), {
      dataTransfer: { types: ['Files'], items: [], files: [gone] },
    });
    await screen.findByText('The files could not be read. Choose them again.');
    expect(field('Offset of app.bin').value).toBe('0x10000');
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });

  it('takes nothing that is dropped while it uploads', async () => {
    await openForm();
    await fill();
    await uploading();
    fireEvent.drop(screen.getByRole('form', { name: 'New version' }), {
      dataTransfer: { types: ['Files'], items: [], files: [bin('b.bin')] },
    });
    await press('Cancel upload');
    await screen.findByText('Upload cancelled. Nothing was stored.');
    expect(screen.queryByRole('textbox', { name: 'Offset of b.bin' })).toBeNull();
  });

  it('keeps the page when a file is dropped beside it', async () => {
    await openForm();
    const drop = () => {
      const event = new Event('drop', { bubbles: true, cancelable: true });
      Object.assign(event, { dataTransfer: { types: ['Files'], dropEffect: 'copy' } });
      document.body.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(drop()).toBe(true);
    await press('Cancel');
    // A cancelled draft can be restored until the page is closed.
    expect(drop()).toBe(true);
  });
});

describe('the form of a version with several builds', () => {
  const chipIds = { esp32c3: 5, esp32s3: 9 } as const;
  /** Returns an image with one segment that is mapped from flash (esptool, "Firmware Image Format"). */
  const app = (chip: keyof typeof chipIds, name: string) => {
    const image = new Uint8Array(64);
    const view = new DataView(image.buffer);
    image.set([0xe9, 1, 2, 0x20]);
    view.setUint16(12, chipIds[chip], true);
    view.setUint32(24, 0x3c00_0020, true);
    view.setUint32(28, 16, true);
    image[63] = 0xef;
    return new File([image], name);
  };
  /** An image whose only segment is the description of an app (ESP-IDF, `esp_app_desc_t`). */
  const describedApp = (chip: keyof typeof chipIds, name: string, version: string) => {
    const image = new Uint8Array(304);
    const view = new DataView(image.buffer);
    image.set([0xe9, 1, 2, 0x20]);
    view.setUint16(12, chipIds[chip], true);
    view.setUint32(24, 0x3c00_0020, true);
    view.setUint32(28, 256, true);
    view.setUint32(32, 0xabcd_5432, true);
    image.set(new TextEncoder().encode(version), 48);
    image.set(new TextEncoder().encode('weather'), 80);
    image[303] = image.subarray(32, 288).reduce((sum, byte) => sum ^ byte, 0xef);
    return new File([image], name);
  };
  const build = (name: string) => within(screen.getByRole('group', { name }));
  const dropped = async (...files: File[]) => {
    fireEvent.drop(screen.getByRole('form', { name: 'New version' }), {
      dataTransfer: { types: ['Files'], items: [], files },
    });
    await screen.findByText(/^Found 2 builds/);
  };

  it('proposes a build for each chip, and uploads each with its files', async () => {
    await openForm();
    await userEvent.type(field('Version'), '1.5.0');
    await userEvent.type(field('Description'), 'Adds a gauge.');
    await dropped(app('esp32c3', 'c3.bin'), app('esp32s3', 's3.bin'));
    await screen.findByRole('group', { name: 'Build 1: ESP32-S3' });
    await build('Build 2: ESP32-C3').findByText(/^App for ESP32-C3/);
    await userEvent.click(build('Build 2: ESP32-C3').getByText('For every ESP32-C3 board'));
    await userEvent.selectOptions(build('Build 2: ESP32-C3').getByRole('combobox', { name: 'Flash' }), 'At least 4 MB');
    expect(screen.getByText('Only for boards with 4 MB of flash or more')).toBeTruthy();
    const form = (await uploading()).body as FormData;
    expect([...form.keys()]).toEqual(['projectId', 'version', 'description', 'builds', 'files', 'files']);
    expect(JSON.parse(String(form.get('builds')))).toEqual([
      { deviceModel: 'esp32s3', guards: {}, files: [{ index: 0, offset: '0x10000' }] },
      { deviceModel: 'esp32c3', guards: { flashSize: 4 * 1_048_576 }, files: [{ index: 1, offset: '0x10000' }] },
    ]);
    expect(form.getAll('files')).toMatchObject([{ name: 's3.bin' }, { name: 'c3.bin' }]);
  });

  it('uploads the ELF file of each build after the version, in a request of its own, and says which is missing', async () => {
    const { server } = await openForm();
    await userEvent.type(field('Version'), '1.5.0');
    await userEvent.type(field('Description'), 'Adds a gauge.');
    await dropped(app('esp32c3', 'c3.bin'), app('esp32s3', 's3.bin'));
    await screen.findByRole('group', { name: 'Build 1: ESP32-S3' });
    const elf = (name: string, machine: number) =>
      new File([Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine, 0)], name);
    // One field in each card, and none for the version as a whole.
    expect(screen.getAllByLabelText('ELF file: choose a file')).toHaveLength(2);
    for (const [name, file] of [
      ['Build 1: ESP32-S3', elf('s3.elf', 94)],
      ['Build 2: ESP32-C3', elf('c3.elf', 243)],
    ] as const) {
      await userEvent.upload(build(name).getByLabelText('ELF file: choose a file'), file);
      await build(name).findByLabelText(`ELF file: ${file.name}, replace`);
    }
    const creation = await uploading();
    expect((creation.body as FormData).has('elf')).toBe(false);
    const [s3, c3] = ['01978c00-0000-7000-8000-000000000b01', '01978c00-0000-7000-8000-000000000b02'];
    const stored = (_id: string, deviceModel: 'esp32s3' | 'esp32c3') => ({
      _id,
      deviceFamily: 'esp' as const,
      deviceModel,
      guards: {},
      files: [],
      writeCount: 0,
    });
    const version = testVersion({ version: '1.5.0', builds: [stored(s3, 'esp32s3'), stored(c3, 'esp32c3')] });
    server.projects = [testProject({ versions: [version] })];
    creation.answer(201, JSON.stringify({ version }));
    await waitFor(() => expect(FakeRequest.last().url).toBe(`/api/firmware/version/${version._id}/elf?build=${s3}`));
    expect((FakeRequest.last().body as FormData).get('elf')).toMatchObject({ name: 's3.elf' });
    FakeRequest.last().answer(200, JSON.stringify({ version }));
    await waitFor(() => expect(FakeRequest.last().url).toBe(`/api/firmware/version/${version._id}/elf?build=${c3}`));
    FakeRequest.last().answer(507, JSON.stringify({ error: 'The disk is full', code: 'store-full' }));
    await screen.findByText('Version 1.5.0 was created without an ELF file');
    expect(screen.getByText(/The ELF file of the build for ESP32-C3 is missing: .*under ELF file\.$/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('form', { name: 'New version' })).toBeNull());
  });

  it('does not create a version while the ELF file of a build was refused', async () => {
    await openForm();
    await userEvent.type(field('Version'), '1.5.0');
    await userEvent.type(field('Description'), 'Adds a gauge.');
    await dropped(app('esp32c3', 'c3.bin'), app('esp32s3', 's3.bin'));
    await screen.findByRole('group', { name: 'Build 1: ESP32-S3' });
    const second = build('Build 2: ESP32-C3');
    await userEvent.upload(
      second.getByLabelText('ELF file: choose a file'),
      new File(['text, long enough to read'], 'n.txt'),
    );
    await second.findByText(/"n.txt" is not the ELF file/);
    const uploads = FakeRequest.all.length;
    await press('Create version');
    expect(FakeRequest.all).toHaveLength(uploads);
    expect(document.activeElement).toBe(second.getByLabelText('ELF file: choose a file'));
    await userEvent.click(second.getByRole('button', { name: 'Continue without an ELF file' }));
    expect(second.queryByText(/"n.txt" is not the ELF file/)).toBeNull();
  });

  it('asks for flash and connection of a Nordic board, in the sizes of Nordic parts', async () => {
    await openForm();
    await choose(bin('weather-node.bin'));
    await press('Add a build for other boards');
    await screen.findByRole('group', { name: 'Build 2' });
    await userEvent.selectOptions(build('Build 2').getByRole('combobox', { name: 'Chip' }), 'nRF52');
    const nordic = build('Build 2: nRF52');
    await userEvent.click(nordic.getByText('For every nRF52 board'));
    expect(nordic.queryByRole('combobox', { name: 'PSRAM' })).toBeNull();
    await userEvent.selectOptions(nordic.getByRole('combobox', { name: 'Flash' }), 'At least 512 KB');
    await userEvent.selectOptions(nordic.getByRole('combobox', { name: 'Connection' }), 'USB of the chip');
    expect(
      nordic.getByText('Only for boards with 512 KB of flash or more and a connection over its own USB'),
    ).toBeTruthy();
  });

  it('reports a fault at the build that has it, and uploads nothing', async () => {
    await openForm();
    await userEvent.type(field('Version'), '1.5.0');
    await userEvent.type(field('Description'), 'Adds a gauge.');
    await dropped(app('esp32c3', 'c3.bin'), app('esp32s3', 's3.bin'));
    await screen.findByRole('group', { name: 'Build 1: ESP32-S3' });
    await press('Add a build');
    expect(document.activeElement).toBe(build('Build 3').getByRole('combobox', { name: 'Chip' }));
    const uploads = FakeRequest.all.length;
    await userEvent.selectOptions(build('Build 3').getByRole('combobox', { name: 'Chip' }), 'ESP8266');
    await press('Create version');
    expect(screen.getByText('The build for ESP8266 has no file. Choose its files, or remove the build.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getAllByRole('combobox', { name: 'Chip' })[2]);
    await userEvent.selectOptions(build('Build 2: ESP32-C3').getByRole('combobox', { name: 'Chip' }), 'ESP32');
    await screen.findByText(/"c3.bin" was built for ESP32-C3, but this build is for ESP32\./);
    await press('Create version');
    expect(FakeRequest.all).toHaveLength(uploads);
  });

  it('fills the number in from the app in the files, and leaves a typed one alone', async () => {
    await openForm();
    await choose(describedApp('esp32s3', 's3.bin', '1.4.0'));
    await waitFor(() => expect(field('Version').value).toBe('1.4.0'));
    expect(screen.getByText('From the app in your files.')).toBeTruthy();
    await userEvent.clear(field('Version'));
    await userEvent.type(field('Version'), '2.0.0');
    expect(screen.queryByText('From the app in your files.')).toBeNull();
    await choose(describedApp('esp32s3', 'other.bin', '1.6.0'));
    await screen.findByRole('textbox', { name: 'Offset of other.bin' });
    expect(field('Version').value).toBe('2.0.0');
  });

  it('ignores an empty card, and asks for confirmation when the app has another version', async () => {
    await openForm();
    await userEvent.type(field('Version'), '1.7.0');
    await userEvent.type(field('Description'), 'Adds a gauge.');
    await dropped(app('esp32c3', 'c3.bin'), describedApp('esp32s3', 's3.bin', '1.4.0'));
    await screen.findByRole('group', { name: 'Build 1: ESP32-S3' });
    await press('Add a build');
    const uploads = FakeRequest.all.length;
    await press('Create version');
    const asked = await screen.findByRole('dialog', { name: 'Is this version 1.7.0?' });
    expect(asked.textContent).toContain('The app in "s3.bin" says 1.4.0.');
    expect(asked.textContent).toContain('Visitors read 1.7.0');
    expect(FakeRequest.all).toHaveLength(uploads);
    await userEvent.click(within(asked).getByRole('button', { name: 'Create version 1.7.0' }));
    await vi.waitFor(() => expect(FakeRequest.all).toHaveLength(uploads + 1), { timeout: 10_000 });
  });

  it('offers the chips in groups by family, the project’s first', async () => {
    await openForm();
    await choose(bin('weather-node.bin'));
    await press('Add a build for other boards');
    await screen.findByRole('group', { name: 'Build 2' });
    const groups = build('Build 2')
      .getAllByRole('group')
      .filter(({ tagName }) => tagName === 'OPTGROUP');
    expect(groups.map((group) => group.getAttribute('label'))).toEqual([
      'Espressif',
      'STM32',
      'Nordic',
      'Arduino boards',
      'AVR chips',
      'Raspberry Pi',
    ]);
  });

  it('is the simple form again once one build is left that it has fields for', async () => {
    await openForm();
    await choose(bin('weather-node.bin'));
    await press('Add a build for other boards');
    await screen.findByRole('group', { name: 'Build 2' });
    expect(build('Build 1: ESP32-S3').getByRole('textbox', { name: 'Offset of weather-node.bin' })).toBeTruthy();
    await press('Remove build 2');
    expect(screen.queryByRole('group', { name: 'Build 1: ESP32-S3' })).toBeNull();
    expect(field('Offset of weather-node.bin').value).toBe('0x10000');
  });
});
