/** The families of chips that there are. A new one is a line in each of these, and a room in `host/` and in `features/`. */
import type { EspTypes } from './host/esp/esp-types.ts';
import type { NrfTypes } from './host/nrf/nrf-types.ts';
import type { StmTypes } from './host/stm/stm-types.ts';

export type AnyFamily = EspTypes | StmTypes | NrfTypes;

export type ConnectedBoard = AnyFamily['board'];
export type OwnSettings = AnyFamily['settings'];
export type Deed = AnyFamily['deed'];
