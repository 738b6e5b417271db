import { describe, expect, it } from 'vitest';
import type { LabChip } from '../chips/lab-chip.ts';
import { labChip } from '../chips/lab-chips.ts';
import { LabError } from '../lab-failure.ts';
import { policyOf } from '../policy/policy.ts';
import { wireSteps } from '../runner/wire-steps.ts';
import { fakeLab, reasonOf } from '../testing/fake-lab.ts';
import { unescaped } from '../testing/recording.ts';
import { i2cProbe, i2cTransfer, i2cUp } from './i2c.ts';
import { busCandidates, findBuses, i2cRecover } from './i2c-lines.ts';
import { scan } from './i2c-scan.ts';

const esp32 = labChip('esp32');
const c3 = labChip('esp32c3');
const chips = [esp32, c3];

describe('I2C', () => {
  it('distinguishes a bus that is stuck from an address that is absent', () => {
    const { value } = i2cProbe(esp32, 0x48);
    expect([0x80, 0x400, 0x480, 0x100, 0x20, 0].map((raw) => value([raw]))).toEqual([
      'present',
      'absent',
      'absent',
      'stuck',
      'stuck',
      'unfinished',
    ]);
  });

  it.each(['esp32', 'esp32c3'] as const)('waits on %s until the bus has carried a transfer', (name) => {
    const chip = labChip(name);
    const transfer = i2cTransfer(chip, { address: 0x48, write: Uint8Array.of(0), read: 31, clock: 100_000 });
    const [list] = wireSteps(transfer.steps, policyOf(chip), chip.limits);
    const frame = list?.kind === 'requests' ? list.requests[0]?.request.frame : undefined;
    // The last entry waits; its delay is its last word.
    const words = unescaped(Buffer.from(frame ?? []).toString('hex'));
    const units = Buffer.from(words.slice(-8), 'hex').readUInt32LE();
    const bits = (3 + 31) * 9;
    expect(units * chip.limits.delayUnit).toBeGreaterThanOrEqual((bits * 1e6) / 100_000);
  });

  it.each([0, 1, 60])('waits for a device that holds the clock for %i looks', async (looks) => {
    let left = looks;
    const words = new Map([[esp32.i2c.base + 0x08, 1 << 8]]);
    const { lab } = fakeLab(esp32, (register) => {
      if (register === esp32.i2c.base + 0x20) {
        return left-- > 0 ? 0 : 0x80;
      }
      return register === esp32.i2c.base + 0x1c ? 0x60 : (words.get(register) ?? 0);
    });
    const transfer = { address: 0x76, write: Uint8Array.of(0xd0), read: 1, clock: 100_000 };
    expect(await lab.run(i2cTransfer(esp32, transfer))).toEqual({ answer: 'present', read: Uint8Array.of(0x60) });
  });

  it('says that a transfer is unfinished only when the bus stays at work', async () => {
    let looks = 0;
    const { lab } = fakeLab(esp32, (register) => {
      looks += register === esp32.i2c.base + 0x20 ? 1 : 0;
      return 0;
    });
    const transfer = { address: 0x76, write: Uint8Array.of(0xd0), read: 0, clock: 100_000 };
    expect((await lab.run(i2cTransfer(esp32, transfer))).answer).toBe('unfinished');
    expect(looks).toBeGreaterThanOrEqual(100);
  });

  it('does not give bytes that were not received', () => {
    const transfer = i2cTransfer(esp32, { address: 0x48, write: Uint8Array.of(0), read: 2, clock: 100_000 });
    expect(transfer.value([0x80, 1 << 8, 1, 2])).toEqual({ answer: 'unfinished', read: new Uint8Array() });
    expect(transfer.repeatable).toBe(false);
  });

  it('waits longer on a slower bus', () => {
    const delayAt = (clock: number) => {
      const [step] = i2cProbe(esp32, 8, clock).steps;
      return step?.kind === 'write' ? step.entries.at(-1)?.delay : null;
    };
    expect([10_000, 100_000, 400_000].map(delayAt)).toEqual([1_500, 150, 38]);
  });

  it('refuses what the FIFO or the bus cannot', () => {
    const transfer = (write: number, read: number, address = 0x48) =>
      reasonOf(() => i2cTransfer(esp32, { address, write: new Uint8Array(write), read, clock: 100_000 }));
    expect(transfer(31, 0)).toBeNull();
    expect(transfer(32, 0)).toContain('31 bytes');
    expect(transfer(0, 32)).toContain('31 bytes');
    expect(transfer(0, 1, 0x80)).toContain('7 bits');
    expect(reasonOf(() => i2cUp(esp32, { sda: 21, scl: 21, clock: 100_000 }))).toBe('GPIO 21 is chosen twice.');
    expect(reasonOf(() => i2cUp(esp32, { sda: 21, scl: 22, clock: 1_000_000 }))).toContain('400 kHz');
  });

  it('frees a bus by nine clocks and a stop, with SDA released in the end', () => {
    const [bank] = esp32.gpio.banks;
    const [step] = i2cRecover(esp32, { sda: 21, scl: 22 }).steps;
    const entries = step?.kind === 'write' ? step.entries : [];
    const clocks = entries.filter(
      ({ address, value, delay }) => address === bank?.outSet && value === 1 << 22 && delay > 0,
    );
    expect(clocks).toHaveLength(10);
    expect(entries.at(-1)).toMatchObject({ address: bank?.outSet, value: 1 << 21 });
  });
});

/** Simulates a bus with devices: INT_RAW depends on the address written last. */
function bus(
  chip: LabChip,
  devices: readonly number[],
  answer: (present: boolean) => number = (present) => (present ? 0x80 : 0x400),
) {
  let address = 0;
  return {
    read: (register: number) => (register === chip.i2c.base + 0x20 ? answer(devices.includes(address)) : 0),
    write: (register: number, value: number) => {
      address = register === chip.i2c.fifoWrite ? value >>> 1 : address;
    },
  };
}

describe.each(chips)('a scan on $label', (chip) => {
  it('finds all that acknowledge, in order', async () => {
    const { read, write } = bus(chip, [0x77, 0x48, 0x08]);
    const found: number[] = [];
    let done = 0;
    const report = await scan(fakeLab(chip, read, write).lab, {
      clock: 100_000,
      onFound: (address) => found.push(address),
      onProgress: (count) => {
        done = count;
      },
    });
    expect(report).toEqual({ found: [0x08, 0x48, 0x77], stuckAt: null });
    expect(found).toEqual([0x08, 0x48, 0x77]);
    expect(done).toBe(0x70);
  });

  it('stops where the bus is stuck', async () => {
    const { read, write } = bus(chip, [], () => 0x100);
    expect(await scan(fakeLab(chip, read, write).lab, { clock: 100_000 })).toEqual({ found: [], stuckAt: 0x08 });
  });

  it('asks again where nothing was seen', async () => {
    let asked = 0;
    const { read, write } = bus(chip, [0x48], (present) => (present ? (asked++ < 1 ? 0 : 0x80) : 0x400));
    expect((await scan(fakeLab(chip, read, write).lab, { clock: 100_000 })).found).toEqual([0x48]);
  });
});

describe('a scan whose probes never end', () => {
  it('does not take the address for absent', async () => {
    const { read, write } = bus(c3, [0x48], (present) => (present ? 0 : 0x400));
    expect(await scan(fakeLab(c3, read, write).lab, { clock: 100_000 })).toEqual({ found: [], stuckAt: 0x48 });
  });
});

describe('finding a bus', () => {
  it('tries the pins that are pulled up both ways round, and releases all of them', async () => {
    // SDA 22 and SCL 21 carry a bus; GPIO 4 has only a pull-up.
    const selected = new Map<number, number>();
    const { i2c, gpio } = esp32;
    const isRight = () =>
      selected.get(gpio.outputSelect + 4 * 22) === i2c.signals.sda &&
      selected.get(gpio.outputSelect + 4 * 21) === i2c.signals.scl;
    const wires = bus(esp32, [0x76], (present) => (present && isRight() ? 0x80 : 0x400));
    const pulledUp = (1 << 4) | (1 << 21) | (1 << 22);
    const { lab, titles } = fakeLab(
      esp32,
      (address) => (address === gpio.banks[0]?.input ? pulledUp : wires.read(address)),
      (address, value) => {
        selected.set(address, value);
        wires.write(address, value);
      },
    );
    const found = await findBuses(lab);
    expect(found).toEqual({ pulledUp: [4, 21, 22], buses: [{ sda: 22, scl: 21, addresses: [0x76] }] });
    expect(titles.at(-1)).toBe(`GPIO: release ${busCandidates(esp32).length} pins`);
  });

  it.each([
    ['its result', () => 0],
    [
      'cancelled',
      () => {
        throw new LabError('cancelled');
      },
    ],
  ])('throws the error of a failed release instead of %s', async (_instead, levels) => {
    let isRead = false;
    const { lab } = fakeLab(
      esp32,
      () => {
        isRead = true;
        return levels();
      },
      () => {
        if (isRead) {
          throw new LabError('stopped-answering');
        }
      },
    );
    await expect(findBuses(lab)).rejects.toMatchObject({ code: 'stopped-answering' });
  });

  it('leaves pins alone that need a warning', () => {
    expect(busCandidates(esp32).filter((pin) => [0, 1, 2, 5, 6, 12, 15, 16, 34].includes(pin))).toEqual([]);
  });
});
