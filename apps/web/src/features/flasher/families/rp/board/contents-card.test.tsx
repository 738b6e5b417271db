import { act, cleanup, render, screen } from '@testing-library/react';
import type { RpInfo } from '@wirebench/flasher/rp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../../../shared/testing/stores.ts';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { testFamily, testPico } from '../../../testing/families.ts';
import { RpContentsCard } from './contents-card.tsx';

const permissions = { secure: 'rw', nonSecure: 'r', bootloader: 'rw' } as const;
const partitions: RpInfo['partitions'] = {
  unpartitioned: { permissions, families: [0xe48b_ff57] },
  partitions: [
    {
      index: 0,
      name: 'firmware',
      hasName: true,
      offset: 0x2000,
      size: 0x10_0000,
      id: null,
      slot: { kind: 'a' },
      owner: null,
      permissions,
      hasSamePermissions: true,
      families: [0xe48b_ff59],
      bootable: ['arm'],
    },
  ],
};

function connected(info: Pick<RpInfo, 'chip' | 'partitions'>): void {
  const flash = { start: 0x1000_0000, size: 2 ** 22 };
  const board = testPico(
    { name: info.chip, flash },
    { revision: null, romVersion: null, flashSize: flash.size, users: [], ...info },
  );
  act(() => dispatch(1, { type: 'connected', board }));
}

describe('partitions of a board, on its card', () => {
  beforeEach(() => {
    resetStores();
    startFlasher(testFamily);
    dispatch(1, { type: 'connect', source: { kind: 'demo' } });
    render(<RpContentsCard />);
  });
  afterEach(cleanup);

  it('are rows in the words of picotool', async () => {
    connected({ chip: 'RP2350', partitions });
    expect(await screen.findByText('partition 0 (A)')).toBeDefined();
    expect(
      screen.getByText(
        `00002000->00102000 S(rw) NSBOOT(rw) NS(r), "firmware", uf2 { 'rp2350-arm-s' }, arm_boot 1, riscv_boot 0`,
      ),
    ).toBeDefined();
    expect(screen.getByText(`S(rw) NSBOOT(rw) NS(r), uf2 { 'absolute' }`)).toBeDefined();
  });

  it('are named as those of the next start if their table is new', async () => {
    connected({ chip: 'RP2350', partitions: { ...partitions, isNew: true } });
    expect(await screen.findByText('Partition table, used from the next start')).toBeDefined();
  });

  it('are named as missing if the board has none', () => {
    connected({ chip: 'RP2350', partitions: 'none' });
    expect(screen.getByText('The board has no partition table.')).toBeDefined();
  });

  it('are absent for a board that was not asked', () => {
    connected({ chip: 'RP2040', partitions: null });
    expect(screen.getByText('On the board')).toBeDefined();
    expect(screen.queryByText(/partition/i)).toBeNull();
  });
});
