/** Describes a crash in rows and as text to copy: its addresses in order, with their names. */
import type { AddressRole, PanicAddress, PanicSeverity } from '../panic/panic-mark.ts';
import { starvedTitle } from '../panic/task-watchdog.ts';
import type { Frame } from '../symbol-file.ts';
import type { Incident, IncidentLine } from './incident.ts';
import type { DecodedPlace } from './program-files.ts';

/** A row of the inspector: an address and its symbol, if known. */
export interface AddressRow {
  readonly address: PanicAddress;
  /** `PC`, `Caller 2`, `Stack`. */
  readonly label: string;
  /** Processor core of the address. Undefined if the log reports only one core. */
  readonly core?: number;
  readonly place: DecodedPlace | null;
}

/** Registers and stack words are often not code addresses. They are shown only if a file resolves them. */
const needsFile = new Set<AddressRole>(['register', 'stack']);

const isCaller = (role: AddressRole) => role === 'frame' || role === 'call';

/** An address of an incident. */
export interface CrashAddress extends PanicAddress {
  /** Processor core of the address. Undefined if the log reports only one core. */
  readonly core?: number;
}

/**
 * Returns the addresses of an incident in the order of the log, each once per core. A recursive caller may occur
 * twice.
 */
export function addressesOf({ lines }: Pick<Incident, 'lines'>): readonly CrashAddress[] {
  const seen = new Set<string>();
  const hasCores =
    new Set(lines.flatMap(({ core, addresses }) => (addresses.length === 0 ? [] : (core ?? [])))).size > 1;
  return lines
    .flatMap(({ addresses, core }) =>
      addresses.map((address) => (hasCores && core !== undefined ? { ...address, core } : address)),
    )
    .filter(({ value, role, core }: CrashAddress) => {
      const key = `${core} ${value}`;
      const known = seen.has(key);
      seen.add(key);
      return isCaller(role) || !known;
    });
}

/** @param places Symbol for each of `addresses`. Empty while unknown. */
export function addressRows(
  addresses: readonly CrashAddress[],
  places: readonly (DecodedPlace | null)[],
): { readonly rows: readonly AddressRow[]; readonly hidden: number } {
  let caller = 0;
  const all = addresses.map((address, index): AddressRow => {
    const { core } = address;
    // Callers are counted per core, from one.
    caller = core === addresses[index - 1]?.core ? caller : 0;
    caller += isCaller(address.role) ? 1 : 0;
    const label = address.label ?? roleText(address.role, caller);
    return { address, label, ...(core !== undefined && { core }), place: places[index] ?? null };
  });
  const rows = all.filter(({ address, place }) => place !== null || !needsFile.has(address.role));
  return { rows, hidden: all.length - rows.length };
}

function roleText(role: AddressRole, caller: number): string {
  switch (role) {
    case 'exact':
      return 'At';
    case 'frame':
    case 'call':
      return `Caller ${caller}`;
    case 'return':
      return 'Return';
    case 'register':
      return 'Register';
    case 'stack':
      return 'Stack';
  }
}

export const functionText = ({ name }: Frame): string => name ?? '??';

/** Formats a place like addr2line, `main.c:42`, with its folders. */
export const placeText = ({ file, line }: Frame): string => `${file ?? '??'}:${line ?? '?'}`;

/** Formats an address like addr2line: eight digits in lower case. */
const addr2lineAddress = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`;

/** Formats an address like `addr2line -apfi`. */
export function rowText({ address, place }: AddressRow): string {
  const frames = place?.frames ?? [{}];
  return frames
    .map((frame, index) => {
      const text = `${functionText(frame)} at ${placeText(frame)}`;
      return index === 0 ? `${addr2lineAddress(address.value)}: ${text}` : ` (inlined by) ${text}`;
    })
    .join('\n');
}

/** Formats addresses like `addr2line -apfi`, under the core that they are of. */
export const rowTexts = (rows: readonly AddressRow[]): readonly string[] =>
  rows.flatMap((row, index) => {
    const isOther = row.core !== undefined && row.core !== rows[index - 1]?.core;
    return isOther ? [`CPU ${row.core}:`, rowText(row)] : [rowText(row)];
  });

/** Returns a text for a bug report: the event, the reason of the restart, and the places. */
export function incidentText(incident: Incident, rows: readonly AddressRow[]): string {
  const reset = resetOf(incident);
  return [
    titleOf(incident),
    ...(reset === null ? [] : [`${reset.text}\n${reset.sentence ?? ''}`.trim()]),
    ...(incident.hash === null ? [] : [`ELF file SHA256: ${incident.hash}`]),
    ...missingIn(incident).map(({ missing }) => missing),
    ...rowTexts(rows),
    '',
  ].join('\n');
}

const ranks = { fault: 2, warning: 1, notice: 0 } satisfies Record<PanicSeverity, number>;

/**
 * Returns the tasks that did not reset their watchdog in time, else the first sentence about the worst line. A
 * sentence that fits every crash of its kind is used last.
 */
export function titleOf({ lines, severity }: Incident): string {
  const starved = lines.flatMap((line) => line.starved ?? []);
  if (starved.length > 0) {
    return `${starvedTitle(starved)}.`;
  }
  const said = lines.filter(({ sentence }) => sentence !== undefined);
  const worst = said.filter((line) => ranks[line.severity] === ranks[severity]);
  const [first] = [...worst.filter(({ isGeneral }) => isGeneral !== true), ...worst, ...said];
  return first?.sentence ?? lines[0]?.text ?? '';
}

/** Returns the lines at which a part of the report may be missing, each sentence once. */
export function missingIn({
  lines,
}: Pick<Incident, 'lines'>): readonly (IncidentLine & { readonly missing: string })[] {
  const seen = new Set<string>();
  return lines.flatMap((line) => {
    const { missing } = line;
    if (missing === undefined || seen.has(missing)) {
      return [];
    }
    seen.add(missing);
    return [{ ...line, missing }];
  });
}

/** Returns the line with the reason of the restart, if it belongs to the incident. */
export function resetOf({ lines }: Incident): IncidentLine | null {
  return lines.find(({ kind }) => kind === 'reset') ?? null;
}
