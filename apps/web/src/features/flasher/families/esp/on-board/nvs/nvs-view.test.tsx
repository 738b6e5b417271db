import { webcrypto } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Partition } from '@wirebench/flasher/esp';
import { writeBackupSet } from '@wirebench/flasher/esp/backup';
import {
  buildNvs,
  changeNvs,
  type NvsChange,
  type NvsDraft,
  type NvsValue,
  readNvs,
  stringValue,
} from '@wirebench/flasher/esp/nvs';
import { randomBytes } from '@wirebench/test-input';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { zipFiles } from '../../../../../../workbench/recording/zip-files.ts';
import { fakeDownloads } from '../../../../../../workbench/testing/saved-files.ts';
import type { PlannedChange } from '../../../../store/board-changes.ts';
import { dispatch, startFlasher } from '../../../../store/flasher-store.ts';
import { testBoard, testFamily } from '../../../../testing/families.ts';
import { nvsKind } from './nvs-kind.ts';
import { NvsView } from './nvs-view.tsx';

const downloads = fakeDownloads();

const partition: Partition = {
  name: 'nvs',
  type: 1,
  subtype: 2,
  offset: 0x9000,
  size: 0x6000,
  encrypted: false,
  readOnly: false,
};

const set = (namespace: string, key: string, value: NvsValue): NvsChange => ({ kind: 'set', namespace, key, value });
const number = (value: number): NvsValue => ({ type: 'u32', value: BigInt(value) });
const field = (text: string, size: number, start = 0): NvsValue => {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(text), start);
  if (start > 0) {
    bytes[0] = text.length;
  }
  return { type: 'blob', bytes };
};

const changes: readonly NvsChange[] = [
  set('app', 'device_name', stringValue('weather-kitchen')),
  set('app', 'interval_s', number(60)),
  set('app', 'mqtt_pass', stringValue('correct horse')),
  set('app', 'cal_offset', { type: 'i16', value: -12n }),
  set('nvs.net80211', 'sta.ssid', field('bench-lab', 36, 4)),
  set('nvs.net80211', 'sta.pswd', field('lab password', 65)),
  set('nvs.net80211', 'sta.authmode', { type: 'u8', value: 3n }),
  set('nvs.net80211', 'ap.authmode', { type: 'u8', value: 0n }),
  set('phy', 'cal_version', number(5080)),
];
const contents = buildNvs(0x6000, changes);

let planned: PlannedChange<NvsDraft> | null = null;

interface ShownProps {
  readonly bytes?: Uint8Array;
  readonly md5?: string;
  readonly locked?: boolean;
  readonly offset?: number;
}

function Shown({ bytes = contents, md5 = 'a', locked = false, offset = partition.offset }: ShownProps) {
  const [change, setChange] = useState<PlannedChange<NvsDraft> | null>(null);
  return (
    <NvsView
      port={1}
      partition={{ ...partition, offset, size: bytes.length }}
      contents={bytes}
      md5={md5}
      draft={change?.draft ?? null}
      locked={locked}
      onChange={(next) => {
        planned = next;
        setChange(next);
      }}
    />
  );
}

const user = userEvent.setup();
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const press = (name: string | RegExp) => user.click(button(name));
const writtenImage = () => {
  const image = contents.slice();
  for (const { offset, bytes } of planned?.change.writes ?? []) {
    image.set(bytes, offset - partition.offset);
  }
  return image;
};

let boards = 0;
beforeEach(() => {
  planned = null;
  downloads.mockReset();
  startFlasher(testFamily);
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  // A board of its own for each test, because earlier contents are kept by board.
  boards++;
  dispatch(1, { type: 'connected', board: testBoard({ id: `24:0a:c4:00:01:${String(boards).padStart(2, '0')}` }) });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('keys of NVS', () => {
  it('are listed by namespace, with what is known about it', () => {
    render(<Shown />);
    expect(button(/^app/).textContent).toBe('app4 keys');
    expect(button(/^nvs\.net80211/).textContent).toBe('nvs.net802114 keys, Wi-Fi of ESP-IDF');
    expect(button(/^phy/).textContent).toBe('phy1 key, radio calibration. Better left alone');
    expect(button(/^phy/).getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByText('cal_version')).toBeNull();
    expect(button('sta.ssid: bench-lab. Change').closest('li')?.textContent).toContain('36 B, shown as text');
    expect(button('sta.authmode: 3. Change').closest('li')?.textContent).toContain('WPA2-PSK');
    expect(button('cal_offset: -12. Change').closest('li')?.textContent).toContain('0xFFF4');
    expect(screen.getByText('21 of 756 entries')).toBeDefined();
  });

  it('are edited in place, and the plan follows each key press', async () => {
    render(<Shown />);
    await press('interval_s: 60. Change');
    await user.keyboard('300');
    expect(planned?.entries).toEqual(['app/interval_s 60 → 300']);
    expect(planned?.note).toBe('Page 0 of 6');
    await user.keyboard('{Enter}');
    const changed = button('interval_s: 300. Change');
    expect(changed.closest('li')?.textContent).toContain('was 60');
    await waitFor(() => expect(document.activeElement).toBe(changed));
    expect(button(/^app/).textContent).toBe('app4 keys, 1 changed');
    await press('Undo the change of interval_s');
    expect(planned).toBeNull();
    expect(button('interval_s: 60. Change')).toBeDefined();
  });

  it('keep their value when Escape is pressed', async () => {
    render(<Shown />);
    await press('device_name: weather-kitchen. Change');
    await user.keyboard('x');
    expect(planned?.count).toBe(1);
    await user.keyboard('{Escape}');
    expect(planned).toBeNull();
    expect(button('device_name: weather-kitchen. Change')).toBeDefined();
  });

  it('stay in their field during a write, and Escape then leads back to what was written', async () => {
    const { rerender } = render(<Shown />);
    await press('interval_s: 60. Change');
    await user.keyboard('300');
    const written = writtenImage();
    const input = screen.getByRole('textbox', { name: 'Value of interval_s' });
    rerender(<Shown locked />);
    expect(document.activeElement).toBe(input);
    await user.keyboard('7{Enter}{Escape}');
    expect(planned?.entries).toEqual(['app/interval_s 60 → 300']);
    rerender(<Shown bytes={written} md5="b" />);
    expect(document.activeElement).toBe(input);
    await waitFor(() => expect(planned).toBeNull());
    await user.keyboard('{Control>}a{/Control}{Control>}{Enter}{/Control}');
    expect(document.activeElement).toBe(input);
    await user.clear(input);
    await user.keyboard('600');
    expect(planned?.entries).toEqual(['app/interval_s 300 → 600']);
    await user.keyboard('{Escape}');
    expect(planned).toBeNull();
    expect(button('interval_s: 300. Change')).toBeDefined();
  });

  it('keep their order when a write has moved a key to the end of the partition', () => {
    const keys = () => screen.getAllByRole('listitem').map((row) => row.firstElementChild?.textContent);
    const { rerender } = render(<Shown />);
    const before = keys();
    const moved = changeNvs(contents, [set('app', 'device_name', stringValue('greenhouse'))]);
    const after = contents.slice();
    for (const { offset, bytes } of moved.writes) {
      after.set(bytes, offset);
    }
    rerender(<Shown bytes={after} md5="b" />);
    expect(button('device_name: greenhouse. Change')).toBeDefined();
    expect(keys()).toEqual(before);
    cleanup();
    render(<Shown bytes={after} md5="b" />);
    expect(keys()).not.toEqual(before);
  });

  it('take no value that their type cannot hold', async () => {
    render(<Shown />);
    await press('cal_offset: -12. Change');
    await user.keyboard('32767');
    expect(planned?.entries).toEqual(['app/cal_offset -12 → 32767']);
    await user.keyboard('0');
    expect(screen.getByText('i16 takes whole numbers from -32768 to 32767, also as 0x….')).toBeDefined();
    expect(planned).toBeNull();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('textbox', { name: 'Value of cal_offset' })).toBeDefined();
  });

  it('are struck when they are deleted, until this is undone', async () => {
    render(<Shown />);
    await press('Delete device_name');
    expect(planned?.entries).toEqual(['app/device_name deleted']);
    const row = button('Undo the change of device_name').closest('li');
    expect(row?.className).toContain('deleted');
    expect(row?.textContent).toContain('will be deleted');
    await press('Undo the change of device_name');
    expect(planned).toBeNull();
  });

  it('are deleted with their namespace', async () => {
    render(<Shown />);
    await press('Delete the namespace app');
    expect(planned?.entries).toEqual(['app deleted with 4 keys']);
    expect(readNvs(writtenImage()).namespaces).toEqual(['nvs.net80211', 'phy']);
    await press('Keep the namespace app');
    expect(planned).toBeNull();
  });

  it('are found by name and by value', async () => {
    render(<Shown />);
    const search = screen.getByRole('searchbox', { name: 'Find a key or a value' });
    await user.type(search, 'KITCHEN');
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'device_namestrweather-kitchenDelete device_name',
    ]);
    expect(screen.getByRole('status').textContent).toBe('1 key found');
    await user.clear(search);
    await user.type(search, 'cal_version');
    expect(button('cal_version: 5080. Change')).toBeDefined();
    await user.clear(search);
    await user.type(search, 'nothing like this');
    expect(screen.getByText('No key and no visible value contains “nothing like this”.')).toBeDefined();
  });

  it('cannot be changed while the board is busy', () => {
    render(<Shown locked />);
    expect(screen.queryByRole('button', { name: /Change$|^Delete/ })).toBeNull();
    expect(screen.getByText('weather-kitchen')).toBeDefined();
  });

  it('keep a Wi-Fi name in its form', async () => {
    render(<Shown />);
    await press('sta.ssid: bench-lab. Change');
    await user.keyboard('home');
    expect(planned?.entries).toEqual(['nvs.net80211/sta.ssid bench-lab → home']);
    expect(
      readNvs(writtenImage()).entries.find(({ key, state }) => key === 'sta.ssid' && state === 'live')?.value,
    ).toEqual(field('home', 36, 4));
  });
});

describe('secret values', () => {
  it('are dots until they are shown, and are not found by the search', async () => {
    const { container } = render(<Shown />);
    expect(container.innerHTML).not.toContain('correct horse');
    expect(container.innerHTML).not.toContain('lab password');
    await user.type(screen.getByRole('searchbox'), 'horse');
    expect(screen.getByRole('status').textContent).toBe('0 keys found');
    await user.clear(screen.getByRole('searchbox'));
    await press('Show mqtt_pass');
    expect(button('mqtt_pass: correct horse. Change')).toBeDefined();
    expect(container.innerHTML).not.toContain('lab password');
    await press('Hide mqtt_pass');
    expect(container.innerHTML).not.toContain('correct horse');
  });

  it('are replaced without being shown', async () => {
    const { container } = render(<Shown />);
    await press('sta.pswd: hidden. Change');
    const input = screen.getByLabelText<HTMLInputElement>('Value of sta.pswd');
    expect([input.type, input.value]).toEqual(['password', '']);
    await user.keyboard('new password');
    expect(planned?.entries).toEqual(['nvs.net80211/sta.pswd changed']);
    expect(
      readNvs(writtenImage()).entries.find(({ key, state }) => key === 'sta.pswd' && state === 'live')?.value,
    ).toEqual(field('new password', 65));
    await user.keyboard('{Enter}');
    expect(container.innerHTML).not.toContain('new password');
    expect(button('sta.pswd: hidden. Change').closest('li')?.textContent).toContain('changed');
  });

  it('are left out of a CSV unless they are asked for', async () => {
    render(<Shown />);
    const saved = async () => await downloads.mock.lastCall?.[0].text();
    await press('CSV, images, changes');
    await user.click(await screen.findByRole('menuitem', { name: 'Save as CSV…' }));
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    const text = await saved();
    expect(text).toContain('device_name,data,string,weather-kitchen');
    expect(text).toContain('# "mqtt_pass" is left out: its value is secret.');
    for (const secret of ['correct horse', Buffer.from('lab password').toString('hex')]) {
      expect(text).not.toContain(secret);
    }
    await press('CSV, images, changes');
    await user.click(await screen.findByRole('menuitem', { name: 'Save as CSV…' }));
    await user.click(await screen.findByRole('switch', { name: 'Include 2 secret values' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await saved()).toContain('mqtt_pass,data,string,correct horse');
  });
});

describe('a new key', () => {
  it('is added to the plan with its type', async () => {
    render(<Shown />);
    await press('Add a key');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a key' }));
    await user.type(dialog.getByLabelText('Key'), 'boot_count');
    await user.selectOptions(dialog.getByLabelText('Type'), 'u16');
    await user.type(dialog.getByLabelText('Value'), '70000');
    await user.click(dialog.getByRole('button', { name: 'Add to the plan' }));
    expect(dialog.getByText('u16 takes whole numbers from 0 to 65535, also as 0x….')).toBeDefined();
    await user.clear(dialog.getByLabelText('Value'));
    await user.type(dialog.getByLabelText('Value'), '0x10');
    await user.click(dialog.getByRole('button', { name: 'Add to the plan' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(planned?.entries).toEqual(['app/boot_count added: 16']);
    expect(button('boot_count: 16. Change').closest('li')?.textContent).toContain('added');
  });

  it('is refused with a name that is too long or taken', async () => {
    render(<Shown />);
    await press('Add a key');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a key' }));
    await user.type(dialog.getByLabelText('Key'), 'sixteen_letters_');
    await user.click(dialog.getByRole('button', { name: 'Add to the plan' }));
    expect(dialog.getByText('A key has at most 15 bytes. This has 16.')).toBeDefined();
    await user.clear(dialog.getByLabelText('Key'));
    await user.type(dialog.getByLabelText('Key'), 'interval_s');
    expect(dialog.getByText('app has this key already. Change its value in the list.')).toBeDefined();
    expect(planned).toBeNull();
  });

  it('is refused with a remedy when there is no space', async () => {
    render(<Shown />);
    await press('Add a key');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a key' }));
    await user.type(dialog.getByLabelText('Key'), 'large');
    await user.selectOptions(dialog.getByLabelText('Type'), 'blob');
    fireEvent.change(dialog.getByLabelText('Value'), { target: { value: 'x'.repeat(19_950) } });
    await user.click(dialog.getByRole('button', { name: 'Add to the plan' }));
    expect(
      dialog.getByText(
        'The NVS partition has not enough space for this change. Delete keys, store a shorter value, or use a larger partition.',
      ),
    ).toBeDefined();
    expect(planned).toBeNull();
  });
});

describe('keys of a file', () => {
  const give = async (...files: File[]) => {
    await user.upload(screen.getByLabelText('CSV, image or backup of an NVS partition'), files);
    return within(await screen.findByRole('dialog'));
  };

  it('are taken over from a CSV, and lines that fail are listed', async () => {
    render(<Shown />);
    const dialog = await give(
      new File(
        [
          'key,type,encoding,value\napp,namespace,,\ninterval_s,data,u32,300\ndevice_name,data,string,weather-kitchen\n' +
            'mqtt_pass,data,string,battery staple\nlevel,data,u8,256\nnew,namespace,,\na,data,u8,1\n',
        ],
        'settings.csv',
      ),
    );
    expect(dialog.getByText('CSV, 4 keys in 2 namespaces')).toBeDefined();
    expect(dialog.getByText('1 line cannot be read.')).toBeDefined();
    expect(
      dialog.getByText(
        'Line 6: level: The number does not fit into its type. Enter a smaller number, or choose a larger type.',
      ),
    ).toBeDefined();
    expect(dialog.getByText('now 60')).toBeDefined();
    expect(dialog.queryByText('battery staple')).toBeNull();
    await user.click(dialog.getByRole('checkbox', { name: /new\/a/ }));
    await user.click(dialog.getByRole('button', { name: 'Take 2 keys over' }));
    expect(planned?.entries).toEqual(['app/interval_s 60 → 300', 'app/mqtt_pass changed']);
  });

  it('are taken over from a partition of another size, calibration only if it is chosen', async () => {
    render(<Shown />);
    const image = buildNvs(0x10000, [
      ...changes,
      set('app', 'interval_s', number(10)),
      set('phy', 'cal_version', number(1)),
    ]);
    const dialog = await give(new File([image as BlobPart], 'old-board-nvs.bin'));
    expect(dialog.getByText('Partition image of 64 KB, 9 keys in 3 namespaces')).toBeDefined();
    expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /phy\/cal_version/ }).checked).toBe(false);
    await user.click(dialog.getByRole('button', { name: 'Take 1 key over' }));
    expect(planned?.entries).toEqual(['app/interval_s 60 → 10']);
  });

  it('are taken over from a backup set', async () => {
    vi.stubGlobal('crypto', webcrypto);
    render(<Shown />);
    const image = buildNvs(0x4000, [set('app', 'interval_s', number(10))]);
    const board = { created: '2026-11-26T09:00:00.000Z', chip: 'esp32', board: null, flashSize: 0x400000 } as const;
    const files = await writeBackupSet(board, [
      { name: 'phy_init', type: 1, subtype: 1, offset: 0xf000, size: 0x1000, bytes: new Uint8Array(0x1000) },
      { name: 'settings', type: 1, subtype: 2, offset: 0x9000, size: 0x4000, bytes: image },
    ]);
    const zip = await zipFiles(
      files.map(({ name, bytes }) => ({
        name,
        content: new Blob([Uint8Array.from(bytes)]),
        lastModified: Date.UTC(2026, 0),
      })),
      () => undefined,
    );
    const dialog = await give(new File([zip], 'board-backup.zip'));
    expect(dialog.getByText('Partition image of 16 KB, 1 key in 1 namespace')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Take 1 key over' }));
    expect(planned?.entries).toEqual(['app/interval_s 60 → 10']);
  });

  it('are compared with the board', async () => {
    render(<Shown />);
    const image = changeNvs(contents, [{ kind: 'delete', namespace: 'app', key: 'cal_offset' }]).image;
    const dialog = await give(new File([image as BlobPart], 'nvs.bin'));
    expect(dialog.getByText('The board has all of these keys with the same values.')).toBeDefined();
    expect(
      dialog.getByText(/^1 key only on the board: app\/cal_offset\. Taking over leaves it unchanged\.$/),
    ).toBeDefined();
  });

  it('are refused with a reason if the file has none', async () => {
    render(<Shown />);
    const dialog = await give(new File([new Uint8Array(4_096).fill(7)], 'firmware.bin'));
    expect(dialog.getByText(/^The file is no CSV of NVS, no image of an NVS partition/)).toBeDefined();
  });
});

describe('contents that were read before', () => {
  it('are compared with the new ones', async () => {
    const { rerender } = render(<Shown />);
    expect(screen.queryByText(/since/)).toBeNull();
    const { image } = changeNvs(contents, [
      set('app', 'interval_s', number(5)),
      set('app', 'boots', number(1)),
      { kind: 'delete', namespace: 'app', key: 'cal_offset' },
    ]);
    rerender(<Shown bytes={image} md5="b" />);
    expect(screen.getByText(/^1 key changed, 1 added, 1 removed since \d\d:\d\d$/)).toBeDefined();
    await press('Compare');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Take 2 keys over' }));
    expect(planned?.entries).toEqual(['app/interval_s 5 → 60', 'app/cal_offset added: -12']);
  });

  it('are offered after the partition was moved and grew', async () => {
    const { rerender } = render(<Shown />);
    rerender(<Shown bytes={new Uint8Array(0x8000).fill(0xff)} md5="moved" offset={0x12000} />);
    await press('Compare');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('checkbox', { name: /phy\/cal_version/ }));
    await user.click(dialog.getByRole('button', { name: 'Take 9 keys over' }));
    expect(planned?.change.range).toEqual({ offset: 0x12000, length: 0x8000 });
    expect(planned?.count).toBe(9);
  });

  it('do not keep edits that no longer change anything', async () => {
    const { rerender } = render(<Shown />);
    await press('interval_s: 60. Change');
    await user.keyboard('300{Enter}');
    const before = planned;
    const { image } = changeNvs(contents, [set('app', 'device_name', stringValue('other'))]);
    rerender(<Shown bytes={image} md5="b" />);
    await waitFor(() => expect(planned?.change.basis).toBe('b'));
    expect(planned?.entries).toEqual(before?.entries);
    rerender(<Shown bytes={changeNvs(image, [set('app', 'interval_s', number(300))]).image} md5="c" />);
    await waitFor(() => expect(planned).toBeNull());
  });
});

describe('edits on contents that the program has changed since', () => {
  const value = stringValue('x'.repeat(1_800));
  const image = (sets: readonly NvsChange[]) => buildNvs(0x3000, [set('app', 'interval_s', number(60)), ...sets]);
  const full = image(['a', 'b', 'c', 'd'].map((key) => set('log', key, value)));

  it('stay in view and are not written while they do not fit', async () => {
    const { rerender } = render(<Shown bytes={image([])} />);
    await press('Add a key');
    const dialog = within(await screen.findByRole('dialog'));
    await user.clear(dialog.getByLabelText('Namespace'));
    await user.type(dialog.getByLabelText('Namespace'), 'app');
    await user.type(dialog.getByLabelText('Key'), 'note');
    fireEvent.change(dialog.getByLabelText('Value'), { target: { value: 'y'.repeat(1_500) } });
    await user.click(dialog.getByRole('button', { name: 'Add to the plan' }));
    await press('interval_s: 60. Change');
    await user.keyboard('300{Enter}');
    expect(planned?.count).toBe(2);
    rerender(<Shown bytes={full} md5="b" />);
    expect(await screen.findByText(/^The planned changes do not fit what the board holds now/)).toBeDefined();
    // The board's hash differs from the basis, so the plan is refused.
    expect(planned?.change.basis).toBe('a');
    expect(button('interval_s: 300. Change').closest('li')?.textContent).toContain('was 60');
    await press('Undo the change of note');
    expect(screen.queryByText(/^The planned changes do not fit/)).toBeNull();
    expect(planned?.change.basis).toBe('b');
    expect(planned?.entries).toEqual(['app/interval_s 60 → 300']);
  });
});

describe('NVS without a free page', () => {
  const small = buildNvs(0x1000, [set('app', 'interval_s', number(60)), set('app', 'name', stringValue('a'))]);

  it('is built again with its keys before it is changed', async () => {
    render(<Shown bytes={small} />);
    expect(screen.getByText('The NVS partition has no free page left, and changes need one.')).toBeDefined();
    await press('Delete name');
    expect(button('Delete name').closest('li')?.textContent).toContain('Build it again with a larger size');
    expect(planned).toBeNull();
    await press('Build it again');
    expect(planned?.what).toBe('all readable keys');
    expect(nvsKind.describe(partition, small, planned)).toBeNull();
    await press('Delete name');
    expect(planned).toMatchObject({
      what: '1 changed key',
      count: 2,
      entries: ['built again from its readable keys', 'app/name deleted'],
      note: 'Page 0 of 1',
    });
    const [write] = planned?.change.writes ?? [];
    const stored = readNvs(write?.bytes ?? new Uint8Array()).entries.filter(({ state }) => state === 'live');
    expect(stored.map(({ key }) => key)).toEqual(['interval_s']);
  });
});

describe('NVS of version 1', () => {
  const old = (size: number) =>
    buildNvs(size, [set('app', 'interval_s', number(60)), set('app', 'name', stringValue('a'))], 1);

  it('keeps its version when it is built again', async () => {
    render(<Shown bytes={old(0x1000)} />);
    await press('Build it again');
    await press('Delete name');
    const [write] = planned?.change.writes ?? [];
    expect(readNvs(write?.bytes ?? new Uint8Array())).toMatchObject({ kind: 'nvs', version: 1 });
  });

  it('is said to be mixed once newer firmware has added a page', () => {
    const mixed = old(0x6000);
    const page = buildNvs(0x3000, [set('app', 'more', number(1))]).slice(0, 0x1000);
    // The second page by its number.
    const view = new DataView(page.buffer);
    view.setUint32(4, 1, true);
    view.setUint32(28, crc32(page.subarray(4, 28), 0xffff_ffff), true);
    mixed.set(page, 0x1000);
    mixed[0] = 0xfc;
    const { unmount } = render(<Shown bytes={mixed} />);
    expect(screen.getByText('Its pages have versions 1 and 2.')).toBeDefined();
    unmount();
    render(<Shown bytes={old(0x6000)} />);
    expect(screen.queryByText('Its pages have versions 1 and 2.')).toBeNull();
  });
});

describe('NVS that cannot be edited', () => {
  const encrypted = () => {
    const image = contents.slice();
    // Encrypted NVS keeps the headers and bitmaps of pages; entries look random.
    image.set(randomBytes(27 * 32), 64);
    return image;
  };

  it('is said to be encrypted', () => {
    render(<Shown bytes={encrypted()} />);
    expect(screen.getByText('This NVS is encrypted.')).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
    expect(nvsKind.describe(partition, encrypted())).toBe('Encrypted keys and values');
  });

  it('is said not to be NVS, and why this may be so', () => {
    render(<Shown bytes={new Uint8Array(0x6000).fill(7)} />);
    expect(screen.getByText('No NVS can be read here.').closest('div')?.textContent).toContain('holds other bytes');
    const security = { secureBoot: false, flashEncryption: true, secureDownload: false };
    cleanup();
    startFlasher(testFamily);
    dispatch(1, { type: 'connect', source: { kind: 'demo' } });
    dispatch(1, { type: 'connected', board: testBoard({}, { security }) });
    render(<Shown bytes={new Uint8Array(0x6000).fill(7)} />);
    expect(screen.getByText('No NVS can be read here.').closest('div')?.textContent).toContain(
      'Flash encryption is on',
    );
  });

  it('takes keys when it is erased', async () => {
    render(<Shown bytes={new Uint8Array(0x6000).fill(0xff)} />);
    expect(screen.getByText('The partition is erased, so it holds no keys.')).toBeDefined();
    await press('Add a key');
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Namespace'), 'app');
    await user.type(dialog.getByLabelText('Key'), 'a');
    await user.click(dialog.getByRole('button', { name: 'Add to the plan' }));
    await waitFor(() => expect(planned?.entries).toEqual(['app/a added: empty']));
  });
});

it('lists entries that firmware does not read, with secrets hidden', async () => {
  const { image } = changeNvs(contents, [
    set('app', 'mqtt_pass', stringValue('battery staple')),
    set('app', 'interval_s', number(5)),
  ]);
  const { container } = render(<Shown bytes={image} />);
  expect(button(/^Not read by firmware/).textContent).toBe('Not read by firmware2 erased');
  await press(/^Not read by firmware/);
  expect(container.innerHTML).not.toContain('correct horse');
  await press(/^Show mqtt_pass at/);
  expect(container.innerHTML).toContain('correct horse');
});

describe('the line of the list', () => {
  it('counts keys and namespaces, or the changes that are planned', async () => {
    expect(nvsKind.describe(partition, null)).toBeNull();
    expect(nvsKind.describe(partition, contents)).toBe('9 keys in 3 namespaces, 3 % full');
    render(<Shown />);
    await press('Delete device_name');
    expect(nvsKind.describe(partition, contents, planned)).toBe('1 of 9 keys changed, not written yet');
    expect(nvsKind.describe(partition, new Uint8Array(0x6000).fill(0xff))).toBe('Empty');
    expect(nvsKind.summary?.(partition, contents)).toBe('9 stored keys');
    expect(nvsKind.summary?.(partition, new Uint8Array(0x6000).fill(0xff))).toBeNull();
  });

  it('is of NVS partitions, and of others that hold NVS', () => {
    const other = { ...partition, subtype: 6 };
    const erased = new Uint8Array(4_096).fill(0xff);
    expect(nvsKind.shows(partition, erased)).toBe(true);
    expect(nvsKind.shows(other, erased)).toBe(false);
    expect(nvsKind.shows(other, contents.subarray(0, 4_096))).toBe(true);
  });
});

describe('a CSV whose rows name files', () => {
  const rows = 'key,type,encoding,value\napp,namespace,,\none,file,string,a/cert.pem\ntwo,file,string,b/cert.pem\n';

  it('is refused in the rows for which two files of one name were given without folders', async () => {
    render(<Shown />);
    await user.upload(screen.getByLabelText('CSV, image or backup of an NVS partition'), [
      new File([rows], 'keys.csv'),
      new File(['first'], 'cert.pem'),
      new File(['second'], 'cert.pem'),
    ]);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('2 lines cannot be read.')).toBeDefined();
    const [first, second] = dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(first).toContain('Line 3: one (a/cert.pem): ');
    expect(first).toContain('the folders do not tell which of the given files it is. Give the files');
    expect(second).toContain('Line 4: two (b/cert.pem): ');
    expect(dialog.queryByRole('button', { name: /^Take/ })).toBeNull();
    expect(dialog.getByText('No key of it can be taken.')).toBeDefined();
  });

  it('takes each value from its folder when the folder is dropped', async () => {
    render(<Shown />);
    const entryOf = (path: string, content: string) => ({
      name: path.split('/').at(-1),
      fullPath: `/conf/${path}`,
      isFile: true,
      isDirectory: false,
      file: (done: (file: File) => void) => done(new File([content], path.split('/').at(-1) ?? '')),
    });
    const folderOf = (path: string, children: readonly object[]) => ({
      name: path,
      fullPath: `/${path}`,
      isFile: false,
      isDirectory: true,
      createReader: () => {
        const batches = [children, []];
        return { readEntries: (done: (found: readonly object[]) => void) => done(batches.shift() ?? []) };
      },
    });
    const root = folderOf('conf', [
      folderOf('conf/b', [entryOf('b/cert.pem', 'second')]),
      folderOf('conf/a', [entryOf('a/cert.pem', 'first')]),
      entryOf('keys.csv', rows),
    ]);
    const event = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
      dataTransfer: { types: ['Files'], files: [], items: [{ webkitGetAsEntry: () => root }], dropEffect: 'none' },
    });
    act(() => void screen.getByText('device_name').dispatchEvent(event));
    const dialog = within(await screen.findByRole('dialog', { name: 'keys.csv' }));
    await user.click(dialog.getByRole('button', { name: 'Take 2 keys over' }));
    await waitFor(() => expect(planned?.entries).toEqual(['app/one added: first', 'app/two added: second']));
  });
});

it('takes files that are dropped on it', async () => {
  render(<Shown />);
  const file = new File(['key,type,encoding,value\napp,namespace,,\ninterval_s,data,u32,1\n'], 'settings.csv');
  const event = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
    dataTransfer: { types: ['Files'], files: [file], items: [], dropEffect: 'none' },
  });
  act(() => void screen.getByText('device_name').dispatchEvent(event));
  expect(await screen.findByRole('dialog', { name: 'settings.csv' })).toBeDefined();
});
