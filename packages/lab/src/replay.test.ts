import { encodeFrame, memBeginRequest, memDataRequest, memEndRequest } from '@wirebench/flasher/esp/rom';
import { describe, expect, it } from 'vitest';
import type { LabChip } from './chips/lab-chip.ts';
import { labChip } from './chips/lab-chips.ts';
import { adcSample, adcUp } from './instruments/adc.ts';
import { i2cProbe, i2cProbeSetup, i2cUp } from './instruments/i2c.ts';
import { inputPin, outputPin, releasePin } from './instruments/pins.ts';
import { pwmOn } from './instruments/pwm.ts';
import { readRegisters } from './instruments/registers.ts';
import { spiTransfer, spiUp } from './instruments/spi.ts';
import { uartReceive, uartSend, uartState, uartUp } from './instruments/uart-bridge.ts';
import { entry, type Macro, setting } from './macro.ts';
import { policyOf } from './policy/policy.ts';
import { wireSteps } from './runner/wire-steps.ts';
import { i2cReadRegister, i2cWriteRegister, setLevel } from './testing/instruments.ts';
import { recording, unescaped } from './testing/recording.ts';

type Macros = readonly (Macro<unknown> | Uint8Array)[];

/**
 * Returns the frames that macros send and their results for the recorded words, in order. Frames that are not macros
 * are passed through.
 */
function replayed(name: string, macrosOf: (chip: LabChip) => Macros) {
  const recorded = recording(name);
  const chip = labChip(recorded.chip);
  const policy = policyOf(chip);
  const sent: string[] = [];
  const values: unknown[] = [];
  let at = 0;
  for (const macro of macrosOf(chip)) {
    if (macro instanceof Uint8Array) {
      sent.push(Buffer.from(macro).toString('hex'));
      continue;
    }
    // The sessions were recorded with delays in the ROM's own units.
    const requests = wireSteps(macro.steps, policy, { ...chip.limits, delayUnit: 1 }).flatMap((step) =>
      step.kind === 'requests' ? step.requests : [step.request],
    );
    sent.push(...requests.map(({ request }) => Buffer.from(request.frame).toString('hex')));
    const count = requests.filter(({ entries }) => entries === null).length;
    values.push(macro.value(recorded.words.slice(at, at + count)));
    at += count;
  }
  expect(sent).toEqual(recorded.sent);
  return values;
}

const chips = ['esp32', 'esp32c3'] as const;

describe.each(chips)('the recording from %s', (name) => {
  const isC3 = name === 'esp32c3';
  const busPins = isC3 ? { sda: 4, scl: 5 } : { sda: 21, scl: 22 };
  const bus = { ...busPins, clock: 100_000 };

  it('matches the commands of pins', () => {
    const pin = isC3 ? 10 : 4;
    const values = replayed(`${name}-gpio`, (chip) => {
      const [bank] = chip.gpio.banks;
      const read = (address = 0) => readRegisters(chip, [address]);
      return [
        inputPin(chip, pin, 'up'),
        read(bank?.input),
        read(bank?.input),
        read(bank?.input),
        outputPin(chip, pin, { high: true }),
        read(bank?.input),
        setLevel(chip, pin, false),
        read(bank?.input),
        releasePin(chip, pin),
        read(bank?.enable),
      ];
    });
    const levels = values.map((words) => (Array.isArray(words) ? (words[0] >>> pin) & 1 : null));
    expect(levels).toEqual([null, 1, 0, 1, null, 1, null, 0, null, 0]);
  });

  it('matches the commands of an I2C scan', () => {
    const addresses = Array.from({ length: 0x70 }, (_, index) => 8 + index);
    const values = replayed(`${name}-i2c-scan`, (chip) => [
      i2cUp(chip, bus),
      i2cProbeSetup(chip),
      ...addresses.map((address) => i2cProbe(chip, address)),
    ]);
    expect(addresses.filter((_, index) => values[index + 2] === 'present')).toEqual([0x48]);
    expect(values.filter((value) => value === 'absent')).toHaveLength(0x6f);
  });

  it('matches the register reads and writes of a thermometer on I2C', () => {
    const at = (register: number, address = 0x48) => ({ address, register, clock: 100_000 });
    const values = replayed(`${name}-i2c-tmp105`, (chip) => [
      i2cUp(chip, bus),
      i2cReadRegister(chip, at(0), 2),
      i2cWriteRegister(chip, at(1), Uint8Array.of(0x60)),
      i2cReadRegister(chip, at(1), 1),
      i2cReadRegister(chip, at(0), 2),
      i2cReadRegister(chip, at(0, 0x49), 2),
    ]);
    expect(values).toEqual([
      undefined,
      { answer: 'present', read: Uint8Array.of(0x19, 0x00) },
      { answer: 'present', read: new Uint8Array() },
      { answer: 'present', read: Uint8Array.of(0x60) },
      { answer: 'present', read: Uint8Array.of(0xf5, 0xf0) },
      { answer: 'absent', read: new Uint8Array() },
    ]);
  });

  it('matches the commands of the ADC', () => {
    const pin = isC3 ? 3 : 34;
    const values = replayed(`${name}-adc`, (chip) => [
      adcUp(chip, pin),
      adcSample(chip, pin),
      adcSample(chip, pin),
      adcSample(chip, pin),
    ]);
    expect(values.slice(1)).toMatchObject([{ raw: 1234 }, { raw: 4095 }, { raw: 7 }]);
  });

  it('matches the commands of PWM', () => {
    const pin = isC3 ? 10 : 18;
    replayed(`${name}-pwm`, (chip) => [
      pwmOn(chip, { pin, frequency: 1000, duty: 0.25 }),
      readRegisters(chip, [chip.ledc.timer]),
      readRegisters(chip, [chip.gpio.outputSelect + 4 * pin]),
      pwmOn(chip, { pin, frequency: 1000, duty: 0.75 }),
    ]);
  });

  it('matches the commands of the UART bridge', () => {
    const pins = isC3 ? { tx: 6, rx: 7 } : { tx: 25, rx: 26 };
    const values = replayed(`${name}-uart1`, (chip) => [
      uartUp(chip, { ...pins, baudRate: 115_200 }),
      uartSend(chip, Buffer.from('Hello from a bare ROM\r\n')),
      uartState(chip),
      uartReceive(chip, 23),
      uartState(chip),
      uartSend(chip, Buffer.from('xy')),
      uartState(chip),
    ]);
    expect(Buffer.from(values[3] as Uint8Array).toString('latin1')).toBe('reply 0123456789 \xc0\xdb end');
    expect(values[4]).toEqual({ received: 8, unsent: 0 });
    expect(values[6]).toEqual({ received: 6, unsent: 0 });
  });

  it('matches the commands of lists of any length', () => {
    const ram = isC3 ? 0x3fc9_0000 : 0x3ffb_0000;
    const fill = (count: number) =>
      setting(
        '',
        Array.from({ length: count }, (_, index) => entry(ram + 4 * index, 0xa500_0000 + index)),
      );
    const read = (chip: LabChip, ...offsets: readonly number[]) =>
      readRegisters(
        chip,
        offsets.map((at) => ram + at),
      );
    replayed(`${name}-list`, (chip) => [
      fill(2),
      read(chip, 0, 4),
      fill(64),
      read(chip, 0, 0xfc),
      fill(384),
      read(chip, 0, 0x5fc),
      ...masked(ram).map((entries) => (entries === null ? read(chip, 0) : setting('', entries))),
      read(chip, 0x20, 0x24, 0x28, 0x2c, 0x30, 0x34, 0x38, 0x3c),
    ]);
  });

  it('matches the loading of a program into RAM, and the program’s answers', () => {
    const { sent } = recording(`${name}-ram`);
    const [, begin = '', block = '', end = '', , ...own] = sent.map(unescaped);
    const word = (frame: string, index: number) => Buffer.from(frame, 'hex').readUInt32LE(8 + 4 * index);
    const bytes = Buffer.from(block, 'hex').subarray(24);
    replayed(`${name}-ram`, (chip) => [
      i2cUp(chip, bus),
      memBeginRequest({ size: bytes.length, blocks: 1, blockSize: 0x1800, address: word(begin, 3) }).frame,
      memDataRequest(0, bytes).frame,
      memEndRequest(word(end, 1)).frame,
      readRegisters(chip, [0x4000_1000]),
      ...own.map((frame) => {
        const [, op = 0, ...rest] = Buffer.from(frame, 'hex');
        const data = Uint8Array.from(rest.slice(6));
        return encodeFrame(Uint8Array.of(0, op, data.length & 0xff, data.length >>> 8, 0, 0, 0, 0), data);
      }),
    ]);
  });
});

/** Lists of the recording about masks and delays; null is a read. */
function masked(ram: number): (ReturnType<typeof entry>[] | null)[] {
  return [
    [entry(ram, 0xffff_ffff), entry(ram, 0, { mask: 0xff00 })],
    null,
    [entry(ram, 1), entry(ram, 2, { delay: 20_000 })],
    [],
  ];
}

it('the recording from esp32 matches the commands of SPI', () => {
  const values = replayed('esp32-spi2', (chip) => [
    spiUp(chip, { clk: 14, mosi: 13, miso: 12, cs: 15 }),
    spiTransfer(chip, { bytes: Uint8Array.of(0x9f, 0, 0, 0), clock: 1_000_000, mode: 0 }),
  ]);
  expect(values[1]).toEqual({ finished: true, bytes: Uint8Array.of(0x00, 0xef, 0x30, 0x15) });
});
