/** The ELF file of a version and its crashes, as shown to the owner. */
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { CrashAnswer, Version } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRequest } from '../testing/fake-request.ts';
import { choose, clearManager, dialog, press, showManager } from '../testing/manager.tsx';
import type { ReleaseServer } from '../testing/release-server.ts';
import { testProject, testVersion } from '../testing/releases.ts';

const elf = { fileName: 'node.elf', size: 2_000_000, sha256: `5f1c7a90b${'0'.repeat(55)}` };

const crash = (number: number, changes: Partial<CrashAnswer['crash']> = {}): CrashAnswer['crash'] => ({
  fingerprint: number.toString(16).padStart(16, '0'),
  cause: `Load access fault ${number}`,
  count: number,
  firstSeenAt: '2026-11-18T12:00:00.000Z',
  lastSeenAt: '2026-11-20T12:00:00.000Z',
  chips: [{ chip: 'ESP32-C3', count: number }],
  examples: [
    {
      _id: '01978c00-0000-7000-8000-00000000cccc',
      receivedAt: '2026-11-20T12:00:00.000Z',
      chip: 'ESP32-C3',
      chipRevision: 4,
      build: '5f1c7a90b',
      details: '',
      tasks: [
        {
          name: 'main',
          crashed: true,
          stackUsed: 592,
          stackSize: 4_092,
          frames: [
            { pc: 0x4200_8a3c, guess: false, places: [{ function: 'read_sensor', file: 'main.c', line: 42 }] },
            { pc: 0x4200_0100, guess: true, places: [] },
          ],
        },
      ],
      memorySize: 0,
    },
  ],
  ...changes,
});

let version: Version;

function show(changes: Partial<Version>, prepare: (server: ReleaseServer) => void = () => undefined): ReleaseServer {
  version = testVersion(changes);
  return showManager((server) => {
    server.projects = [testProject({ versions: [version] })];
    prepare(server);
  }).server;
}

const openFromMenu = async (item: string) => {
  await choose('version 1.4.0', item);
};

/** The first bytes of an ELF program for RISC-V. */
const program = (name = 'app.elf') =>
  new File([new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 243, 0])], name);

beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn());
});
afterEach(clearManager);

describe('the ELF file of a version', () => {
  it('is shown in its row as readable only by its owner, and hidden if there is none', async () => {
    show({ elf });
    const row = await screen.findByRole('listitem', { name: 'version 1.4.0' });
    const file = within(row).getByRole('list', { name: 'ELF file' });
    expect(file.textContent).toContain('node.elf');
    expect(file.textContent).toContain('only you');
    clearManager();
    show({});
    const bare = await screen.findByRole('listitem', { name: 'version 1.4.0' });
    expect(within(bare).queryByRole('list', { name: 'ELF file' })).toBeNull();
  });

  it('is added from the menu, with its progress, and the list shows it', async () => {
    const server = show({});
    await openFromMenu('ELF file');
    const open = await dialog('ELF file of version 1.4.0');
    expect(open.textContent).toContain('Only you can read it. It turns addresses of crashes into lines. Up to 64 MB.');
    expect(within(open).getByRole<HTMLButtonElement>('button', { name: 'Upload' }).disabled).toBe(true);
    await userEvent.upload(within(open).getByLabelText('ELF file: choose a file'), program());
    await press('Upload');
    await waitFor(() => expect(FakeRequest.last().url).toBe(`/api/firmware/version/${version._id}/elf`));
    expect((FakeRequest.last().body as FormData).get('elf')).toBeInstanceOf(File);
    FakeRequest.last().progress(10, 20);
    const bar = await screen.findByRole('progressbar', { name: 'Upload of the ELF file of version 1.4.0' });
    expect(bar.getAttribute('aria-valuenow')).toBe('50');
    const changed = server.changeVersion(version, { elf });
    FakeRequest.last().answer(200, JSON.stringify({ version: changed }));
    await screen.findByText('ELF file of version 1.4.0 stored');
    expect(await screen.findByRole('list', { name: 'ELF file' })).toBeTruthy();
  });

  it('can be cancelled during its upload, which leaves the version unchanged', async () => {
    show({});
    await openFromMenu('ELF file');
    const open = await dialog('ELF file of version 1.4.0');
    await userEvent.upload(within(open).getByLabelText('ELF file: choose a file'), program());
    await press('Upload');
    await waitFor(() => expect(FakeRequest.last().url).toContain('/elf'));
    await press('Cancel upload');
    await screen.findByText('Upload cancelled. The version is as it was.');
    expect(FakeRequest.last().aborted).toBe(true);
  });

  it.each<[string, File, string]>([
    ['text', new File(['just some text, long enough to be one'], 'notes.txt'), '"notes.txt" is not the ELF file'],
    ['nothing', new File([], 'empty.elf'), '"empty.elf" is not the ELF file'],
  ])('is refused before the upload if it holds %s', async (_what, file, sentence) => {
    show({});
    await openFromMenu('ELF file');
    const open = await dialog('ELF file of version 1.4.0');
    await userEvent.upload(within(open).getByLabelText('ELF file: choose a file'), file);
    expect((await within(open).findByRole('alert')).textContent).toContain(sentence);
    expect(within(open).getByRole<HTMLButtonElement>('button', { name: 'Upload' }).disabled).toBe(true);
  });

  it('is removed by a second press', async () => {
    const server = show({ elf });
    await openFromMenu('ELF file');
    await dialog('ELF file of version 1.4.0');
    await press('Remove node.elf');
    expect(server.calls).not.toContain(`DELETE /api/firmware/version/${version._id}/elf`);
    await press('Confirm: remove node.elf');
    await screen.findByText('ELF file of version 1.4.0 removed');
    await waitFor(() => expect(screen.queryByRole('list', { name: 'ELF file' })).toBeNull());
  });
});

describe('the crashes of a version', () => {
  it('are explained if there are none', async () => {
    show({});
    await openFromMenu('Crashes');
    const open = await dialog('Crashes of version 1.4.0');
    expect(await within(open).findByText(/Nobody has sent a crash of this version/)).toBeTruthy();
    expect(within(open).queryByRole('button', { name: 'Delete all crashes' })).toBeNull();
  });

  it('are counted in its row, listed with count, chips and times, and opened with the stacks of an example', async () => {
    show({ crashes: 7 }, (server) => {
      server.crashes = [crash(5), crash(2)];
    });
    await userEvent.click(await screen.findByRole('button', { name: /^7 crashes reported/ }));
    const open = await dialog('Crashes of version 1.4.0');
    const list = await within(open).findByRole('list', { name: 'Crashes' });
    expect(open.textContent).toContain('2 different crashes, last seen first');
    const opener = within(list).getByRole('button', { name: /Load access fault 5/ });
    expect(opener.textContent).toContain('ESP32-C3 (5)');
    expect(opener.getAttribute('aria-expanded')).toBe('false');
    opener.focus();
    await userEvent.keyboard('{Enter}');
    const stacks = await within(open).findByRole('region', { name: 'Stacks of the newest example' });
    expect(stacks.textContent).toContain('#0  0x42008A3C read_sensor at main.c:42');
    expect(stacks.textContent).toContain('#1  0x42000100 (a guess)');
    expect(within(open).queryByRole('button', { name: /Save core dump/ })).toBeNull();
    expect(within(open).queryByRole('button', { name: 'Show functions and lines' })).toBeNull();
  });

  it('are not looked up in the ELF file of another build', async () => {
    show({ crashes: 1, elf: { ...elf, sha256: 'f'.repeat(64) } }, (server) => {
      server.crashes = [crash(1)];
    });
    await openFromMenu('Crashes');
    const open = await dialog('Crashes of version 1.4.0');
    await userEvent.click(await within(open).findByRole('button', { name: /Load access fault 1/ }));
    expect(await within(open).findByText(/Another build crashed than the ELF file/)).toBeTruthy();
    expect(within(open).queryByRole('button', { name: 'Show functions and lines' })).toBeNull();
  });

  describe('crashes that name their build', () => {
    const [esp32, c3] = ['01978c00-0000-7000-8000-000000000b01', '01978c00-0000-7000-8000-000000000b02'];
    const builds = (elfs: readonly (typeof elf | undefined)[]): NonNullable<Version['builds']> =>
      (
        [
          [esp32, 'esp32'],
          [c3, 'esp32c3'],
        ] as const
      ).map(([_id, deviceModel], index) => ({
        _id,
        deviceFamily: 'esp',
        deviceModel,
        guards: {},
        files: [],
        writeCount: 0,
        ...(elfs[index] === undefined ? {} : { elf: elfs[index] }),
      }));
    const another = { ...elf, sha256: 'f'.repeat(64) };

    async function openCrash(changes: Partial<Version>, example: { build: string | null; buildId?: string }) {
      const [plain] = crash(1).examples;
      const server = show({ crashes: 1, ...changes }, (one) => {
        one.crashes = [crash(1, { examples: plain === undefined ? [] : [{ ...plain, ...example }] })];
      });
      await openFromMenu('Crashes');
      const open = await dialog('Crashes of version 1.4.0');
      await userEvent.click(await within(open).findByRole('button', { name: /Load access fault 1/ }));
      await within(open).findByRole('region', { name: 'Stacks of the newest example' });
      return { server, open: within(open) };
    }

    it('get their names from the ELF file of that build', async () => {
      const { server, open } = await openCrash({ builds: builds([another, elf]) }, { build: null, buildId: c3 });
      await userEvent.click(open.getByRole('button', { name: 'Show functions and lines' }));
      await waitFor(() => expect(server.calls).toContain(`GET /api/firmware/version/${version._id}/elf?build=${c3}`));
    });

    it.each<[string, Partial<Version>, { build: string | null; buildId?: string }, string]>([
      [
        'whose build has none',
        { builds: builds([elf, undefined]) },
        { build: '5f1c7a90b', buildId: c3 },
        'The build for ESP32-C3 has no ELF file.',
      ],
      [
        'whose build has none, beside a file of the version that may be of any build',
        { builds: builds([undefined, undefined]), elf: another },
        { build: null, buildId: c3 },
        'The build for ESP32-C3 has no ELF file.',
      ],
      [
        'of another program than the ELF file of their build',
        { builds: builds([elf, another]) },
        { build: '5f1c7a90b', buildId: c3 },
        'Another build crashed than the ELF file of the build for ESP32-C3 is of.',
      ],
      [
        'without a build and a hash',
        { builds: builds([elf, another]) },
        { build: null },
        'The crash does not say which build ran: no ELF file gives it names.',
      ],
    ])('get no names from the file of another one: %s', async (_which, changes, example, sentence) => {
      const { open } = await openCrash(changes, example);
      expect(open.getByText(sentence)).toBeTruthy();
      expect(open.queryByRole('button', { name: 'Show functions and lines' })).toBeNull();
    });

    it('get their names by hash if they name no build', async () => {
      const { server, open } = await openCrash({ builds: builds([another, elf]) }, { build: '5f1c7a90b' });
      await userEvent.click(open.getByRole('button', { name: 'Show functions and lines' }));
      await waitFor(() => expect(server.calls).toContain(`GET /api/firmware/version/${version._id}/elf?build=${c3}`));
    });

    it('have a field for the ELF file of each build, in the menu of the version', async () => {
      show({ builds: builds([elf, undefined]) });
      await openFromMenu('ELF file');
      const open = within(await dialog('ELF file of version 1.4.0'));
      const choice = open.getByRole<HTMLSelectElement>('combobox', { name: 'Build' });
      expect([...choice.options].map(({ text }) => text)).toEqual(['ESP32: node.elf', 'ESP32-C3']);
      expect(choice.value).toBe(c3);
      await userEvent.upload(open.getByLabelText('ELF file: choose a file'), program());
      await userEvent.click(open.getByRole('button', { name: 'Upload' }));
      const path = `/api/firmware/version/${version._id}/elf?build=${c3}`;
      await waitFor(() => expect(FakeRequest.last().url).toBe(path));
      FakeRequest.last().answer(200, JSON.stringify({ version }));
      await screen.findByText('ELF file of the build for ESP32-C3 stored');
    });
  });

  it('come page by page', async () => {
    show({ crashes: 25 }, (server) => {
      server.crashes = Array.from({ length: 25 }, (_, index) => crash(index + 1));
    });
    await openFromMenu('Crashes');
    const open = await dialog('Crashes of version 1.4.0');
    expect(await within(open).findAllByRole('button', { name: /Load access fault/ })).toHaveLength(20);
    await press('Show more crashes');
    await waitFor(() => expect(within(open).getAllByRole('button', { name: /Load access fault/ })).toHaveLength(25));
    expect(within(open).queryByRole('button', { name: 'Show more crashes' })).toBeNull();
  });

  it('are deleted one by one and all at once, each by a second press', async () => {
    const server = show({ crashes: 7 }, (one) => {
      one.crashes = [crash(5), crash(2)];
    });
    await openFromMenu('Crashes');
    const open = await dialog('Crashes of version 1.4.0');
    await userEvent.click(await within(open).findByRole('button', { name: /Load access fault 5/ }));
    await userEvent.click(await within(open).findByRole('button', { name: 'Delete Load access fault 5' }));
    expect(server.crashes).toHaveLength(2);
    await press('Confirm: delete Load access fault 5');
    await waitFor(() => expect(within(open).getAllByRole('button', { name: /Load access fault/ })).toHaveLength(1));
    await press('Delete all crashes');
    await press('Confirm: delete all crashes');
    expect(await within(open).findByText(/Nobody has sent a crash of this version/)).toBeTruthy();
  });

  it('have a reason and a retry if they cannot be loaded', async () => {
    const server = show({});
    const call = `GET /api/firmware/version/${version._id}/crashes`;
    server.failAt(call, { status: 503, message: 'The database is not responding. Please try again in a moment.' });
    await openFromMenu('Crashes');
    const open = await dialog('Crashes of version 1.4.0');
    expect(await within(open).findByText(/Failed to load crashes: The database is not responding/)).toBeTruthy();
    server.failAt(call, null);
    await press('Try again');
    expect(await within(open).findByText(/Nobody has sent a crash of this version/)).toBeTruthy();
  });
});
