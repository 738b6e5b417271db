/** Puts the registers that a search has read into the table of a Modbus decoder. Loaded when asked for. */
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder, type DecoderDraft, type DecoderRegister } from '@wirebench/contract/decoders';
import { isRecord, parseJson } from '@wirebench/contract/json';
import { registersOf } from '@wirebench/frames/register-table';
import type { PortNumber } from '@wirebench/serial';
import type { FoundDevice } from '@wirebench/serial/modbus-search';
import { count, counted } from '../../../../shared/format/numbers.ts';
import { offerUndo } from '../../../../shared/ui/offer-undo.ts';
import { toast } from '../../../../shared/ui/toast.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { keptFiles } from '../../../../workbench/decoders/decoder-files.ts';
import { isOwnDecoder, type OwnDecoderId } from '../../../../workbench/decoders/decoder-id.ts';
import { decoderText } from '../../../../workbench/decoders/decoder-text.ts';
import {
  changeKept,
  hasStep,
  type KeptDecoder,
  keepDecoder,
  keptDecoder,
  removeKept,
  titleOf,
} from '../../../../workbench/decoders/kept-decoders.ts';
import { namedFiles } from '../../../../workbench/decoders/own-decoders.ts';
import { askingPort, changeDecoder, terminalSettingsNow } from '../../settings/settings-store.ts';
import { showDecoder } from '../decoders/decoder-tool.ts';

type Register = NonNullable<DecoderDraft['registers']>[number];

/** Names as the log has them without a table: `holding.5` becomes `holding_5`. */
function foundIn(devices: readonly FoundDevice[]): readonly Register[] {
  const found = new Map<string, Register>();
  for (const { unit, tables } of devices) {
    for (const { table, ranges } of tables ?? []) {
      for (const { from, to } of ranges) {
        for (let address = from; address <= to; address++) {
          found.set(`${unit} ${table} ${address}`, {
            name: `${table}_${address}`,
            device: unit,
            ...(table !== 'holding' && { table }),
            address,
          });
        }
      }
    }
  }
  return [...found.values()];
}

/** Returns the places that entries of a table take: `7 holding 5`, `holding 5` for all devices. */
function placesOf(entries: readonly DecoderRegister[]): ReadonlySet<string> {
  const places = new Set<string>();
  for (const entry of entries) {
    const { device, table, address } = entry;
    for (let index = 0; index < registersOf(entry); index++) {
      places.add(`${device === undefined ? '' : `${device} `}${table} ${address + index}`);
    }
  }
  return places;
}

/**
 * Adds the registers that the table does not have yet, and shows the first of them. A port without a table gets a copy of the
 * Modbus decoder.
 *
 * @returns One sentence with a remedy if nothing was done; null otherwise.
 */
export async function addFoundRegisters(port: PortNumber, devices: readonly FoundDevice[]): Promise<string | null> {
  const { ports } = terminalSettingsNow();
  const owner = askingPort(ports, port) ?? port;
  const chosen = ports[owner].decoder;
  const found = foundIn(devices);
  const named = isOwnDecoder(chosen) ? (keptDecoder(chosen)?.text ?? '') : '';
  const imported = await importedRegisters(named);
  if (typeof imported === 'string') {
    return imported;
  }
  // The text may have been edited while its files were read.
  const kept = isOwnDecoder(chosen) ? keptDecoder(chosen) : null;
  const isOther = kept !== null && isOtherProtocol(kept);
  const checked = kept === null || isOther ? null : checkDecoder(kept.text);
  if (kept !== null && checked?.content === null) {
    return `The table cannot be filled, because ${titleOf(kept.text)} has a fault: ${checked.faults[0]}. Correct it in Decoders, then try again.`;
  }
  const target = tableOf(kept);
  const places = placesOf([...(target.id === null ? [] : (checked?.content?.registers ?? [])), ...imported]);
  const missing = found.filter(
    ({ device, table = 'holding', address }) =>
      !(places.has(`${device} ${table} ${address}`) || places.has(`${table} ${address}`)),
  );
  if (target.id !== null && missing.length === 0) {
    showDecoder(target.id);
    toast(`The table of ${target.title} has all ${counted(found.length, 'register')} already`, { level: 'info' });
    return null;
  }
  const added = missing.slice(0, roomIn(target, missing));
  if (added.length === 0) {
    return `The table of ${target.title} is full. Remove registers that you do not need, then try again.`;
  }
  const text = textWith(target, added);
  const result = target.id === null ? keepDecoder(text) : ({ ok: true, id: target.id } as const);
  if (!result.ok) {
    return result.reason;
  }
  if (target.id !== null) {
    changeKept(target.id, { text });
  }
  const before = terminalSettingsNow().ports[owner].decoder;
  if (before !== result.id) {
    changeDecoder(owner, result.id);
  }
  showDecoder(result.id, target.rows.length);
  const left = missing.length - added.length;
  offerUndo(
    `${counted(added.length, 'register')} added to ${target.title}${left === 0 ? '' : `. There is no room for ${count(left)} more`}`,
    () => {
      removeAdded(result.id, added, target.id === null);
      if (before !== result.id && terminalSettingsNow().ports[owner].decoder === result.id) {
        changeDecoder(owner, before);
      }
    },
  );
  return null;
}

/** Returns true for a decoder of another protocol. A text that is no JSON may be one of Modbus that is being edited. */
function isOtherProtocol({ text }: KeptDecoder): boolean {
  const content = parseJson(text);
  return isRecord(content) && !hasStep(content, 'modbus');
}

/** Returns the registers of the files that a decoder names; a sentence if they cannot be read. */
export async function importedRegisters(text: string): Promise<readonly DecoderRegister[] | string> {
  const registers: DecoderRegister[] = [];
  for (const { use, name, sha256 } of namedFiles(text)) {
    if (use !== 'registers') {
      continue;
    }
    const file = (await keptFiles([sha256])).get(sha256);
    if (file === undefined) {
      return `The decoder ${titleOf(text)} needs the file ${name}, which this browser does not have. Choose it in Decoders first.`;
    }
    try {
      registers.push(...((await getBench().call('readDecoderFile', name, file)).registers ?? []));
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return registers;
}

/** A table that registers are added to. */
interface Target {
  /** Null: the decoder is not kept yet. */
  readonly id: OwnDecoderId | null;
  readonly title: string;
  readonly content: object;
  readonly rows: readonly unknown[];
}

/** Returns the table of a kept decoder for Modbus; that of a copy of the ready one for any other decoder. */
function tableOf(kept: KeptDecoder | null): Target {
  const content = parseJson(kept?.text ?? '');
  if (kept === null || !isRecord(content) || isOtherProtocol(kept)) {
    const title = `${libraryDecoders.modbus.title}, own names`;
    return { id: null, title, content: { ...libraryDecoders.modbus, title }, rows: [] };
  }
  const rows = Array.isArray(content['registers']) ? content['registers'] : [];
  return { id: kept.id, title: titleOf(kept.text), content, rows };
}

const textWith = ({ content, rows }: Target, added: readonly Register[]) =>
  decoderText({ ...content, registers: [...rows, ...added] });

/** Returns how many of the registers fit into the decoder. */
function roomIn(target: Target, registers: readonly Register[]): number {
  const fits = (number: number) => checkDecoder(textWith(target, registers.slice(0, number))).content !== null;
  if (fits(registers.length)) {
    return registers.length;
  }
  let [least, over] = [0, registers.length];
  while (over - least > 1) {
    const middle = Math.floor((least + over) / 2);
    [least, over] = fits(middle) ? [middle, over] : [least, middle];
  }
  return least;
}

/** Removes rows that are still as they were added, and the decoder that was made for them if nothing else is in its table. */
function removeAdded(id: OwnDecoderId, added: readonly Register[], isNew: boolean): void {
  const content = parseJson(keptDecoder(id)?.text ?? '');
  if (!isRecord(content) || !Array.isArray(content['registers'])) {
    return;
  }
  const unchanged = new Set(added.map((row) => JSON.stringify(row)));
  const rows = content['registers'].filter((row) => !unchanged.has(JSON.stringify(row)));
  if (isNew && rows.length === 0) {
    removeKept(id);
  } else {
    changeKept(id, { text: decoderText({ ...content, registers: rows }) });
  }
}
