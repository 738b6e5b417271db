/**
 * Identifies the chip and its security state. The order matters: an unknown chip gets only requests that cannot harm
 * it. The word at 0x40001000 is in the ROM of every chip and identifies ESP8266, ESP32 and S2. The others report
 * their ID with GET_SECURITY_INFO ("Serial Protocol", section "Chip Type Detection"). Secure Download Mode refuses
 * reads; a chip that then answers without an ID is an S2.
 */

import { hexNumber } from '../../core/bytes.ts';
import { type Chip, oddBits, type ReadRegister } from '../chips/chip.ts';
import { chipFacts, chipIdText, chipNames, chipOfId, chipOfMagic } from '../chips/chip-facts.ts';
import { loadChip } from '../chips/load-chip.ts';
import { deadlines } from '../deadlines.ts';
import { EspError } from '../esp-failure.ts';
import type { EspSecurityReport, EspSecurityState } from '../esp-info.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { readRegRequest, securityInfoRequest } from '../protocol/commands.ts';
import { readSurely } from './read-surely.ts';

/**
 * Address in the ROM of every chip. Its word identifies chips that do not report an ID (esptool,
 * `CHIP_DETECT_MAGIC_REG_ADDR`).
 */
export const magicAddress = 0x4000_1000;
/** Bytes of the answer: flags, counter, seven purposes, chip ID, version. The S2 leaves out the last two. */
const INFO_LENGTH = 20;
const SHORT_INFO_LENGTH = 12;

interface SecurityInfo {
  readonly chipId: number | null;
  readonly secureBoot: boolean;
  readonly secureDownload: boolean;
  readonly flashEncryption: boolean;
  readonly report: EspSecurityReport;
}

export interface Identified {
  readonly chip: Chip;
  readonly security: EspSecurityState;
}

/**
 * Identifies the connected chip.
 *
 * @throws EspError `unknown-chip` or `stopped-answering`.
 * @throws PortError, or the reason of the signal.
 */
export async function identify(link: CommandLink, read: ReadRegister, signal: AbortSignal): Promise<Identified> {
  const magic = await link.exchange(readRegRequest(magicAddress), { limit: deadlines.register, signal });
  if (magic.kind === 'late') {
    throw new EspError('stopped-answering', { detail: 'No answer to: read the word that names the chip.' });
  }
  const byMagic = magic.kind === 'done' ? chipOfMagic(magic.answer.value) : null;
  if (byMagic !== null && chipFacts[byMagic].securityInfo === 'unknown-command') {
    return byEfuses(await loadChip(byMagic), read);
  }
  const info = await surelyStops(() => askSecurityInfo(link, signal));
  const name = byMagic ?? nameOf(info);
  if (name === null) {
    const id = info === null ? 'reports no id' : `is ${chipIdText(info.chipId)}`;
    const word = magic.kind === 'done' ? hexNumber(magic.answer.value, 8) : 'refused';
    throw new EspError('unknown-chip', { detail: `The chip ${id}; the word at 0x40001000 is ${word}.` });
  }
  const chip = await loadChip(name);
  if (info === null) {
    return byEfuses(chip, read);
  }
  const { secureBoot, secureDownload, flashEncryption, report } = info;
  return { chip, security: { secureBoot, secureDownload, flashEncryption, ...(secureDownload && { report }) } };
}

/** Returns the security state. A state that prevents a write counts only if two answers in a row agree. */
async function surelyStops<Info extends Partial<Omit<SecurityInfo, 'chipId' | 'report'>> | null | undefined>(
  ask: () => Promise<Info>,
): Promise<Info> {
  const info = await ask();
  const stops = info?.secureBoot || info?.secureDownload || info?.flashEncryption;
  return stops ? readSurely('the security of the chip', ask, { reading: info }) : info;
}

function nameOf(info: SecurityInfo | null) {
  if (info === null) {
    return null;
  }
  return info.chipId === null
    ? (chipNames.find((name) => chipFacts[name].securityInfo === 'without-id') ?? null)
    : chipOfId(info.chipId);
}

/** Returns the security state from the eFuses, without GET_SECURITY_INFO. */
export async function byEfuses(chip: Chip, read: ReadRegister): Promise<Identified> {
  const known = await surelyStops(async () => chip.security?.(read));
  return {
    chip,
    security: {
      secureBoot: known?.secureBoot ?? null,
      flashEncryption: known?.flashEncryption ?? null,
      secureDownload: false,
    },
  };
}

/** Sends GET_SECURITY_INFO. Returns null if the ROM does not know the command, as on the first S2. */
async function askSecurityInfo(link: CommandLink, signal: AbortSignal): Promise<SecurityInfo | null> {
  const payload = (length: number) =>
    length > INFO_LENGTH ? INFO_LENGTH : length > SHORT_INFO_LENGTH ? SHORT_INFO_LENGTH : 0;
  const reply = await link.exchange(securityInfoRequest(), { limit: deadlines.securityInfo, payload, signal });
  if (reply.kind === 'late') {
    throw new EspError('stopped-answering', { detail: 'No answer to: security information.' });
  }
  if (reply.kind === 'refused') {
    return null;
  }
  const { data } = reply.answer;
  if (data.length < SHORT_INFO_LENGTH) {
    return null;
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const flags = view.getUint32(0, true);
  return {
    secureBoot: (flags & 1) !== 0,
    secureDownload: (flags & 4) !== 0,
    flashEncryption: oddBits(view.getUint8(4)),
    chipId: data.length <= INFO_LENGTH ? null : view.getUint32(12, true),
    report: { flags, cryptCount: view.getUint8(4), keyPurposes: [...data.subarray(5, SHORT_INFO_LENGTH)] },
  };
}
