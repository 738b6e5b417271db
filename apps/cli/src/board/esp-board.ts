/** Boards of Espressif's family, for commands on what no other family has. */
import { families } from '@wirebench/boards';
import { loadFamily } from '@wirebench/flasher/callers';
import type { EspTypes } from '@wirebench/flasher/esp';
import type { Family, FamilyBoard } from '@wirebench/flasher/family';
import { CommandError, exitCodes } from '../exit-code.ts';
import { type BoardRun, onBoard } from './board-run.ts';

/** A board in its bootloader, and its family for plans and failures. */
export interface ConnectedEsp {
  readonly family: Family;
  readonly board: FamilyBoard<EspTypes>;
}

/**
 * Connects an Espressif board, works on it and starts its program again, as `onBoard` does.
 *
 * @param subject Names what other boards lack: `NVS`.
 * @throws CommandError for a port that belongs to a board of another family.
 */
export async function onEspBoard<Result>(run: BoardRun, subject: string, act: (esp: ConnectedEsp) => Promise<Result>) {
  const { family: ofPort } = run.target;
  if (ofPort !== null && ofPort !== 'esp') {
    throw new CommandError(
      exitCodes.refused,
      `only Espressif boards have ${subject}: ${run.target.given.path} is a board of another family, ${families[ofPort].name}.`,
    );
  }
  const family = await loadFamily('esp');
  // The family of Espressif supplies its own facts and actions.
  return onBoard(run, family, (board) => act({ family, board: board as FamilyBoard<EspTypes> }));
}
