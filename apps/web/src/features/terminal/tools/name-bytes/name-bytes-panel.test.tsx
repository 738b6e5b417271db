/** Tests the tool against the worker's own trials, on a bench with bytes of a port. */
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { VirtualClock } from '@wirebench/clock';
import { Bench } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../../shared/testing/stores.ts';
import { keptDecodersNow, removeKept } from '../../../../workbench/decoders/kept-decoders.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { TrialWorker } from '../../../../worker/bench/trial-worker.ts';
import { changeDecoder, displayOf, terminalSettingsNow } from '../../settings/settings-store.ts';
import { NameBytesPanel } from './name-bytes-panel.tsx';
import { discardWork, workNow } from './work-store.ts';

let bench: Bench;
let trials: TrialWorker;
fakeBench(async (name, ...args) => {
  const handlers = trials.handlers as unknown as Record<string, ((...all: unknown[]) => unknown) | undefined>;
  return handlers[name]?.(...args);
});

const clock = new VirtualClock(1_000_000);

beforeEach(() => {
  bench = new Bench({ clock });
  trials = new TrialWorker(bench, async () => undefined);
});

afterEach(async () => {
  await discardWork(1);
  cleanup();
  for (const { id } of keptDecodersNow()) {
    removeKept(id);
  }
  changeDecoder(1, null);
  resetStores();
});

/** A5, length of the rest, counter, value (u16 little-endian), up to 2 more, sum. */
function frame(count: number): Uint8Array {
  const rest = [count, (1_000 + count) & 0xff, (1_000 + count) >> 8, ...Array.from({ length: count % 3 }, () => 9)];
  const bytes = [0xa5, rest.length, ...rest];
  return Uint8Array.from([...bytes, bytes.reduce((sum, byte) => sum + byte, 0) & 0xff]);
}

function record(from: number, to: number): void {
  for (let count = from; count < to; count++) {
    bench.record(1, 'received', frame(count), 1_000_000 + count);
  }
}

/** Words of the newest line of the log. */
const newestWords = () => {
  const { rows } = bench.rows({ layout: 'text', anchor: 'tail', count: 1, channels: ['received-1'] });
  return rows[0] === undefined ? null : (bench.frameOf(rows[0])?.frame.sentence ?? null);
};

const grid = () => screen.findByRole('listbox', { name: 'Bytes of the frame' });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

/** Selects bytes with the keyboard. */
async function select(from: number, count: number): Promise<void> {
  (await grid()).focus();
  const right = '{ArrowRight}'.repeat(from);
  await userEvent.keyboard(`{Home}${right}{Shift>}${'{ArrowRight}'.repeat(count - 1)}{/Shift}`);
}

/** Chooses the way that fits best, and leads to the bytes. */
async function nameBytes(): Promise<void> {
  render(<NameBytesPanel onShowTime={() => undefined} onFound={() => undefined} />);
  await screen.findByText('fits best');
  await press('Name bytes');
  await grid();
  await waitFor(() => expect(workNow(1)?.wasApplied).toBe(true));
}

describe('bytes of a port without a decoder', () => {
  it('say for each way how many frames it gives, and the best is chosen', async () => {
    record(0, 30);
    render(<NameBytesPanel onShowTime={() => undefined} onFound={() => undefined} />);
    const best = await screen.findByRole<HTMLInputElement>('radio', { name: /Length field/ });
    await waitFor(() => expect(best.checked).toBe(true));
    expect(best.closest('label')?.textContent).toContain('30 frames, no left-overs');
    expect(screen.getByText(/sum of the bytes: agrees with 30 of 30 different frames/)).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: /Fixed length/ }));
    const length = screen.getByRole('spinbutton', { name: 'Bytes' });
    await userEvent.clear(length);
    await userEvent.type(length, '6');
    await waitFor(() => expect(workNow(1)).toBeNull());
    expect(screen.getByRole('radio', { name: /Fixed length/ }).closest('label')?.textContent).toMatch(
      /6 bytes|no frames/,
    );
  });

  it('become named values, which the newest frames and the log show at once', async () => {
    record(0, 30);
    await nameBytes();
    record(30, 31);
    await select(3, 2);
    await press('A value');
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'speed');
    await userEvent.type(field('Unit'), 'rpm');
    await waitFor(() => expect(newestWords()).toBe('speed 1030 rpm'));
    const values = await screen.findByRole('table', { name: 'Newest values of speed' });
    await waitFor(() => expect(within(values).getAllByRole('cell')[0]?.textContent).toBe('1030 rpm'));
    expect(displayOf(terminalSettingsNow())).toBe('frames');

    await press(/, big-endian$/);
    await waitFor(() => expect(workNow(1)?.draft.fields[0]).toMatchObject({ name: 'speed', order: 'big' }));
    await press('Remove speed');
    await waitFor(() => expect(newestWords()).toMatch(/^data /));
  });

  it('give the counter and the length by what was observed', async () => {
    record(0, 20);
    await nameBytes();
    await select(2, 1);
    await press('A counter');
    expect(screen.getByText('It counts up by one from frame to frame in 19 of 19 steps.')).toBeTruthy();
    await press('Count missing frames by it');
    expect(workNow(1)?.draft.sequence).toEqual({ field: 'count_1', per: [] });
    await select(1, 1);
    await press('The length');
    expect(
      screen.getByText(/^The number plus 3 is the length of 20 of 20 frames, of 3 different lengths/),
    ).toBeTruthy();
  });

  it('give the checksum with the frames that agree, never more', async () => {
    record(0, 20);
    await nameBytes();
    await press('Remove');
    expect(workNow(1)?.draft.checksum).toBeUndefined();
    await select(0, 1);
    await press('The checksum');
    await press('Try the known ones');
    expect(await screen.findByText('No known checksum agrees with enough of 20 different frames.')).toBeTruthy();
    (await grid()).focus();
    await userEvent.keyboard('{End}');
    await press('The checksum');
    await press('Try the known ones');
    const [first] = await screen.findAllByText(/sum of the bytes: agrees with 20 of 20 different frames/);
    await userEvent.click(within(first?.closest('li') as HTMLElement).getByRole('button', { name: 'Use' }));
    expect(workNow(1)?.draft.checksum).toMatchObject({ kind: 'sum8' });
  });

  it('are kept under a name in this browser, for the port', async () => {
    record(0, 20);
    await nameBytes();
    await select(3, 2);
    await press('A value');
    await press('Save');
    expect(screen.getByText('Give the decoder a name.')).toBeTruthy();
    await userEvent.type(field('Name of the decoder'), 'My motor');
    await press('Save');
    await screen.findByRole('button', { name: 'Saved' });
    const [kept] = keptDecodersNow();
    expect(JSON.parse(kept?.text ?? '')).toEqual({
      name: 'my_motor',
      title: 'My motor',
      framing: { kind: 'length', start: ['A5'], length: { at: 1, type: 'u8', add: 3 } },
      checksum: { kind: 'sum8' },
      order: 'little',
      fields: [{ name: 'value_1', type: 'u16', at: 3 }],
    });
    expect(terminalSettingsNow().ports[1].decoder).toBe(kept?.id);
  });

  it('keep their name while one that is taken is typed', async () => {
    record(0, 20);
    await nameBytes();
    await select(2, 1);
    await press('A value');
    await select(3, 2);
    await press('A value');
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'value_1');
    expect(screen.getByText('The name value_1 is taken.')).toBeTruthy();
    await userEvent.type(name, '2');
    expect(workNow(1)?.draft.fields.map((one) => one.name)).toEqual(['value_1', 'value_12']);
  });

  it('are parts of lines of text', async () => {
    for (let count = 0; count < 20; count++) {
      bench.record(1, 'received', new TextEncoder().encode(`T,${20 + count / 4},ok\r\n`), 1_000_000 + count);
    }
    await nameBytes();
    await select(3, 1);
    await press('A value');
    await waitFor(() => expect(workNow(1)?.draft.fields).toEqual([{ name: 'value_1', part: 1, type: 'f64' }]));
    bench.record(1, 'received', new TextEncoder().encode('T,31.25,ok\r\n'), 1_000_100);
    await waitFor(() => expect(newestWords()).toBe('value_1 31.25'));
  });

  it('say which change the log cannot be shown with', async () => {
    record(0, 20);
    await nameBytes();
    await select(3, 2);
    await press('A value');
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Read as' }), 'bits');
    const bits = screen.getByRole('textbox', { name: 'Bits' });
    await userEvent.clear(bits);
    await userEvent.type(bits, '40');
    expect(await screen.findByText('Field value_1 has bits outside of its number.')).toBeTruthy();
  });
});
