import { modelName } from '@wirebench/boards';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BoardFacts,
  type BuildGuards,
  buildName,
  chipsOf,
  chooseBuild,
  type ReleaseBuild,
  versionFor,
} from './release-build.ts';

const MIB = 1_048_576;

const build = (deviceModel: string, guards: BuildGuards = {}, deviceFamily = 'esp'): ReleaseBuild => ({
  deviceFamily,
  deviceModel,
  guards,
});
const s3: BoardFacts = {
  family: 'esp',
  model: 'esp32s3',
  flashSize: 8 * MIB,
  psram: null,
  revision: 2,
  connection: 'usb',
};

/** Returns the chosen build, or the reason of the refusal. */
function chosen(builds: readonly ReleaseBuild[], board: BoardFacts) {
  const choice = chooseBuild(builds, board);
  return choice.kind === 'chosen' ? choice.build : choice.reason;
}

function sentenceOf(builds: readonly ReleaseBuild[], board: BoardFacts): string {
  const choice = chooseBuild(builds, board);
  return choice.kind === 'refused' ? choice.sentence : 'chosen';
}

describe('versions of a release for a board', () => {
  const version = (number: string, builds: readonly ReleaseBuild[], channel?: 'beta') => ({
    number,
    builds,
    ...(channel !== undefined && { channel }),
  });

  it('offer the newest one with a build for it, before a beta version', () => {
    const versions = [
      version('2.0.0', [build('esp32')]),
      version('1.6.0', [build('esp32s3')], 'beta'),
      version('1.5.0', [build('esp32c3'), build('esp32s3')]),
      version('1.4.0', [build('esp32s3')]),
    ];
    expect(versionFor(versions, s3)?.number).toBe('1.5.0');
    expect(versionFor(versions.slice(0, 2), s3)?.number).toBe('1.6.0');
  });

  it('offer none whose conditions the board does not meet', () => {
    expect(versionFor([version('1.0.0', [build('esp32s3', { flashSize: 16 * MIB })])], s3)).toBeNull();
    expect(versionFor([version('1.0.0', [])], s3)).toBeNull();
  });
});

describe('choice of a build', () => {
  it('takes the build of the board’s chip', () => {
    const builds = [build('esp32'), build('esp32c3'), build('esp32s3')];
    expect(chosen(builds, s3)).toBe(builds[2]);
    expect(chosen(builds, { ...s3, model: 'esp32c3' })).toBe(builds[1]);
    expect(chosen(builds, { ...s3, model: 'esp32' })).toBe(builds[0]);
  });

  it('refuses a chip without a build and names those with one', () => {
    expect(sentenceOf([build('esp32'), build('esp32c3'), build('esp8266')], { ...s3, model: 'esp32h2' })).toBe(
      'This board is an ESP32-H2, but the release is for ESP32, ESP32-C3 and ESP8266.',
    );
    expect(chosen([build('esp32')], s3)).toBe('no-chip');
    expect(chosen([build('stm32f', {}, 'stm')], s3)).toBe('no-chip');
  });

  it('takes the build with the most demanding conditions among those that fit', () => {
    const plain = build('esp32s3');
    const small = build('esp32s3', { flashSize: 4 * MIB });
    const large = build('esp32s3', { flashSize: 8 * MIB });
    const largest = build('esp32s3', { flashSize: 16 * MIB });
    const builds = [largest, plain, small, large];
    expect(chosen(builds, s3)).toBe(large);
    expect(chosen(builds, { ...s3, flashSize: 32 * MIB })).toBe(largest);
    expect(chosen(builds, { ...s3, flashSize: 2 * MIB })).toBe(plain);
  });

  it('tells USB from a bridge', () => {
    const usb = build('esp32s3', { connection: 'usb' });
    const uart = build('esp32s3', { connection: 'uart' });
    expect(chosen([usb, uart], s3)).toBe(usb);
    expect(chosen([usb, uart], { ...s3, connection: 'uart' })).toBe(uart);
    expect(chosen([build('esp32s3'), uart], s3)).toEqual(build('esp32s3'));
  });

  it.each<[string, BuildGuards, string, string]>([
    [
      'flash',
      { flashSize: 16 * MIB },
      'flash-size',
      'This ESP32-S3 has 8 MB of flash, but the release is for ESP32-S3 with 16 MB of flash or more.',
    ],
    ['PSRAM', { psram: true }, 'psram', 'This ESP32-S3 has no PSRAM, but the release is for ESP32-S3 with PSRAM.'],
    [
      'the revision',
      { minRevision: 100 },
      'revision',
      'This ESP32-S3 has revision v0.2, but the release is for ESP32-S3 with revision v1.0 or later.',
    ],
    [
      'the connection',
      { connection: 'uart' },
      'connection',
      'This ESP32-S3 is connected over its own USB, but the release is for ESP32-S3 with a USB-UART bridge.',
    ],
  ])('refuses a board because of %s', (_, guards, reason, sentence) => {
    const board = { ...s3, psram: false };
    expect(chosen([build('esp32s3', guards)], board)).toBe(reason);
    expect(sentenceOf([build('esp32s3', guards)], board)).toBe(sentence);
    expect(chooseBuild([build('esp32s3', guards)], board)).toMatchObject({ candidates: [] });
  });

  it('prefers the build without a condition that the board did not report', () => {
    const [plain, psram] = [build('esp32s3'), build('esp32s3', { psram: true })];
    expect(chooseBuild([psram, plain], s3)).toEqual({ kind: 'chosen', build: plain, undecided: [psram] });
    expect(chooseBuild([psram, plain], { ...s3, psram: true })).toEqual({
      kind: 'chosen',
      build: psram,
      undecided: [],
    });
  });

  it('lets a person choose where only the unreported property decides', () => {
    const builds = [build('esp32s3', { psram: true }), build('esp32s3', { psram: false })];
    expect(chooseBuild(builds, s3)).toEqual({
      kind: 'refused',
      reason: 'psram',
      sentence:
        'This ESP32-S3 does not report if it has PSRAM, but the release is for ESP32-S3 with PSRAM or no PSRAM.',
      candidates: builds,
    });
  });

  it('refuses to choose between builds that ask for different things', () => {
    const builds = [build('esp32s3', { flashSize: 8 * MIB }), build('esp32s3', { connection: 'usb' })];
    expect(chooseBuild(builds, s3)).toMatchObject({ reason: 'ambiguous', candidates: builds });
    expect(sentenceOf([build('esp32s3'), build('esp32s3')], s3)).toBe(
      'The release has 2 builds for ESP32-S3, which nothing tells apart: choose one of them.',
    );
  });

  it('takes a build for a series, and prefers that for the part', () => {
    const board: BoardFacts = { family: 'stm', model: 'stm32f4' };
    const [series, part] = [build('stm32f', {}, 'stm'), build('stm32f4', {}, 'stm')];
    expect(chosen([build('stm32g', {}, 'stm'), series], board)).toBe(series);
    expect(chosen([series, part], board)).toBe(part);
    expect(chosen([build('esp32')], s3)).toBe('no-chip');
  });

  it('takes the build of an Arduino board by its chip, which is all that its bootloader tells', () => {
    const board: BoardFacts = { family: 'avr', model: 'atmega328p' };
    const [uno, mega, chip, series] = ['uno', 'mega2560', 'atmega328p', 'atmega328'].map((model) =>
      build(model, {}, 'avr'),
    ) as [ReleaseBuild, ReleaseBuild, ReleaseBuild, ReleaseBuild];
    expect(chosen([mega, uno], board)).toBe(uno);
    expect(chosen([mega, chip], board)).toBe(chip);
    expect(chosen([series, chip], board)).toBe(chip);
    expect(chosen([mega, series], { ...board, model: 'atmega328pb' })).toBe(series);
    expect(sentenceOf([mega], board)).toBe('This board is an ATmega328P, but the release is for Arduino Mega 2560.');
    expect(chosen([build('uno', {}, 'esp')], board)).toBe('no-chip');
  });

  it('lets a person choose between builds for boards with the same chip', () => {
    const builds = [build('uno', {}, 'avr'), build('nano', {}, 'avr')];
    expect(chooseBuild(builds, { family: 'avr', model: 'atmega328p' })).toMatchObject({
      reason: 'ambiguous',
      sentence: 'This ATmega328P fits 2 builds of the release: choose the one for Arduino Uno or Arduino Nano.',
      candidates: builds,
    });
  });

  it('takes the only chip’s build for a bootloader that does not report its chip', () => {
    const board: BoardFacts = { family: 'nrf', model: null };
    const builds = [build('nrf52832', {}, 'nrf'), build('nrf52840', {}, 'nrf')];
    expect(chosen(builds.slice(0, 1), board)).toBe(builds[0]);
    expect(chooseBuild(builds, board)).toEqual({
      kind: 'refused',
      reason: 'ambiguous',
      sentence:
        'The bootloader of this board does not report its chip, and the release has builds for nRF52832 and nRF52840: choose the one that is printed on the chip.',
      candidates: builds,
    });
  });

  it('lets a person choose where the bootloader reports no more than the series', () => {
    const board: BoardFacts = { family: 'stm', model: 'stm32f' };
    const [f2, f4, g0] = ['stm32f2', 'stm32f4', 'stm32g0'].map((model) => build(model, {}, 'stm'));
    expect(
      chosen(
        [f4, g0].flatMap((one) => one ?? []),
        board,
      ),
    ).toBe(f4);
    expect(
      sentenceOf(
        [f2, f4].flatMap((one) => one ?? []),
        board,
      ),
    ).toBe(
      'The bootloader of this board does not report more of its chip than STM32F, and the release has builds for STM32F2 and STM32F4: choose the one that is printed on the chip.',
    );
  });

  it('never chooses a build whose conditions the board does not meet, in any order of the builds', () => {
    const guards = fc.record(
      {
        flashSize: fc.constantFrom(4 * MIB, 8 * MIB, 16 * MIB),
        psram: fc.boolean(),
        minRevision: fc.constantFrom(0, 1, 100),
        connection: fc.constantFrom<('usb' | 'uart')[]>('usb', 'uart'),
      },
      { requiredKeys: [] },
    );
    const builds = fc.array(fc.record({ model: fc.constantFrom('esp32', 'esp32s3'), guards }), { maxLength: 6 });
    fc.assert(
      fc.property(builds, fc.boolean(), (given, psram) => {
        const all = given.map(({ model, guards: conditions }) => build(model, conditions));
        const board = { ...s3, psram };
        const choice = chooseBuild(all, board);
        const reversed = chooseBuild(all.toReversed(), board);
        expect(reversed.kind).toBe(choice.kind);
        if (choice.kind === 'chosen' && reversed.kind === 'chosen') {
          expect(reversed.build).toBe(choice.build);
          const { deviceModel, guards: met } = choice.build;
          expect(deviceModel).toBe('esp32s3');
          expect(met.flashSize ?? 0).toBeLessThanOrEqual(8 * MIB);
          expect(met.minRevision ?? 0).toBeLessThanOrEqual(2);
          expect([met.psram ?? psram, met.connection ?? 'usb']).toEqual([psram, 'usb']);
        }
      }),
    );
  });
});

describe('names', () => {
  it.each([
    ['esp32s3', 'ESP32-S3'],
    ['esp8266', 'ESP8266'],
    ['esp32c61', 'ESP32-C61'],
    ['stm32f', 'STM32F'],
    ['nrf52840', 'nRF52840'],
    ['mega2560', 'Arduino Mega 2560'],
    ['atmega328pb', 'ATmega328PB'],
    ['toString', 'TOSTRING'],
  ])('%s is written as its vendor writes it', (model, name) => expect(modelName(model)).toBe(name));

  it('each chip is named once', () => {
    expect(chipsOf([build('esp32'), build('esp32', { psram: true }), build('esp32c3')])).toEqual(['ESP32', 'ESP32-C3']);
  });

  it('a build is named with its conditions', () => {
    const guards = { flashSize: 8 * MIB, psram: true, minRevision: 301, connection: 'usb' } as const;
    expect(buildName(build('esp32s3', guards))).toBe(
      'ESP32-S3 with 8 MB of flash or more, PSRAM, revision v3.1 or later and a connection over its own USB',
    );
  });
});
