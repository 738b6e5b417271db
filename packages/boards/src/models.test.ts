import { describe, expect, it } from 'vitest';
import { families, familyIds } from './families.ts';
import { isFamilyId } from './family-id.ts';
import {
  boardsOf,
  chipOf,
  familyOf,
  furtherChipsOf,
  furtherModelsOf,
  modelName,
  modelsOf,
  specifiedModels,
  specifiedModelsOf,
} from './models.ts';

const allModels = familyIds.flatMap((family) => [...modelsOf(family)]);

describe('families', () => {
  it('keep their stored ids and their order', () => {
    expect(familyIds).toEqual(['esp', 'stm', 'nrf', 'avr', 'rp']);
  });

  it('have a name, a page and a list of chips each', () => {
    for (const key of ['name', 'page', 'models'] as const) {
      expect(new Set(familyIds.map((family) => families[family][key])).size).toBe(familyIds.length);
    }
  });

  it('are recognised by their ids only', () => {
    expect(familyIds.every(isFamilyId)).toBe(true);
    expect(['toString', 'espressif', 'ESP', '', null, 0].filter(isFamilyId)).toEqual([]);
  });
});

describe('models', () => {
  it('begin with the specified ones of each family, in their order', () => {
    expect(modelsOf('esp').slice(0, 5)).toEqual(specifiedModels.esp);
    expect(modelsOf('stm').slice(0, 5)).toEqual(specifiedModels.stm);
    expect(specifiedModelsOf('nrf')).toEqual([]);
  });

  it('are unique, have a name each, and belong to one family', () => {
    expect(new Set(allModels).size).toBe(allModels.length);
    expect(new Set(allModels.map(modelName)).size).toBe(allModels.length);
    for (const family of familyIds) {
      expect(modelsOf(family).map(familyOf)).toEqual(modelsOf(family).map(() => family));
    }
    expect(familyOf('toString')).toBeNull();
  });

  it('consist of the family’s specified ones, its boards and its further chips', () => {
    for (const family of familyIds) {
      expect(furtherModelsOf(family)).toEqual([...boardsOf(family), ...furtherChipsOf(family)]);
      expect(modelsOf(family)).toEqual([...specifiedModelsOf(family), ...furtherModelsOf(family)]);
    }
    expect(boardsOf('esp')).toEqual([]);
    expect(boardsOf('avr')).toContain('mega2560');
  });

  it.each([
    ['esp32', 'ESP32'],
    ['esp32s3', 'ESP32-S3'],
    ['ESP32C61', 'ESP32-C61'],
    ['esp8266', 'ESP8266'],
    ['stm32f', 'STM32F'],
    ['stm32wb', 'STM32WB'],
    ['nrf52840', 'nRF52840'],
    ['nrf54l15', 'nRF54L15'],
    ['atmega328pb', 'ATmega328PB'],
    ['mega2560', 'Arduino Mega 2560'],
    ['promicro', 'Pro Micro'],
    ['toString', 'TOSTRING'],
  ])('%s is written as its vendor writes it', (model, name) => expect(modelName(model)).toBe(name));

  it('include a specified model that covers each STM32 series', () => {
    const uncovered = furtherModelsOf('stm').filter(
      (model) => !specifiedModels.stm.some((specified) => model.startsWith(specified)),
    );
    expect(uncovered).toEqual([]);
  });
});

describe('boards', () => {
  it('have a chip of their family', () => {
    for (const family of familyIds) {
      expect(boardsOf(family).filter((board) => familyOf(chipOf(board)) !== family)).toEqual([]);
    }
  });

  it('are read in any case, and other models are their own chip', () => {
    expect(['Uno', 'leonardo', 'ATmega8', 'toString'].map(chipOf)).toEqual([
      'atmega328p',
      'atmega32u4',
      'atmega8',
      'tostring',
    ]);
  });
});
