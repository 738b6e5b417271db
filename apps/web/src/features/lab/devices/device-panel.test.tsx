import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { checkChip } from '@wirebench/contract/chips';
import { labBreadboard, Tca9548a } from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceCycle, RepeatedJob } from '../../../protocol/bus-transfers.ts';
import { resetStores } from '../../../shared/testing/stores.ts';
import { addBrowserParts } from '../../../workbench/testing/browser-parts.ts';
import { fakeLab, openBench } from '../testing/fake-lab.ts';
import { partBus } from '../testing/part-bus.ts';
import { initialise, openDevice, readOnce } from './device-actions.ts';
import { DevicePanel } from './device-panel.tsx';
import { forgetDevices, historyOf, openDeviceAt, takeCycles } from './device-store.ts';
import { identifyAll, shippedAt } from './identify.ts';

// Curves draw on a canvas, which the document lacks. The e2e tests check what they draw.
addBrowserParts();

const bus = { sda: 21, scl: 22, clock: 100_000 };

function plug(part: Parameters<typeof partBus>[0][number]) {
  let now = 0;
  const parts = partBus([part], () => {
    now += 100;
    return now;
  });
  const jobs: RepeatedJob[] = [];
  const lab = fakeLab({
    transferAll: parts.transferAll,
    repeat: (job) => {
      jobs.push(job);
    },
  });
  return { parts, jobs, lab };
}

const chipAt = (address: number, name: string) => {
  const chip = shippedAt(address).find(({ content }) => content.name === name);
  if (chip === undefined) {
    throw new Error(`No description of ${name}.`);
  }
  return chip;
};

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const confirm = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));

beforeEach(() => openBench({ i2c: bus }));
afterEach(() => {
  cleanup();
  forgetDevices();
  resetStores();
});

describe('the panel of a BME280', () => {
  it('says what it writes before it initialises, and shows readings with their units', async () => {
    const { lab } = plug(labBreadboard('esp32').bme280);
    await openDevice(0x76, chipAt(0x76, 'BME280'));
    render(<DevicePanel address={0x76} />);
    await press('Initialise…');
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getAllByRole('listitem').length).toBeGreaterThan(1);
    expect(lab.calls).toEqual([]);
    await confirm('Initialise');
    expect(await screen.findByText(/initialised at/)).toBeDefined();
    await press('Read once');
    const readings = screen.getByRole('list', { name: 'Readings' });
    await waitFor(() => expect(readings.textContent).toMatch(/\d+\.\d+ °C/));
    expect(readings.textContent).toMatch(/\d+\.\d+ hPa/);
    expect(readings.textContent).toMatch(/\d+\.\d+ %/);
  });

  it('gives no reading before the chip has measured, and asks to initialise it first', async () => {
    const { jobs } = plug(labBreadboard('esp32').bme280);
    await openDevice(0x76, chipAt(0x76, 'BME280'));
    render(<DevicePanel address={0x76} />);
    expect(screen.getByRole('button', { name: 'Initialise…' }).className).toMatch(/primary/);
    for (const button of ['Read once', 'Live']) {
      await press(button);
      expect(await screen.findByText('Initialise the device first.')).toBeDefined();
    }
    expect(jobs).toEqual([]);
    expect(historyOf(0x76).times).toEqual([]);
    await press('Initialise…');
    await confirm('Initialise');
    await waitFor(() => expect(screen.queryByText('Initialise the device first.')).toBeNull());
  });

  it('keeps no value from before a set-up, or from before a reading that failed', async () => {
    const { parts } = plug(labBreadboard('esp32').bme280);
    await openDevice(0x76, chipAt(0x76, 'BME280'));
    await initialise(0x76);
    await readOnce(0x76);
    expect(openDeviceAt(0x76)?.results).toHaveLength(3);
    await initialise(0x76);
    expect(openDeviceAt(0x76)).toMatchObject({ results: [], readAt: null });
    await readOnce(0x76);
    expect(openDeviceAt(0x76)?.results).toHaveLength(3);
    fakeLab({
      transferAll: () => {
        throw new Error('0x76: no acknowledge.');
      },
    });
    await expect(readOnce(0x76)).rejects.toThrow('no acknowledge');
    expect(openDeviceAt(0x76)?.results).toEqual([]);
    fakeLab({ transferAll: parts.transferAll });
  });

  it('is read without another set-up where it still holds the last one', async () => {
    const { jobs } = plug(labBreadboard('esp32').bme280);
    await openDevice(0x76, chipAt(0x76, 'BME280'));
    render(<DevicePanel address={0x76} />);
    await press('Initialise…');
    await confirm('Initialise');
    await screen.findByText(/initialised at/);
    // Opens the JKit as after a reload of the page.
    await openDevice(0x76, chipAt(0x76, 'BME280'));
    await press('Live');
    await waitFor(() => expect(jobs).toHaveLength(1));
  });

  it('is read again and again by the host, and says when the device vanishes', async () => {
    const { parts, jobs } = plug(labBreadboard('esp32').bme280);
    await openDevice(0x76, chipAt(0x76, 'BME280'));
    render(<DevicePanel address={0x76} />);
    await press('Initialise…');
    await confirm('Initialise');
    await screen.findByText(/initialised at/);
    await press('Live');
    await waitFor(() => expect(openDeviceAt(0x76)?.interval).toBe(1_000));
    const [job] = jobs;
    const cycle = (at: number): DeviceCycle => {
      const answers = parts.transferAll(job?.transfers ?? []);
      return { address: 0x76, at, answers, failure: null, ended: false };
    };
    takeCycles([cycle(1_000), cycle(2_000)]);
    await waitFor(() => expect(screen.getByRole('img', { name: /Curve of Temperature/i })).toBeDefined());
    takeCycles([{ address: 0x76, at: 3_000, answers: null, failure: '0x76: no acknowledge.', ended: true }]);
    expect((await screen.findByRole('alert')).textContent).toContain('Reading has ended. 0x76: no acknowledge.');
    expect(historyOf(0x76).times).toEqual([1_000, 2_000]);
    // No earlier value stays, and the device may have lost its set-up.
    expect(screen.getByRole('list', { name: 'Readings' }).textContent).not.toMatch(/\d °C/);
    expect(openDeviceAt(0x76)?.initialisedAt).toBeNull();
    expect(screen.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed')).toBe('false');
  });

  it('shows bytes before it writes a register, writes nothing when that is cancelled, and what has changed after it', async () => {
    const { lab } = plug(labBreadboard('esp32').bme280);
    await openDevice(0x76, chipAt(0x76, 'BME280'));
    render(<DevicePanel address={0x76} />);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Registers');
    await userEvent.click(screen.getByRole('treeitem', { name: /ctrl_meas/ }));
    await press('Read');
    await waitFor(() => expect(openDeviceAt(0x76)?.registers.get('ctrl_meas')?.now).toBe(0));
    await press(/^Bit 5/);
    await press('Write');
    expect((await screen.findByRole('dialog')).textContent).toContain('F4 20');
    const before = lab.calls.length;
    await confirm('Cancel');
    expect(lab.calls).toHaveLength(before);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Write');
    await confirm('Write');
    await waitFor(() => expect(screen.getByRole('treeitem', { name: /ctrl_meas.*was 0x00/ })).toBeDefined());
  });

  it('a JKit that lies about the device is said to, and another one takes its place', async () => {
    plug(labBreadboard('esp32').bme280);
    await openDevice(0x76, chipAt(0x76, 'BMP280'));
    render(<DevicePanel address={0x76} />);
    await press('Check identity');
    expect(await screen.findByText('This may be another device.')).toBeDefined();
    await openDevice(0x76, chipAt(0x76, 'BME280'));
    await waitFor(() => expect(screen.queryByText('This may be another device.')).toBeNull());
    expect(screen.getByRole('heading', { name: 'BME280' })).toBeDefined();
  });
});

it('a JKit written to harm shows its texts as text, and asks the device for nothing until a person does', async () => {
  const { lab } = plug(labBreadboard('esp32').bme280);
  const markup = '<img src=x onerror=alert(1)>';
  const { content, faults } = checkChip(
    JSON.stringify({
      name: markup,
      category: 'Sensors',
      bus: 'i2c',
      addresses: [0x76],
      registers: [{ name: 'id', address: 0xd0, description: '</p><script>alert(1)</script>' }],
      values: Array.from({ length: 96 }, (_, index) => ({
        name: `v${index}`,
        formula: index === 0 ? 'id' : `v${index - 1} * v${index - 1}`,
      })),
      readings: Array.from({ length: 24 }, (_, index) => ({
        name: `${markup.slice(0, 20)}${index}`,
        formula: 'v95 / (v95 - v95)',
        unit: '<b>',
      })),
    }),
  );
  expect(faults).toEqual([]);
  if (content === null) {
    throw new Error('It was refused.');
  }
  await openDevice(0x76, { ...chipAt(0x76, 'BME280'), content });
  const { container } = render(<DevicePanel address={0x76} />);
  expect(lab.calls).toEqual([]);
  expect(screen.getByRole('heading', { name: markup })).toBeDefined();
  await press('Read once');
  const readings = screen.getByRole('list', { name: 'Readings' });
  await waitFor(() => expect(within(readings).getAllByRole('listitem')).toHaveLength(24));
  expect(container.querySelector('img[src], script, b:empty')).toBeNull();
});

it('two JKits at one address: the second ends the readings of the first, whose late answers mean nothing', async () => {
  const { lab } = plug(labBreadboard('esp32').bme280);
  await openDevice(0x76, chipAt(0x76, 'BME280'));
  render(<DevicePanel address={0x76} />);
  await press('Initialise…');
  await confirm('Initialise');
  await screen.findByText(/initialised at/);
  await press('Live');
  await waitFor(() => expect(openDeviceAt(0x76)?.interval).toBe(1_000));
  await openDevice(0x76, chipAt(0x76, 'TCA9548A'));
  expect(lab.calls.at(-1)).toEqual(['endRepeat', 0x76]);
  takeCycles([{ address: 0x76, at: 1_000, answers: [new Uint8Array(8)], failure: null, ended: false }]);
  expect(historyOf(0x76).times).toEqual([]);
});

it('a device that was not asked is asked when a person agrees, and what a switch held is written back', async () => {
  const tca = new Tca9548a(0x76);
  tca.control = 3;
  plug(tca);
  await identifyAll([0x76]);
  render(<DevicePanel address={0x76} />);
  expect(screen.getByText('0x76 was not asked what it is.')).toBeDefined();
  await press('Identify…');
  expect(tca.written).toEqual([]);
  await confirm('Identify');
  expect(await screen.findByText('It has no registers.')).toBeDefined();
  expect(tca.control).toBe(3);
});

describe('the register map', () => {
  it('says what reading may do, reads a range, and marks what has changed', async () => {
    const { tmp105 } = labBreadboard('esp32');
    plug(tmp105);
    await identifyAll([0x48]);
    render(<DevicePanel address={0x48} />);
    expect(screen.getByText(/Reading may have side effects/)).toBeDefined();
    fireEvent.change(screen.getByRole('textbox', { name: 'to' }), { target: { value: '03' } });
    await press('Read the map');
    expect(await screen.findByText('4 registers read.')).toBeDefined();
    tmp105.temperature = -10;
    tmp105.powerUp();
    await press('Read the map');
    await waitFor(() => expect(screen.getByRole('table', { name: 'Registers of 0x48' }).textContent).toContain('was'));
  });

  it('ends where the device stops answering, and says how far it came', async () => {
    const { tmp105 } = labBreadboard('esp32');
    const { parts } = plug(tmp105);
    await identifyAll([0x48]);
    render(<DevicePanel address={0x48} />);
    parts.parts.clear();
    await press('Read the map');
    expect(await screen.findByText('The device stopped answering: 0 of 256 registers read.')).toBeDefined();
  });
});
