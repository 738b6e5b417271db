/** Search for the devices on a Modbus line, between page and worker. All values can be cloned. */
import type { PortNumber } from '@wirebench/serial';
import type { ModbusSearchOptions, ModbusSearchReport, SearchProgress } from '@wirebench/serial/modbus-search';
import { type BenchPart, portFact } from './fact.ts';

/** Calls for the devices on a Modbus line. */
export interface ModbusCalls {
  /**
   * Looks for devices on an open port that is not shared, and restores its settings. Rejects if it cannot begin. The tick
   * contains the progress. The ticket stops the search.
   */
  searchModbus(port: PortNumber, options: ModbusSearchOptions, ticket: number): ModbusSearchReport;
}

export const modbusPart = {
  quiet: [],
  facts: {
    /** Progress of the search on each port; null without one. */
    modbusSearches: portFact<SearchProgress | null>(null),
  },
} satisfies BenchPart<ModbusCalls>;
