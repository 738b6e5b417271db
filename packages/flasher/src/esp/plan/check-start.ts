/**
 * Answers, before anything is erased, whether the chip will start the planned programs: chip, revision, signature,
 * security version, encryption. Each check is one line; those that fail are refusals of the plan.
 */

import { type ChipName, chipFacts, chipIdText } from '../chips/chip-facts.ts';
import { type BootKey, type BootRules, digestText, noKeyText } from '../efuse/boot-rules.ts';
import { readAppDescription } from '../images/description.ts';
import type { Partition } from '../images/partition-table.ts';
import { isApp } from '../images/partition-types.ts';
import { type ImageSignature, readSignatures } from '../images/signature-blocks.ts';
import { type EspFindings, type EspRefusal, type EspWarning, encryptRemedy } from './esp-plan-finding.ts';
import type { EspPlanBoard } from './esp-plan-types.ts';
import { type FlashAfter, isProgram } from './flash-after.ts';
import type { KnownFile } from './known-file.ts';
import { type PlannedProgram, programsIn } from './planned-programs.ts';
import { type Revision, revisionRangeText, revisionText, unmetRevision } from './revision-range.ts';
import type { StartAnswer, StartCheck } from './start-answer.ts';
import type { OtaDataRenewal } from './starting-app.ts';

/** A check, with the refusal that it becomes. */
interface Outcome extends StartCheck {
  readonly refuse?: () => void;
  /** Completes the answer if this check decides it. */
  readonly remedy?: string;
}

export interface StartContext {
  readonly board: EspPlanBoard;
  readonly after: FlashAfter;
  /** True: the plan has the chip encrypt the programs. */
  readonly isEncrypting: boolean;
  readonly renewal: OtaDataRenewal;
}

/**
 * Adds refusals for programs that would not start. Called after all checks of places, which it repeats.
 *
 * @returns Null if no file holds a program.
 */
export async function checkStart(
  files: readonly KnownFile[],
  { board, after, isEncrypting, renewal }: StartContext,
  findings: EspFindings,
): Promise<StartAnswer | null> {
  const programs = files.flatMap((file) => programsIn(file, after));
  if (programs.length === 0) {
    return null;
  }
  const outcomes = [
    chipCheck(programs, board),
    revisionCheck(programs, board),
    ...(await signatureChecks(programs, board, findings)),
    encryptionCheck(programs, board, isEncrypting),
    ...versionChecks(programs, board, findings),
    ...placeChecks(after, findings),
    ...choiceChecks(programs, after, renewal),
  ];
  for (const { refuse } of outcomes) {
    refuse?.();
  }
  return answerOf(programs, outcomes);
}

/** Findings after which the ROM or the bootloader does not start what is written. */
const stops: readonly (EspRefusal | EspWarning)[] = [
  'bootloader-misplaced',
  'not-a-bootloader',
  'not-a-table',
  'app-misplaced',
  'app-not-aligned',
  'not-at-a-partition',
  'image-damaged',
  'covers-table',
  'table-misplaced',
  'no-partition-table',
  'no-app-partition',
  'no-app',
  'other-app-starts',
  'erases-start',
  'partitions-beyond-flash',
  'partitions-beyond-setting',
  'flash-size-setting',
];

/** Repeats what the checks of the flash after the write have found, because nothing starts from the wrong place. */
function placeChecks(after: FlashAfter, { refusals, warnings }: EspFindings): Outcome[] {
  const isTooLarge = after.parts.some((one) => {
    const place = after.partitionAt(one.offset);
    return isProgram(one) && place !== null && one.offset + one.size > place.offset + place.size;
  });
  const isStop = (code: EspRefusal | EspWarning): boolean =>
    code === 'larger-than-partition' ? isTooLarge : code === 'not-an-app' ? hasNoApp(after) : stops.includes(code);
  return [...refusals, ...warnings]
    .filter(({ code }) => isStop(code))
    .map(({ what, remedy }) => ({ result: 'no', text: what.replace(/\.$/, ''), remedy, fact: '' }));
}

/** Returns true if something else is written to the place of every app. A board that seemed empty keeps no app. */
function hasNoApp(after: FlashAfter): boolean {
  const apps = after.partitions.filter(isApp);
  const isOther = ({ offset }: Partition) =>
    (after.startOf({ offset }) !== 'kept' || after.board?.isBlank === true) &&
    !after.parts.some((one) => one.offset === offset && one.part.kind === 'app');
  return apps.length > 0 && apps.every(isOther);
}

/** Says what decides which app starts, where that is not seen from the files. */
function choiceChecks(
  programs: readonly PlannedProgram[],
  { inPlace, otaData, writtenApps, board, hasPartitions, started }: FlashAfter,
  { erase, change }: OtaDataRenewal,
): Outcome[] {
  const written = writtenApps.map(({ name }) => `"${name}"`).join(' and ');
  if (erase !== null) {
    return [{ result: 'yes', text: `The choice of another app in "${erase.name}" is erased`, fact: '' }];
  }
  if (change !== null) {
    return [{ result: 'yes', text: `"${change.name}" is written to start ${written}`, fact: '' }];
  }
  const isApp = programs.some(({ role }) => role === 'app') && !(started?.part.kind === 'app' && started.part.inMemory);
  if (!isApp || !hasPartitions) {
    return [];
  }
  if (inPlace === null && board?.table === 'not-read') {
    const text = 'The partition table on the board cannot be read, so it cannot be told which app starts';
    return [{ result: 'unknown', text, fact: '' }];
  }
  return otaData?.from === 'unread' && written !== ''
    ? [
        {
          result: 'unknown',
          text: `"${otaData.partition.name}" selects the app to start, and cannot be read`,
          fact: '',
        },
      ]
    : [];
}

function answerOf(programs: readonly PlannedProgram[], outcomes: readonly Outcome[]): StartAnswer {
  const checks = outcomes.map(({ result, text, fact }) => ({ result, text, fact }));
  const names = namesOf(programs);
  const no = outcomes.find(({ result }) => result === 'no');
  if (no !== undefined) {
    return { result: 'no', why: no.remedy ?? `${no.text}.`, checks };
  }
  const unknown = outcomes.find(({ result }) => result === 'unknown');
  if (unknown !== undefined) {
    return { result: 'unknown', why: `${unknown.text}.`, checks };
  }
  const fits = programs.length === 1 ? 'fits' : 'fit';
  return { result: 'yes', why: `${names} ${fits} the chip, and the board asks for nothing more.`, checks };
}

function namesOf(programs: readonly PlannedProgram[]): string {
  const names = [...new Set(programs.map(({ file }) => file))];
  return names.length <= 2 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

function isAre(programs: readonly PlannedProgram[]): 'is' | 'are' {
  return new Set(programs.map(({ file }) => file)).size === 1 ? 'is' : 'are';
}

/** The plan refuses a wrong chip elsewhere. */
function chipCheck(programs: readonly PlannedProgram[], { info }: EspPlanBoard): Outcome {
  const label = chipFacts[info.chip].label;
  const wrong = programs.filter(({ image }) => image.chip !== info.chip);
  const [first] = wrong;
  const fact = `chip_id ${chipFacts[info.chip].imageChipId ?? 'none'}`;
  if (first === undefined) {
    return { result: 'yes', text: `Built for ${label}, and this is one`, fact };
  }
  const wanted = first.image.chip === null ? chipIdText(first.image.chipId) : chipFacts[first.image.chip].label;
  return { result: 'no', text: `${namesOf(wrong)} was built for ${wanted}; this is an ${label}`, fact };
}

/** The plan refuses a wrong revision elsewhere. */
function revisionCheck(programs: readonly PlannedProgram[], { info, bootRules }: EspPlanBoard): Outcome {
  const { revision, chip } = info;
  if (revision === null) {
    return { result: 'unknown', text: 'The chip revision is not known', fact: '' };
  }
  const fact = `WAFER_VERSION ${revision.major}.${revision.minor}`;
  const options = { ignoresMaximum: bootRules?.ignoresMaximumRevision === true };
  const unmet = programs.flatMap((program) => {
    const range = program.image.chip === chip ? unmetRevision(program.image, chip, revision, options) : null;
    return range === null ? [] : [{ program, range }];
  });
  const [first] = unmet;
  if (first !== undefined) {
    return {
      result: 'no',
      text: `${first.program.file} needs chip revision ${first.range}; this is ${revisionText(numberOf(revision))}`,
      fact,
    };
  }
  const ranges = [...new Set(programs.map(({ image }) => revisionRangeText(image, chip)))].join(', ');
  return { result: 'yes', text: `Chip revision ${revisionText(numberOf(revision))} is in range: ${ranges}`, fact };
}

const numberOf = ({ major, minor }: Revision) => 100 * major + minor;

async function signatureChecks(
  programs: readonly PlannedProgram[],
  { info, bootRules }: EspPlanBoard,
  findings: EspFindings,
): Promise<Outcome[]> {
  const { secureBoot } = info.security;
  const name = fuseOfSecureBoot(info.chip, bootRules);
  if (secureBoot === false || bootRules?.secureBoot === 'off') {
    return [{ result: 'yes', text: 'No signature is asked for', fact: `${name} 0` }];
  }
  if (secureBoot === null) {
    return [{ result: 'unknown', text: 'The board does not say if it asks for a signature', fact: '' }];
  }
  const outcomes: Outcome[] = [];
  for (const program of programs) {
    outcomes.push({ fact: `${name} 1`, ...(await signatureCheck(program, bootRules ?? null, findings)) });
  }
  return outcomes;
}

function fuseOfSecureBoot(chip: ChipName, rules: BootRules | null | undefined): string {
  return chip === 'esp32' ? (rules?.secureBoot === 'v1' ? 'ABS_DONE_0' : 'ABS_DONE_1') : 'SECURE_BOOT_EN';
}

/**
 * Checks one program against the keys of the board. The ROM itself checks the bootloader, so that answer is certain.
 * An app is checked by the bootloader, which could be one that accepts others.
 */
async function signatureCheck(
  program: PlannedProgram,
  rules: BootRules | null,
  findings: EspFindings,
): Promise<Omit<Outcome, 'fact'>> {
  const { file, role, bytes, image } = program;
  const certain = role === 'bootloader';
  if (rules?.secureBoot === 'v1') {
    return versionOneCheck(program, findings);
  }
  const signatures = await readSignatures(bytes, image);
  const noKey = rules === null ? null : noKeyText(rules);
  if (noKey !== null) {
    const wanted = 'Use another board.';
    const found = signatures.map(({ keyDigest }) => digestText(keyDigest)).join(', ');
    return {
      result: 'no',
      text: noKey,
      remedy: wanted,
      refuse: () =>
        found === ''
          ? findings.refuse('not-signed', { files: [file], wanted }, certain)
          : findings.refuse('wrong-key', { files: [file], found, wanted }, certain),
    };
  }
  const valid = rules?.keys.filter(({ revoked }) => !revoked) ?? [];
  const wanted = valid.flatMap(({ digest }) => (digest === null ? [] : [digestText(digest)])).join(' or ');
  const sign =
    wanted === ''
      ? `Sign ${file} with the key of this board, then choose it again.`
      : `Sign ${file} with the key whose digest starts with ${wanted}, then choose it again.`;
  if (signatures.length === 0 && rules === null && (image.isSigned || program.hasDigest)) {
    return {
      result: 'unknown',
      text: `${file} is signed, but the keys of this board cannot be read`,
      refuse: () => findings.refuse('secure-boot', { files: [file] }),
    };
  }
  if (signatures.length === 0) {
    return {
      result: 'no',
      text: `Secure boot is on, and ${file} carries no signature`,
      remedy: sign,
      refuse: () => findings.refuse('not-signed', { files: [file], wanted: sign }, certain),
    };
  }
  const intact = signatures.filter(({ state }) => state !== 'invalid');
  if (intact.length === 0) {
    return {
      result: 'no',
      text: `${file} was changed after it was signed`,
      remedy: sign,
      refuse: () => findings.refuse('signature-invalid', { files: [file] }, certain),
    };
  }
  if (rules === null || (valid.length > 0 && valid.every(({ digest }) => digest === null))) {
    return {
      result: 'unknown',
      text: `${file} is signed, but the keys of this board cannot be read`,
      refuse: () => findings.refuse('secure-boot', { files: [file] }),
    };
  }
  return keyCheck(file, intact, rules.keys, { sign, certain }, findings);
}

function keyCheck(
  file: string,
  signatures: readonly ImageSignature[],
  keys: readonly BootKey[],
  { sign, certain }: { readonly sign: string; readonly certain: boolean },
  findings: EspFindings,
): Omit<Outcome, 'fact'> {
  const matching = (revoked: boolean) =>
    signatures.find(({ keyDigest }) =>
      keys.some(({ digest, ...key }) => key.revoked === revoked && digest !== null && keyDigest.startsWith(digest)),
    );
  const accepted = matching(false);
  if (accepted !== undefined) {
    const checked = accepted.state === 'unchecked' ? ', which this browser cannot verify,' : '';
    return {
      result: accepted.state === 'unchecked' ? 'unknown' : 'yes',
      text: `${file} is signed (${accepted.scheme})${checked} with a key of this board, ${digestText(accepted.keyDigest)}`,
    };
  }
  const own = signatures.map(({ keyDigest }) => digestText(keyDigest)).join(', ');
  const revoked = matching(true);
  if (revoked !== undefined) {
    return {
      result: 'no',
      text: `${file} is signed with a key that was revoked on this board, ${digestText(revoked.keyDigest)}`,
      remedy: sign,
      refuse: () =>
        findings.refuse('key-revoked', { files: [file], found: digestText(revoked.keyDigest), wanted: sign }, certain),
    };
  }
  return {
    result: 'no',
    text: `${file} is signed with another key, ${own}`,
    remedy: sign,
    refuse: () => findings.refuse('wrong-key', { files: [file], found: own, wanted: sign }, certain),
  };
}

/** Secure Boot V1: the chip's key is secret, and the key for apps is inside the bootloader that is on the board. */
function versionOneCheck(
  { file, role, image, hasDigest }: PlannedProgram,
  findings: EspFindings,
): Omit<Outcome, 'fact'> {
  const secret = () => findings.refuse('secure-boot', { files: [file] });
  if (role === 'bootloader') {
    return hasDigest
      ? {
          result: 'unknown',
          text: `${file} carries a digest for Secure Boot V1, whose key is hidden in the chip`,
          refuse: secret,
        }
      : {
          result: 'no',
          text: `Secure Boot V1 is on, and ${file} carries no digest for it`,
          remedy: `Leave the bootloader as it is: remove ${file}.`,
          refuse: () =>
            findings.refuse(
              'not-signed',
              { files: [file], wanted: `Leave the bootloader as it is: remove ${file}.` },
              true,
            ),
        };
  }
  const sign = `Sign ${file} with the key of this board, then choose it again.`;
  return image.isSigned
    ? {
        result: 'unknown',
        text: `${file} is signed; the public key that decides is inside the bootloader on the board`,
        refuse: secret,
      }
    : {
        result: 'no',
        text: `Secure Boot V1 is on, and ${file} carries no signature`,
        remedy: sign,
        refuse: () => findings.refuse('not-signed', { files: [file], wanted: sign }),
      };
}

/** The plan refuses plain programs for encrypted flash elsewhere. */
function encryptionCheck(
  programs: readonly PlannedProgram[],
  { info, bootRules }: EspPlanBoard,
  isEncrypting: boolean,
): Outcome {
  const counter = info.chip === 'esp32' ? 'FLASH_CRYPT_CNT' : 'SPI_BOOT_CRYPT_CNT';
  const { flashEncryption } = info.security;
  if (flashEncryption === null) {
    return { result: 'unknown', text: 'The board does not say if its flash is encrypted', fact: '' };
  }
  if (!flashEncryption) {
    return { result: 'yes', text: 'Flash is not encrypted, so plain files are right', fact: `${counter} even` };
  }
  const fact = `${counter} odd`;
  if (isEncrypting) {
    return { result: 'yes', text: 'Flash is encrypted, and the chip encrypts what is written', fact };
  }
  const remedy =
    bootRules?.encryptsDownloads === true ? encryptRemedy : 'Write only firmware that was encrypted for this board.';
  return { result: 'no', text: `Flash is encrypted, and ${namesOf(programs)} ${isAre(programs)} plain`, remedy, fact };
}

/** Checks the protection against older versions, which only some bootloaders have (ESP-IDF, "OTA", section "Anti-rollback"). */
function versionChecks(
  programs: readonly PlannedProgram[],
  { info, bootRules }: EspPlanBoard,
  findings: EspFindings,
): Outcome[] {
  const least = bootRules?.secureVersion;
  if (least === undefined) {
    return [];
  }
  const fact = `SECURE_VERSION ${least}`;
  const apps = programs.flatMap((program) => {
    const description = readAppDescription(program.bytes, program.image);
    return description === null ? [] : [{ program, version: description.secureVersion }];
  });
  const [old] = apps.filter(({ version }) => version < least);
  if (old === undefined) {
    return apps.length === 0 ? [] : [{ result: 'yes', text: 'No newer security version is asked for', fact }];
  }
  const { file } = old.program;
  // Block 3 of the ESP32 may hold other data in the place of the version.
  const isSure = info.chip !== 'esp32';
  return [
    {
      result: isSure ? 'no' : 'unknown',
      text: `Security version ${old.version} of ${file} is older than ${least}, which this board asks for`,
      fact,
      remedy: `Build ${file} with security version ${least} or newer.`,
      ...(isSure && {
        refuse: () =>
          findings.refuse('older-version', { files: [file], found: String(old.version), wanted: String(least) }),
      }),
    },
  ];
}
