import { type FamilyId, familyIds } from '@wirebench/boards';
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { FlashError } from '../core/flash-failure.ts';
import type { ConnectOptions } from '../family.ts';
import { runOn } from '../testing/run-on.ts';
import { loadFamily } from './load-family.ts';

/** Longest time of an attempt without a person, in milliseconds. */
const LIMIT = 15_000;

async function attempt(id: FamilyId, info: SerialPortInfo): Promise<{ readonly code: string; readonly time: number }> {
  const clock = new VirtualClock();
  const family = await loadFamily(id);
  const device = new FakeSerialPort(info);
  const options: ConnectOptions<never> = {
    clock,
    signal: new AbortController().signal,
    settings: family.releaseSettings(false) as never,
    baudRate: null,
    byHand: false,
    expectedId: null,
    isDemo: false,
    bringsBack: true,
    personWait: 0,
    place: null,
    isSame: false,
    returned: () => new Promise(() => undefined),
    onStep: () => undefined,
  };
  const failure = await runOn(
    clock,
    family.connect(device, options).then(
      () => null,
      (error: unknown) => error,
    ),
  );
  return { code: failure instanceof FlashError ? failure.code : 'connected', time: clock.now() };
}

describe('a board that says nothing', () => {
  it.each(familyIds)('is given up within 15 s without a person, its reset included: %s', async (id) => {
    const { code, time } = await attempt(id, {});
    expect(['nothing-at-all', 'no-answer', 'not-in-bootsel']).toContain(code);
    expect(time).toBeLessThanOrEqual(LIMIT);
  });

  it('is given up in time on its own USB', async () => {
    const usb: readonly (readonly [FamilyId, number, number])[] = [
      ['esp', 0x303a, 0x1001],
      ['nrf', 0x239a, 0x8029],
      ['avr', 0x2341, 0x8036],
    ];
    for (const [id, usbVendorId, usbProductId] of usb) {
      const { code, time } = await attempt(id, { usbVendorId, usbProductId });
      expect(code).not.toBe('connected');
      expect(time, id).toBeLessThanOrEqual(LIMIT);
    }
  });
});
