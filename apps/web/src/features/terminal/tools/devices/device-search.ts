/** Searches for Modbus devices that the page has started: at most one on a port. The last result is kept. */
import type { PortSettings } from '@wirebench/port';
import { type ByPort, byPort, type PortNumber } from '@wirebench/serial';
import {
  type ModbusSearchOptions,
  type ModbusSearchReport,
  searchedLines,
  usualSearch,
} from '@wirebench/serial/modbus-search';
import { pageStore } from '../../../../shared/page-store.ts';
import { searchModbus } from '../../../../workbench/bench-waits.ts';

type DeviceSearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly options: ModbusSearchOptions; readonly stop: () => void }
  | { readonly kind: 'ended'; readonly options: ModbusSearchOptions; readonly report: ModbusSearchReport }
  | { readonly kind: 'refused'; readonly message: string };

/** Choices of a person for the search on a port. */
export interface SearchChoice {
  readonly from: string;
  readonly to: string;
  /** Rates and parities that are tried beside those with which the port is open. */
  readonly rates: readonly number[];
  readonly parities: readonly ParityType[];
  readonly limit: number;
  readonly hasRegisters: boolean;
  readonly first: string;
  readonly last: string;
}

const firstChoice: SearchChoice = {
  from: String(usualSearch.units.from),
  to: String(usualSearch.units.to),
  rates: [],
  parities: [],
  limit: usualSearch.limit,
  hasRegisters: true,
  first: String(usualSearch.registers.from),
  last: String(usualSearch.registers.to),
};

interface PortSearch {
  readonly search: DeviceSearch;
  readonly choice: SearchChoice;
}

const searches = pageStore<ByPort<PortSearch>>(byPort(() => ({ search: { kind: 'none' }, choice: firstChoice })));

export const usePortSearch = (port: PortNumber): PortSearch => searches.use((all) => all[port]);

function change(port: PortNumber, changed: Partial<PortSearch>): void {
  searches.setState({ [port]: { ...searches.getState()[port], ...changed } });
}

export function choose(port: PortNumber, changed: Partial<SearchChoice>): void {
  change(port, { choice: { ...searches.getState()[port].choice, ...changed } });
}

/**
 * Returns the options of a choice: the settings with which the port is open come first.
 *
 * @param ignoresTraffic True: the line is asked although something else was heard on it.
 */
export function optionsOf(choice: SearchChoice, own: PortSettings, ignoresTraffic: boolean): ModbusSearchOptions {
  const { from, to, rates, parities, limit, hasRegisters, first, last } = choice;
  return {
    lines: searchedLines(own, rates, parities),
    units: { from: numberIn(from), to: numberIn(to) },
    limit,
    registers: hasRegisters ? { from: numberIn(first), to: numberIn(last) } : null,
    ignoresTraffic,
  };
}

const numberIn = (text: string): number => (/^\s*\d{1,6}\s*$/.test(text) ? Number(text) : Number.NaN);

/** Starts a search, unless one runs on the port. */
export async function startSearch(port: PortNumber, options: ModbusSearchOptions): Promise<void> {
  if (searches.getState()[port].search.kind === 'running') {
    return;
  }
  const stop = new AbortController();
  change(port, { search: { kind: 'running', options, stop: () => stop.abort() } });
  try {
    const report = await searchModbus(port, options, stop.signal);
    change(port, { search: { kind: 'ended', options, report } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    change(port, { search: stop.signal.aborted ? { kind: 'none' } : { kind: 'refused', message } });
  }
}
