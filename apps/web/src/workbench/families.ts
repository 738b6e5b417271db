/** Maps each family to the types of its boards, settings and actions. `@wirebench/boards` has its row. */
import type { FamilyId } from '@wirebench/boards';
import type { AvrTypes } from '../protocol/avr-types.ts';
import type { EspTypes } from '../protocol/esp-types.ts';
import type { NrfTypes } from '../protocol/nrf-types.ts';
import type { RpTypes } from '../protocol/rp-types.ts';
import type { StmTypes } from '../protocol/stm-types.ts';

/** Maps each family to its types of board, settings and action (`FamilyTypes`). */
interface TypesOf {
  readonly esp: EspTypes;
  readonly stm: StmTypes;
  readonly nrf: NrfTypes;
  readonly avr: AvrTypes;
  readonly rp: RpTypes;
}

export type AnyFamily = TypesOf[FamilyId];

export type ConnectedBoard = AnyFamily['board'];
export type OwnSettings = AnyFamily['settings'];
export type BoardAction = AnyFamily['action'];
