/**
 * Makes a board on an open port ready for writing: synchronises, identifies, raises the rate, starts the stub, finds
 * the flash chip. The same steps recover a board that was lost during a write.
 */
import type { Clock } from '@wirebench/clock';
import {
  type Chip,
  type ChipIdentity,
  type CrystalSource,
  dividedCrystal,
  type Registers,
  type Stub,
} from '../chips/chip.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { loadChip } from '../chips/load-chip.ts';
import type { EspConnectStep, EspNotice } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import type { EspInfo, FlashChip } from '../esp-info.ts';
import { type FlashAbility, flashAbility, type Speaker } from '../flash-ability.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { registersOf } from '../protocol/registers.ts';
import { changeBaudRate, ratesFrom, toRomBaudRate } from './baud-rate.ts';
import { attachFlash, readFlashChip, tellFlashSize } from './flash-chip.ts';
import { byEfuses, type Identified, identify } from './identify.ts';
import { readSurely } from './read-surely.ts';
import { startStub } from './stub.ts';
import { type Entry, resynchronise, romBaudRate, synchronise } from './synchronise.ts';

/** Settings that all connections to one board share. */
export interface SessionPlan {
  readonly clock: Clock;
  readonly link: CommandLink;
  readonly entry: Entry;
  /** Final baud rate. */
  readonly baudRate: number;
  /** `failed`: the stub did not start in an earlier attempt. */
  readonly stub: 'wanted' | 'unwanted' | 'failed';
  /** Expected MAC address; any other board is refused. Null accepts any board. */
  readonly mac: string | null;
  readonly onStep: (step: EspConnectStep) => void;
  readonly onNotice: (notice: EspNotice) => void;
}

export interface Session {
  readonly link: CommandLink;
  readonly chip: Chip;
  readonly info: EspInfo;
  readonly program: Speaker;
  readonly ability: FlashAbility;
}

export interface Board extends Identified {
  /** Program that answers now, or after the stub that was chosen has started. */
  readonly program: Speaker;
  /** Abilities of `program`. */
  readonly ability: FlashAbility;
  readonly registers: Registers;
  readonly identity: ChipIdentity | null;
  readonly crystal: number | null;
}

/**
 * Connects to the board up to its flash chip.
 *
 * @throws EspError, PortError, or the reason of the signal.
 */
export async function establish(plan: SessionPlan, signal: AbortSignal): Promise<Session> {
  const { clock, link, onStep } = plan;
  await toRomBaudRate(link);
  const speaker = await synchronise(clock, link, plan.entry, onStep, signal);
  const board = await confirmed(await identifyAndSpeedUp(plan, speaker, signal));
  onStep('reading-flash-chip');
  const flash = await findFlash(plan, board, signal);
  ready(plan);
  const { chip, program, ability } = board;
  return { link, chip, info: infoOf(plan, board, flash), program, ability };
}

/** A board in its ROM, whose flash chip is unknown. */
export interface RomSession {
  readonly board: Board;
  readonly info: EspInfo;
}

/**
 * Connects like `establish`, but stops before the flash chip. It sends no command that reads, writes or configures
 * flash, and loads nothing.
 *
 * @throws EspError, such as `not-in-rom` if a stub runs that cannot be reset.
 * @throws PortError, or the reason of the signal.
 */
export async function establishRom(plan: SessionPlan, signal: AbortSignal): Promise<RomSession> {
  const { clock, link, entry, onStep } = plan;
  await toRomBaudRate(link);
  const first = await synchronise(clock, link, entry, onStep, signal);
  const speaker =
    first === 'stub' && !entry.buttons && link.port.baudRate === romBaudRate
      ? await resynchronise(clock, link, entry, signal)
      : first;
  if (speaker !== 'rom') {
    throw new EspError(speaker === null ? 'stopped-answering' : 'not-in-rom');
  }
  const board = await identifyAndSpeedUp({ ...plan, stub: 'unwanted' }, speaker, signal);
  ready(plan);
  return { board, info: infoOf(plan, board, null) };
}

/** A program on the board that answers the ROM's register commands, so that no reset is needed. */
export interface AnsweringProgram {
  readonly chip: ChipName;
  /**
   * Sends the crystal frequency, from which the program computes its divider.
   *
   * @param crystal MHz.
   */
  tellCrystal(crystal: number): Promise<void>;
}

/**
 * Connects to a board whose program answers, without a reset. The board is identified by its registers and set to the
 * best rate that works.
 *
 * @throws EspError, such as `baud-refused` if no answer arrives at a new rate.
 * @throws PortError, or the reason of the signal.
 */
export async function establishProgram(
  plan: SessionPlan,
  program: AnsweringProgram,
  signal: AbortSignal,
): Promise<RomSession> {
  const { clock, link, entry, onStep } = plan;
  onStep('identifying');
  const registers = registersOf(link, signal);
  const identified = await byEfuses(await loadChip(program.chip), registers.read);
  const board = await completed(plan, identified, registers, 'rom');
  if (board.crystal !== null) {
    await program.tellCrystal(board.crystal);
  }
  for (const rate of canChangeRate(plan, board) ? ratesFrom(plan.baudRate) : []) {
    onStep('changing-baud-rate');
    const wanted = { rate, asked: rate, byStub: false, linesFree: entry.buttons };
    const change = await changeBaudRate(clock, link, wanted, signal);
    if (change === 'lost') {
      throw new EspError('baud-refused', { detail: 'Nothing arrived at the new rate.' });
    }
    if (change === 'changed') {
      break;
    }
  }
  ready(plan);
  return { board, info: infoOf(plan, board, null) };
}

async function identifyAndSpeedUp(plan: SessionPlan, speaker: Speaker, signal: AbortSignal): Promise<Board> {
  plan.onStep('identifying');
  const found = await identifyBoard(plan, speaker, signal);
  const stub = speaker === 'stub' ? null : await chooseStub(plan, found);
  if (speaker === 'rom') {
    await slowDown(plan, found, signal);
    if (found.ability.canAccessRegisters) {
      await found.chip.prepare?.(found.registers, plan.entry.link, found.identity?.revision ?? null);
    }
  }
  const board = stub === null ? found : { ...found, ...answeredBy('stub', plan, found) };
  await speedUp(plan, board, stub, speaker === 'stub', signal);
  return board;
}

/** Decides the abilities of a board on which `program` answers. */
function answeredBy(
  program: Speaker,
  { entry }: SessionPlan,
  { chip, security: { secureDownload } }: Identified,
): Pick<Board, 'program' | 'ability'> {
  return { program, ability: flashAbility({ chip, program, link: entry.link, secureDownload }) };
}

function ready({ onStep, onNotice, link, baudRate, entry }: SessionPlan): void {
  onStep('ready');
  if (link.port.baudRate !== baudRate && entry.link === 'uart') {
    onNotice({ kind: 'baud-fell-back', wanted: baudRate, baudRate: link.port.baudRate });
  }
}

async function identifyBoard(plan: SessionPlan, speaker: Speaker, signal: AbortSignal): Promise<Board> {
  const registers = registersOf(plan.link, signal);
  const identified = await identify(plan.link, registers.read, signal);
  return completed(plan, identified, registers, speaker);
}

async function completed(
  plan: SessionPlan,
  identified: Identified,
  registers: Registers,
  speaker: Speaker,
): Promise<Board> {
  const { chip } = identified;
  const board = { ...identified, ...answeredBy(speaker, plan, identified), registers };
  if (!board.ability.canAccessRegisters) {
    return { ...board, identity: null, crystal: null };
  }
  const first = await chip.identify(registers.read);
  const isExpected = plan.mac === null || plan.mac === first.mac;
  const identity = isExpected ? first : await identifySurely(chip, registers, first);
  if (plan.mac !== null && plan.mac !== identity.mac) {
    throw new EspError('other-board', { detail: `Expected ${plan.mac}, found ${identity.mac}.` });
  }
  // A stub may have raised the clock behind the divider, so the crystal can be derived only in the ROM.
  const isMeasurable = plan.entry.link === 'uart' && speaker === 'rom';
  const { baudRate } = plan.link.port;
  const crystal = isMeasurable ? await crystalOf(chip.crystal, registers, baudRate) : fixedCrystal(chip.crystal);
  return { ...board, identity, crystal };
}

/**
 * Reads the identity a second time, because later connections are compared with it. At the final rate this is
 * quicker.
 */
async function confirmed(board: Board): Promise<Board> {
  const { chip, registers, identity } = board;
  return identity === null ? board : { ...board, identity: await identifySurely(chip, registers, identity) };
}

function identifySurely(chip: Chip, { read }: Registers, first: ChipIdentity): Promise<ChipIdentity> {
  return readSurely('what the chip is', () => chip.identify(read), { reading: first });
}

function fixedCrystal(source: CrystalSource): number | null {
  return source.kind === 'fixed' ? source.megahertz : null;
}

async function crystalOf(source: CrystalSource, { read }: Registers, baudRate: number): Promise<number | null> {
  return source.kind === 'fixed' ? source.megahertz : dividedCrystal(source, await read(source.register), baudRate);
}

async function chooseStub({ stub, onNotice }: SessionPlan, { chip, ability, identity }: Board): Promise<Stub | null> {
  const without = (reason: Extract<EspNotice, { kind: 'without-stub' }>['reason']) => {
    onNotice({ kind: 'without-stub', reason });
    return null;
  };
  if (!ability.canLoadStub) {
    return without('secure-download');
  }
  if (stub !== 'wanted') {
    return without(stub === 'failed' ? 'failed' : 'chosen');
  }
  return (await chip.loadStub(identity?.revision ?? null)) ?? without('chip-revision');
}

/** Sets a ROM that was left at another rate back to its default rate, which a stub expects. */
async function slowDown({ clock, link, entry }: SessionPlan, board: Board, signal: AbortSignal): Promise<void> {
  if (link.port.baudRate === romBaudRate) {
    return;
  }
  const rate = romBaudRate;
  const asked = await askedRate(board, rate);
  const change = await changeBaudRate(clock, link, { rate, asked, byStub: false, linesFree: entry.buttons }, signal);
  if (change !== 'changed') {
    throw new EspError('baud-refused', { detail: `The board did not go back to ${rate} baud.` });
  }
}

/** Starts the stub, if there is one, and raises the rate to the best that works. */
async function speedUp(
  plan: SessionPlan,
  board: Board,
  stub: Stub | null,
  stubRuns: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { link, clock, entry, onStep } = plan;
  const start = async () => {
    if (stub !== null) {
      onStep('uploading-stub');
      await startStub(stub, { link, usbOtg: entry.link === 'usb-otg', signal });
    }
  };
  // A stub that was found at a working rate keeps it, because it could not be recovered if another rate failed.
  const wasFound = stubRuns && link.port.baudRate !== romBaudRate;
  if (wasFound || !canChangeRate(plan, board)) {
    return start();
  }
  for (const rate of ratesFrom(plan.baudRate)) {
    const late = stubRuns || (stub !== null && board.chip.stubResetsBaudRate);
    if (late) {
      await start();
    }
    onStep('changing-baud-rate');
    const asked = late ? rate : await askedRate(board, rate);
    const change = await changeBaudRate(
      clock,
      link,
      { rate, asked, byStub: late, linesFree: plan.entry.buttons },
      signal,
    );
    if (change === 'changed') {
      return late ? undefined : start();
    }
    if (change === 'lost') {
      await restartRom(plan, board, stubRuns, signal);
    } else if (late) {
      return;
    }
  }
  return start();
}

function canChangeRate({ entry, baudRate }: SessionPlan, { ability }: Board): boolean {
  return entry.link === 'uart' && baudRate !== romBaudRate && ability.canChangeBaudRate;
}

/** Returns the rate to request from the ROM so that it sets `rate`. */
export async function askedRate({ chip, crystal, registers, ability }: Board, rate: number): Promise<number> {
  return ability.canAccessRegisters ? ((await chip.romBaudRate?.(rate, crystal, registers.read)) ?? rate) : rate;
}

/**
 * Resets the ROM after a rate at which no answer arrived. A stub from an earlier session would be lost, so this fails
 * then.
 */
async function restartRom(plan: SessionPlan, board: Board, stubWas: boolean, signal: AbortSignal): Promise<void> {
  const { clock, link, entry } = plan;
  await toRomBaudRate(link);
  if (stubWas || entry.buttons || (await resynchronise(clock, link, entry, signal)) === null) {
    throw new EspError('baud-refused', { detail: 'Nothing arrived at the new rate.' });
  }
  await board.chip.prepare?.(board.registers, entry.link, board.identity?.revision ?? null);
}

async function findFlash(
  { link }: SessionPlan,
  { chip, ability, registers }: Board,
  signal: AbortSignal,
): Promise<FlashChip | null> {
  const access = { link, ability, signal };
  await attachFlash(access);
  if (!ability.canAccessRegisters) {
    return null;
  }
  const flash = await readFlashChip(registers, chip.spi);
  const size = flash?.size ?? null;
  if (size !== null) {
    await tellFlashSize(size, access);
  }
  return flash;
}

/** Addresses that no chip has: words that could not be read. */
const blankMacs = ['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'];

function infoOf(plan: SessionPlan, { chip, security, identity, crystal }: Board, flash: FlashChip | null): EspInfo {
  const name: ChipName = chip.name;
  return {
    chip: name,
    model: identity?.model ?? chipFacts[name].label,
    revision: identity?.revision ?? null,
    mac: identity === null || blankMacs.includes(identity.mac) ? null : identity.mac,
    features: identity?.features ?? [],
    crystal,
    flash,
    security,
    link: plan.entry.link,
  };
}
