import { labBreadboard, Tca9548a } from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallError } from '../../../protocol/calls/call-client.ts';
import { closeBus, openBus, scanBus } from '../i2c/i2c-panel.tsx';
import { fakeLab, openBench } from '../testing/fake-lab.ts';
import { partBus } from '../testing/part-bus.ts';
import { certaintyText, nameOf } from './certainty.ts';
import { devicesNow, forgetDevices, offersAt } from './device-store.ts';
import { identifyAll, identifyAsked } from './identify.ts';
import { type FoundChip, setChipSources } from './known-chip.ts';

const { bme280, mpu6050, ssd1306, eeprom, tmp105 } = labBreadboard('esp32');

function plug(...parts: Parameters<typeof partBus>[0][]) {
  const bus = partBus(parts.flat());
  return { bus, lab: fakeLab({ transferAll: bus.transferAll, scan: () => [] }) };
}

const chip = (changes: object, more: Partial<FoundChip> = {}): FoundChip => ({
  id: 'theirs',
  name: 'Their chip',
  publisher: 'somebody',
  origin: 'shared',
  content: JSON.stringify({
    name: 'ZX-41',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x68],
    identification: [{ register: 'id', value: 0x41 }],
    registers: [{ name: 'id', address: 0x0f }],
    ...changes,
  }),
  ...more,
});

/** Identifies, and waits for the late results as well. */
const identify = async (addresses: readonly number[]) => (await identifyAll(addresses)).late;
const identityAt = (address: number) => devicesNow().identities.get(address);
const seen = (address: number) => offersAt(address).map((offer) => `${nameOf(offer)} ${certaintyText(offer)}`);

beforeEach(() => openBench());
afterEach(() => {
  setChipSources([]);
  forgetDevices();
});

describe('identification of devices on the bus', () => {
  it('has three levels of certainty, from the chips of the product', async () => {
    plug([bme280, mpu6050, ssd1306, eeprom, tmp105]);
    await identify([0x3c, 0x48, 0x50, 0x68, 0x76]);
    expect(seen(0x76)).toEqual(['BME280 Identified by register 0xD0 = 0x60', 'TCA9548A? By address only']);
    expect(seen(0x68)[0]).toBe('MPU-6050 Likely: register 0x75 & 0x7E = 0x68 (other chips give the same answer)');
    expect(seen(0x3c)[0]).toBe('SSD1306? By address only');
    expect(seen(0x48)[0]).toBe('TMP105? By address only');
    expect(devicesNow().isIdentifying).toBe(false);
  });

  it('writes no byte to a TCA9548A at any address before the user agrees', async () => {
    for (let address = 0x70; address <= 0x77; address++) {
      for (const control of [0, 0x01, 0xd0, 0xff]) {
        const tca = new Tca9548a(address);
        tca.control = control;
        plug([tca]);
        await identify([address]);
        expect(tca.written).toEqual([]);
        expect(tca.control).toBe(control);
        expect(seen(address)).toContain('TCA9548A? By address only');
      }
    }
    expect(identityAt(0x77)?.isUnasked).toBe(true);
  });

  it('restores the register of a TCA9548A that it has asked', async () => {
    const tca = new Tca9548a(0x76);
    tca.control = 0x05;
    plug([tca]);
    await identify([0x76]);
    await identifyAsked(0x76);
    expect(tca.control).toBe(0x05);
    expect(identityAt(0x76)).toMatchObject({ isUnasked: false, hasKept: '0x05' });
    expect(seen(0x76)).not.toContain('BME280 Identified by register 0xD0 = 0x60');
  });

  it('guesses by address for a device that has vanished', async () => {
    const { bus } = plug([bme280]);
    bus.parts.clear();
    await identify([0x76]);
    expect(identityAt(0x76)?.isUnasked).toBe(true);
    expect(seen(0x76)).toContain('BME280? By address only');
  });

  it('ends when the board is lost', async () => {
    const detail = { code: 'unplugged', message: 'The board was unplugged.', remedy: null, detail: null };
    fakeLab({
      transferAll: () => {
        throw new CallError({ name: 'LabError', message: detail.message, code: detail.code, detail });
      },
    });
    await expect(identify([0x68, 0x69])).rejects.toThrow('The board was unplugged.');
    expect(devicesNow()).toMatchObject({ isIdentifying: false, identities: new Map() });
  });
});

describe('identification by JKits of users', () => {
  it('reads from a device for the user’s own JKits', async () => {
    plug([mpu6050]);
    setChipSources([
      async () => [
        chip(
          { registers: [{ name: 'id', address: 0x75 }], identification: [{ register: 'id', value: 0x68 }] },
          { origin: 'own' },
        ),
      ],
    ]);
    await identify([0x68]);
    // Two descriptions of different parts fit, so both are only likely.
    expect(
      offersAt(0x68)
        .slice(0, 2)
        .map(({ certainty }) => certainty),
    ).toEqual(['likely', 'likely']);
  });

  it('offers a foreign JKit by address, and reads nothing', async () => {
    const { lab } = plug([mpu6050]);
    setChipSources([async () => [chip({})]]);
    await identify([0x68]);
    expect(seen(0x68)).toContain('ZX-41? By address only');
    expect(JSON.stringify(lab.calls)).not.toContain('"0":15');
  });

  it('an adversarial JKit on the bench: a write that looks like a 16-bit register number is never sent unasked', async () => {
    const { lab } = plug([mpu6050]);
    const hidden = { pointer: 16, registers: [{ name: 'id', address: 0x6b80 }] };
    setChipSources([
      async () => [chip(hidden, { origin: 'own' }), chip({ ...hidden, pointer: 16 }, { id: 'b', origin: 'editor' })],
    ]);
    await identify([0x68]);
    const written = lab.calls.flatMap(([, transfers]) =>
      (transfers as { write: Uint8Array }[]).map(({ write }) => write.length),
    );
    expect(Math.max(...written)).toBe(1);
    expect(seen(0x68)).toContain('ZX-41? By address only');
  });

  it('an adversarial JKit on the bench: hostile text, huge lists and broken ones are left out, the others stay', async () => {
    plug([mpu6050]);
    const bad = [
      chip({ name: 'A\u202eB' }, { id: '1' }),
      chip(
        { registers: Array.from({ length: 5_000 }, (_, index) => ({ name: `r${index}`, address: 0 })) },
        { id: '2' },
      ),
      chip({}, { id: '3', content: '{' }),
      chip({}, { id: '4', content: '['.repeat(40_000) }),
      chip({ readings: [{ name: 'x', formula: '('.repeat(300) }] }, { id: '5' }),
      chip({ addresses: [0x03] }, { id: '6' }),
    ];
    setChipSources([async () => [...bad, chip({ name: '<img src=x onerror=alert(1)>' }, { id: '7' })]]);
    await identify([0x68]);
    const ids = offersAt(0x68).flatMap(({ chip: { id, origin } }) => (origin === 'shared' ? [id] : []));
    expect(ids).toEqual(['7']);
  });

  it.each(['is opened on other pins', 'is closed', 'is scanned again'])(
    'stops asking for late JKits when the bus %s',
    async (what) => {
      const { lab } = plug([mpu6050]);
      const { promise, resolve } = Promise.withResolvers<readonly FoundChip[]>();
      setChipSources([() => promise]);
      const { late } = await identifyAll([0x68]);
      expect(devicesNow().isIdentifying).toBe(true);
      const bus = { sda: 13, scl: 14, clock: 100_000 };
      await (what === 'is closed' ? closeBus() : what === 'is scanned again' ? scanBus(bus) : openBus(bus));
      const asked = lab.calls.length;
      resolve([chip({}, { origin: 'own' })]);
      await late;
      expect(lab.calls.slice(asked).filter(([name]) => name === 'transferAll')).toEqual([]);
      expect(devicesNow().isIdentifying).toBe(false);
    },
  );

  it('does not ask an address again on the next bus while it is asked', async () => {
    const bus = partBus([mpu6050]);
    let asked = 0;
    const lab = fakeLab({
      transferAll: (transfers) => {
        asked++;
        if (asked === 1) {
          void openBus({ sda: 13, scl: 14, clock: 100_000 });
        }
        return bus.transferAll(transfers);
      },
    });
    await identify([0x68, 0x69, 0x76]);
    expect(lab.calls.map(([name]) => name)).toEqual(['transferAll', 'openI2c']);
    expect(devicesNow()).toMatchObject({ isIdentifying: false, identities: new Map() });
  });

  it('reports an unreachable server, and keeps the other results', async () => {
    plug([bme280]);
    setChipSources([() => Promise.reject(new Error('The server cannot be reached.'))]);
    await identify([0x76]);
    expect(devicesNow().sourceFailure).toBe('The server cannot be reached.');
    expect(seen(0x76)[0]).toBe('BME280 Identified by register 0xD0 = 0x60');
  });
});
