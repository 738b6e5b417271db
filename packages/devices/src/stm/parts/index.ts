/** All parts by their model names. */
import type { StmPartName } from '../options.ts';
import { stm32f072 } from './f072.ts';
import { stm32f103 } from './f103.ts';
import { stm32f407 } from './f407.ts';
import { stm32g071 } from './g071.ts';
import { stm32h743 } from './h743.ts';
import { stm32l053 } from './l053.ts';
import { stm32l476 } from './l476.ts';
import type { StmPart } from './part.ts';

export const parts = {
  stm32f072,
  stm32f103,
  stm32f407,
  stm32g071,
  stm32h743,
  stm32l053,
  stm32l476,
} satisfies Record<StmPartName, StmPart>;
