/**
 * Tests that a device's panel keeps readings, checks and flipped bits when a change of layout removes and renders it
 * again.
 */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { labBreadboard } from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { fakeLab, openBench } from '../testing/fake-lab.ts';
import { partBus } from '../testing/part-bus.ts';
import { openDevice } from './device-actions.ts';
import { DevicePanel } from './device-panel.tsx';
import { forgetDevices } from './device-store.ts';
import { shippedAt } from './identify.ts';

const address = 0x76;

beforeEach(() => openBench({ i2c: { sda: 21, scl: 22, clock: 100_000 } }));
afterEach(() => {
  cleanup();
  forgetDevices();
  resetStores();
});

function plug(transfersBefore: () => void = () => undefined) {
  const { transferAll } = partBus([labBreadboard('esp32').bme280]);
  return fakeLab({
    transferAll: (transfers) => {
      transfersBefore();
      return transferAll(transfers);
    },
  });
}

async function openBme280(): Promise<void> {
  const chip = shippedAt(address).find(({ content }) => content.name === 'BME280');
  if (chip === undefined) {
    throw new Error('No description of BME280.');
  }
  await openDevice(address, chip);
}

const show = () => render(<DevicePanel address={address} />);

function showAgain(): void {
  cleanup();
  show();
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

describe('the register map', () => {
  it('keeps what was read, and how the reading ended', async () => {
    plug();
    show();
    fireEvent.change(screen.getByRole('textbox', { name: 'to' }), { target: { value: '03' } });
    await press('Read the map');
    await screen.findByText('4 registers read.');
    showAgain();
    expect(screen.getByText('4 registers read.')).toBeDefined();
    expect(screen.getByRole('table', { name: 'Registers of 0x76' })).toBeDefined();
  });

  it('is read on while it is off the screen, and can be cancelled afterwards', async () => {
    let rows = 0;
    plug(() => {
      rows++;
      if (rows === 2) {
        cleanup();
      }
      if (rows === 4) {
        show();
        fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
      }
    });
    show();
    await press('Read the map');
    expect(await screen.findByText(/^Cancelled: 48 of 256 registers read/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Read the map' })).toBeDefined();
  });

  it('says nothing of a device of another bus', async () => {
    let rows = 0;
    plug(() => {
      rows++;
      if (rows === 2) {
        forgetDevices();
      }
    });
    show();
    await press('Read the map');
    await waitFor(() => expect(rows).toBe(2));
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.queryByText(/registers read/)).toBeNull();
  });
});

it('a device keeps the view, the interval, the check of its identity and the bits that were flipped', async () => {
  plug();
  await openBme280();
  show();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Every' }), '5 s');
  await press('Check identity');
  await screen.findByText('Its registers fit.');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Registers');
  await userEvent.click(screen.getByRole('treeitem', { name: /ctrl_meas/ }));
  await press('Read');
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Bit 5' }).disabled).toBe(false));
  await press('Bit 5');
  showAgain();
  expect(screen.getByText('Its registers fit.')).toBeDefined();
  expect(screen.getByRole('group', { name: 'Bits of ctrl_meas' })).toBeDefined();
  expect(screen.getByText(/^1 bit will change/)).toBeDefined();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Readings');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Every' }).value).toBe('5000');
});

it('another JKit for a device begins with no bits flipped and no check', async () => {
  plug();
  await openBme280();
  show();
  await press('Check identity');
  await screen.findByText('Its registers fit.');
  await openBme280();
  await waitFor(() => expect(screen.queryByText('Its registers fit.')).toBeNull());
});
