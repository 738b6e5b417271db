import type { StmConnectStep } from '../stm-board.ts';

/** Words for each step of a connection to an STM32, without full stop. The last step needs none: the board is known then. */
export const stmStepText = {
  opening: 'Opening the port',
  resetting: 'Resetting the board into its bootloader',
  synchronising: 'Waiting for the bootloader to answer',
  identifying: 'Identifying the part',
} satisfies Record<Exclude<StmConnectStep, 'ready'>, string>;
