import { describe, expect, it } from 'vitest';
import type { EspLink } from '../esp-info.ts';
import { type Chip, type ChipIdentity, dividedCrystal } from './chip.ts';
import { type ChipName, chipFacts, chipNames, chipOfId, chipOfMagic } from './chip-facts.ts';
import { flashChipOf } from './flash-chips.ts';
import { loadChip } from './load-chip.ts';

/**
 * Register space of each chip. A word at any other address crashes the ROM (Technical Reference Manuals, "Address
 * Mapping").
 */
const registerSpaces = {
  esp8266: [0x3ff0_0000, 0x6000_1000],
  esp32: [0x3ff0_0000, 0x3ff8_0000],
  esp32s2: [0x3f40_0000, 0x3f50_0000],
  esp32s3: [0x6000_0000, 0x600d_1000],
  esp32c2: [0x6000_0000, 0x600d_1000],
  esp32c3: [0x6000_0000, 0x600d_1000],
  esp32c5: [0x6000_0000, 0x600d_1000],
  esp32c6: [0x6000_0000, 0x600d_1000],
  esp32c61: [0x6000_0000, 0x600d_1000],
  esp32h2: [0x6000_0000, 0x600d_1000],
  esp32h21: [0x6000_0000, 0x600d_1000],
  esp32h4: [0x6000_0000, 0x600d_1000],
  esp32p4: [0x5000_0000, 0x5013_0000],
} as const;

/** Calls everything that the client may ask of this chip, and returns the addresses. */
async function addressesOf(chip: Chip): Promise<number[]> {
  const addresses: number[] = [];
  const read = async (address: number) => {
    addresses.push(address);
    return 0;
  };
  const write = async (address: number) => {
    addresses.push(address);
  };
  const registers = { read, write, pause: async () => undefined };
  await chip.identify(read);
  await chip.security?.(read);
  for (const link of ['uart', 'usb-serial-jtag', 'usb-otg'] as const) {
    await chip.leave?.(registers, link);
  }
  await chip.romBaudRate?.(921_600, 40, read);
  for (const minor of [0, 1, 2]) {
    await chip.prepare?.(registers, 'usb-serial-jtag', { major: 3, minor });
  }
  if (chip.crystal.kind === 'divider') {
    addresses.push(chip.crystal.register);
  }
  const { command, user, user1, user2, misoLength, data0 } = chip.spi;
  return [...addresses, command, user, user1, user2, ...(misoLength === null ? [] : [misoLength]), data0];
}

function identityOf(chip: Chip, words: Readonly<Record<number, number>>): Promise<ChipIdentity> {
  return chip.identify(async (address) => words[address] ?? 0);
}

describe.each(chipNames)('%s', (name) => {
  it('is identified by aligned reads of its own registers alone', async () => {
    const [from, to] = registerSpaces[name];
    for (const address of await addressesOf(await loadChip(name))) {
      expect(address % 4).toBe(0);
      expect(address).toBeGreaterThanOrEqual(from);
      expect(address).toBeLessThan(to);
    }
  });

  it('has a stub that fits into its words, or no stub', async () => {
    const stub = await (await loadChip(name)).loadStub({ major: 1, minor: 0 });
    if (name === 'esp32h21') {
      expect(stub).toBeNull();
      return;
    }
    expect(stub?.text.length).toBeGreaterThan(4_000);
    expect(stub?.entry).toBeGreaterThanOrEqual(stub?.textAddress ?? 0);
    expect(stub?.entry).toBeLessThan((stub?.textAddress ?? 0) + (stub?.text.length ?? 0));
  });

  it('is found by the id of its images', () => {
    const { imageChipId } = chipFacts[name];
    expect(imageChipId === null ? name : chipOfId(imageChipId)).toBe(name);
  });
});

describe('identity', () => {
  it('matches a recorded ESP32', async () => {
    const words = { 1073061892: 0xc400_0110, 1073061896: 0x00b9_240a, 1073061900: 0x8000, 1073111164: 0x8000_0000 };
    expect(await identityOf(await loadChip('esp32'), { ...words, 1073061908: 0x10_0000 })).toMatchObject({
      model: 'ESP32-D0WDQ6-V3',
      revision: { major: 3, minor: 0 },
      mac: '24:0a:c4:00:01:10',
    });
  });

  it('matches a recorded ESP32-C3', async () => {
    const words = { 1610647620: 0x24fe_1001, 1610647624: 0xc40a, 1610647632: 0xc_0000 };
    expect(await identityOf(await loadChip('esp32c3'), words)).toMatchObject({
      model: 'ESP32-C3',
      revision: { major: 0, minor: 3 },
      mac: 'c4:0a:24:fe:10:01',
    });
  });

  it.each([
    [0x00ab_cdef, 'ab:cd:ef:34:12:78'],
    [0, '18:fe:34:34:12:78'],
  ])('has the MAC of an ESP8266 with 0x%x in its third word', async (vendor, mac) => {
    const words = { 1072693328: 0x7800_0000, 1072693332: 0x0000_3412, 1072693340: vendor };
    expect(await identityOf(await loadChip('esp8266'), words)).toMatchObject({ model: 'ESP8266EX', mac });
  });

  it('recognises an ESP8285 by either of its bits', async () => {
    const chip = await loadChip('esp8266');
    expect((await identityOf(chip, { 1072693328: 1 << 4 })).model).toBe('ESP8285');
    expect((await identityOf(chip, { 1072693336: 1 << 16 })).model).toBe('ESP8285');
  });
});

describe('leaving the bootloader over USB OTG', () => {
  const left = async (name: ChipName, words: Readonly<Record<number, number>>, link: EspLink) => {
    const writes: [number, number][] = [];
    const chip = await loadChip(name);
    const resets = await chip.leave?.(
      {
        read: async (address) => words[address] ?? 0,
        write: async (address, value) => {
          writes.push([address, value >>> 0]);
        },
        pause: async () => undefined,
      },
      link,
    );
    return { resets, writes };
  };
  const watchdog = (config: number) => [
    [config + 0x18, 0x50d8_3aa1],
    [config + 4, 2_000],
    [config, 0xd000_0102],
    [config + 0x18, 0],
  ];

  it('uses the watchdog if BOOT was held: the lines would lead back into the bootloader', async () => {
    expect(await left('esp32s2', {}, 'usb-otg')).toEqual({ resets: true, writes: watchdog(0x3f40_8094) });
    const s3 = await left('esp32s3', {}, 'usb-otg');
    expect(s3).toEqual({ resets: true, writes: [[0x6000_812c, 0], ...watchdog(0x6000_8098)] });
  });

  it('uses the lines if a program restarted into the bootloader', async () => {
    expect(await left('esp32s2', { 1061175352: 8 }, 'usb-otg')).toEqual({ resets: false, writes: [] });
    expect(await left('esp32s2', { 1061191976: 1 }, 'usb-otg')).toEqual({ resets: false, writes: [] });
    expect(await left('esp32s3', { 1610629176: 8 }, 'usb-otg')).toMatchObject({ resets: false });
  });

  it('always uses the watchdog on the ESP32-P4', async () => {
    expect(await left('esp32p4', {}, 'usb-otg')).toEqual({ resets: true, writes: watchdog(0x5011_6000) });
  });

  it.each(['uart', 'usb-serial-jtag'] as const)('uses the lines on %s', async (link) => {
    for (const name of ['esp32s2', 'esp32s3', 'esp32p4'] as const) {
      expect(await left(name, {}, link)).toMatchObject({ resets: false });
    }
  });
});

describe('powering the flash of an ESP32-P4', () => {
  it('lets its pads and its supply settle', async () => {
    const steps: string[] = [];
    const chip = await loadChip('esp32p4');
    await chip.prepare?.(
      {
        read: async () => 0,
        write: async () => {
          steps.push('write');
        },
        pause: async (milliseconds) => {
          steps.push(`${milliseconds} ms`);
        },
      },
      'uart',
      { major: 3, minor: 1 },
    );
    expect(steps.slice(0, 3)).toEqual(['write', '10 ms', 'write']);
    expect(steps.at(-1)).toBe('2 ms');
  });
});

describe('the word that identifies old chips', () => {
  it.each([
    [0x00f0_1d83, 'esp32'],
    [0x0000_07c6, 'esp32s2'],
    [0xfff0_c101, 'esp8266'],
    [0xfff0_c101 | 0, 'esp8266'],
    [0x1b31_506f, null],
  ])('0x%x is %s', (magic, name) => {
    expect(chipOfMagic(magic)).toBe(name);
  });
});

describe('flash chips', () => {
  it.each([
    [0x16_40c8, { manufacturerName: 'GigaDevice', device: 0x4016, size: 4 << 20 }],
    [0x18_40ef, { manufacturerName: 'Winbond', size: 16 << 20 }],
    [0x20_40c8, { size: 64 << 20 }],
    [0x37_25c2, { size: 8 << 20 }],
    [0x01_861f, { manufacturerName: 'Adesto', size: 2 << 20 }],
    [0x99_4099, { manufacturerName: null, size: null }],
  ])('0x%x', (id, chip) => {
    expect(flashChipOf(id)).toMatchObject(chip);
  });

  it.each([0, 0xff_ffff])('are null for the id 0x%x', (id) => {
    expect(flashChipOf(id)).toBeNull();
  });
});

it.each([
  [346, 115_200, 40],
  [338, 115_200, 40],
  [86, 460_800, 40],
  [347 | (3 << 20), 115_200, 40],
  [225, 115_200, 26],
  [28, 921_600, 26],
] as const)('a divider of %i at %i baud is that of a crystal of %i MHz', async (word, baudRate, megahertz) => {
  const { crystal } = await loadChip('esp32');
  expect(crystal.kind === 'divider' && dividedCrystal(crystal, word, baudRate)).toBe(megahertz);
});
