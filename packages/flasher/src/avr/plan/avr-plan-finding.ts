/** Refusals and warnings of a plan for an AVR: codes for programs, sentences for people. */
import {
  anotherFirmware,
  demoFirmwareText,
  Findings,
  type FindingText,
  overlapText,
  quoted,
  refusalText,
} from '../../core/findings.ts';

export type AvrRefusal =
  | 'nothing-to-write'
  | 'file-empty'
  | 'overlap'
  | 'with-bootloader'
  | 'reaches-bootloader'
  | 'does-not-fit'
  | 'outside-flash'
  | 'unknown-part'
  | 'not-firmware'
  | 'other-processor'
  | 'eeprom-unsupported'
  | 'eeprom-too-large'
  | 'demo-firmware'
  | 'guard-model';

export type AvrWarning =
  | 'no-vector-table'
  | 'part-left-out'
  | 'fuses-left-out'
  | 'rest-is-erased'
  | 'boot-section-unknown'
  | 'not-erased'
  | 'eeprom-empty';

/**
 * Refusals that a person may override: a claim of a release about the board, and data that may be meant for it. A file
 * that reaches the bootloader is refused for certain.
 */
const overridableAvrRefusals: readonly AvrRefusal[] = ['not-firmware', 'guard-model'];

const withoutBootloader = 'Choose the file of the same build without "with_bootloader" in its name.';

const avrRefusalText = {
  'nothing-to-write': refusalText['nothing-to-write'],
  'file-empty': refusalText['file-empty'],
  overlap: overlapText('Remove one of them.'),
  'with-bootloader': ({ files }) => ({
    what: `${quoted(files)} contains a bootloader, which a bootloader cannot write over itself.`,
    remedy: withoutBootloader,
  }),
  'reaches-bootloader': ({ files, wanted, found }) => ({
    what: `${quoted(files)} contains data for ${wanted}, but the bootloader is at ${found} and is never written.`,
    remedy: `${withoutBootloader} If the program itself is too large, make it smaller.`,
  }),
  'does-not-fit': ({ files, wanted, found }) => ({
    what: `${quoted(files)} ends at ${wanted}, but the flash for a program ends at ${found}.`,
    remedy: 'Make the program smaller, or choose a board with more flash.',
  }),
  'outside-flash': ({ files, at }) => ({
    what: `${quoted(files)} contains data for ${at}, which is outside the flash and the EEPROM.`,
    remedy: 'Choose a file that was built for this board.',
  }),
  'unknown-part': refusalText['unknown-part'],
  'not-firmware': refusalText['not-firmware'],
  'other-processor': ({ files }) => ({
    what: `${quoted(files)} was built for another processor than an AVR.`,
    remedy: anotherFirmware,
  }),
  'eeprom-unsupported': ({ files }) => ({
    what: `${quoted(files)} contains data for EEPROM, which the bootloader of this board cannot write.`,
    remedy: 'Leave the EEPROM file out, or let the program itself store this data.',
  }),
  'eeprom-too-large': ({ files, wanted, found }) => ({
    what: `${quoted(files)} contains EEPROM data up to ${wanted}, but the EEPROM ends at ${found}.`,
    remedy: 'Choose an EEPROM file that was built for this board.',
  }),
  'demo-firmware': demoFirmwareText('part'),
  'guard-model': refusalText['guard-model'],
} satisfies Record<AvrRefusal, FindingText>;

const avrWarningText = {
  'no-vector-table': ({ files, at }) => ({
    what: `${quoted(files)} does not begin with a jump at ${at}: it is data, or a program of another kind.`,
    remedy: 'Check that it was built for this board.',
  }),
  'part-left-out': ({ files, wanted }) => ({
    what: `${quoted(files)} also holds ${wanted}: this part is left out.`,
    remedy: 'Only flash and EEPROM are written.',
  }),
  'fuses-left-out': ({ files, wanted }) => ({
    what: `${quoted(files)} also holds ${wanted}: a bootloader never writes them.`,
    remedy: 'If they have to change, write them with an ISP programmer.',
  }),
  'rest-is-erased': () => ({
    what: 'All flash but the bootloader is erased.',
    remedy: 'If you need what is there, choose to erase only what is written.',
  }),
  'not-erased': ({ files, at }) => ({
    what: `${quoted(files)} reaches ${at}, from where on the bootloader of this board does not erase.`,
    remedy: 'It can be written there only while that flash is empty. Make the program smaller if verifying fails.',
  }),
  'eeprom-empty': ({ files }) => ({
    what: `${quoted(files)} has no data for EEPROM.`,
    remedy: 'Nothing of it is written: the EEPROM stays as it is.',
  }),
  'boot-section-unknown': ({ files, wanted, found }) => ({
    what: `${quoted(files)} reaches ${wanted}, and the bootloader does not tell where its section begins: on an Uno at ${found}, on a Nano with the same bootloader at ${wanted}.`,
    remedy:
      'On a Nano make the program smaller. Otherwise the board does not start its bootloader again, and needs an ISP programmer.',
  }),
} satisfies Record<AvrWarning, FindingText>;

export type AvrFindings = Findings<AvrRefusal, AvrWarning>;

export const avrFindings = (): AvrFindings =>
  new Findings({ refusals: avrRefusalText, warnings: avrWarningText, overridable: overridableAvrRefusals });
