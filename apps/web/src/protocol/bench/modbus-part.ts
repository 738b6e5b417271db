/** Search for the devices on a Modbus line and polling of their registers, between page and worker. All values can be cloned. */
import type { PortNumber } from '@wirebench/serial';
import type {
  ModbusSearchOptions,
  ModbusSearchReport,
  PollChoice,
  PollProgress,
  SearchProgress,
} from '@wirebench/serial/modbus-search';
import { type BenchPart, portFact } from './fact.ts';

/** Calls for the devices on a Modbus line. */
export interface ModbusCalls {
  /**
   * Looks for devices on an open port that is not shared, and restores its settings. Rejects if it cannot begin. The tick
   * contains the progress. The ticket stops the search.
   */
  searchModbus(port: PortNumber, options: ModbusSearchOptions, ticket: number): ModbusSearchReport;
  /**
   * Polls registers of an open port from now on, or changes what is polled; null: no more. Rejects if it cannot begin. The tick
   * contains the progress. It ends with the port.
   */
  pollModbus(port: PortNumber, choice: PollChoice | null): void;
}

export const modbusPart = {
  quiet: [],
  facts: {
    /** Progress of the search on each port; null without one. */
    modbusSearches: portFact<SearchProgress | null>(null),
    /** Progress of polling on each port, and its end; null without it. */
    modbusPolls: portFact<PollProgress | null>(null),
  },
} satisfies BenchPart<ModbusCalls>;
