/** STM32 models in releases, which are named by the letter of the series. */
import type { OwnChips } from '../../images/formats/image-format.ts';
import type { StmFamilyName } from './families.ts';

const stmModels = ['stm32f', 'stm32g', 'stm32h', 'stm32l', 'stm32w'] as const;

export type StmModel = (typeof stmModels)[number];

/** Returns the model of a family. Both families of wireless parts are `stm32w`. */
export function modelOf(family: StmFamilyName): StmModel | null {
  const letter = family.charAt(0).toLowerCase();
  return stmModels.find((model) => model.endsWith(letter)) ?? null;
}

export function isStmModel(text: string): text is StmModel {
  return stmModels.some((model) => model === text);
}

/** Selects the STM32 parts of a file that names its target chips. */
export const stmChips: OwnChips = { includes: (family) => family.startsWith('STM32') };
