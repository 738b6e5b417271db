/** STM32 as releases name it: by the letter of the series. */
import type { OwnChips } from '../../images/formats/image-format.ts';
import type { StmFamilyName } from './families.ts';

const stmModels = ['stm32f', 'stm32g', 'stm32h', 'stm32l', 'stm32w'] as const;

export type StmModel = (typeof stmModels)[number];

/** Both families of wireless parts are `stm32w`. */
export function modelOf(family: StmFamilyName): StmModel | null {
  const letter = family.charAt(0).toLowerCase();
  return stmModels.find((model) => model.endsWith(letter)) ?? null;
}

export function isStmModel(text: string): text is StmModel {
  return stmModels.some((model) => model === text);
}

/** Files that name the chip they are for are read for these. */
export const stmChips: OwnChips = { includes: (family) => family.startsWith('STM32') };
