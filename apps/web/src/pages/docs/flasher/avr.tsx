/** Flasher documentation: boards with an AVR, their bootloaders, and what these cannot do. */
import { staticPages } from '@wirebench/contract/constants';
import { avrFailureText, avrParts } from '@wirebench/flasher/avr';
import { memoryText } from '../../../shared/format/bytes.ts';
import { hexNumber } from '../../../shared/format/hex.ts';
import type { DocsSection } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';

export const arduinoBoards: DocsSection = {
  id: 'arduino-boards',
  title: 'Arduino boards',
  body: (
    <>
      <p>
        The <a href={staticPages.avrFlasher}>Arduino flasher</a> is experimental. It writes sketches to boards with an
        AVR through the bootloader that is on the board. A programmer is not needed, and not used.
      </p>
      <DocsTable
        label="Arduino boards and their bootloaders"
        head={['Boards', 'Chip', 'Bootloader', 'Baud', 'EEPROM']}
        rows={[
          ['Uno, Nano from 2018 on, Pro Mini with optiboot', 'ATmega328P', 'optiboot (STK500)', '115200', 'no'],
          ['Nano before 2018, Pro Mini', 'ATmega328P', 'ATmegaBOOT (STK500)', '57600', 'yes'],
          ['Mega 2560', 'ATmega2560', 'stk500boot_v2 (STK500 v2)', '115200', 'yes'],
          ['Leonardo, Micro, Pro Micro', 'ATmega32U4', 'Caterina (AVR109)', 'USB', 'yes'],
        ]}
      />
      <p>
        115200 baud is tried first, then 57600; the card of the board says when it was an old bootloader. The bootloader
        tells its chip by the signature, but not its board: an ATmega328P may be an Uno or a Nano. Either runs the
        other’s sketches.
      </p>
      <Subheading id="avr-reset" title="Starting the bootloader" />
      <p>
        The bootloader of an Uno waits for about one second after a reset. DTR resets an Uno, a Nano and a Mega when the
        port opens, and the bootloader is kept awake while you read the plan. A Leonardo, Micro or Pro Micro is asked at
        1200 baud, and returns as another USB device: the browser asks once for each. Where no line is wired to reset,
        choose “By hand” under Starting the bootloader; the page says when to press the button. On an ATmega32U4 press
        it twice within half a second.
      </p>
      <Subheading id="avr-files" title="Files and what stays" />
      <p>
        Drop the <code>.ino.hex</code> of arduino-cli or of the Arduino IDE (Sketch, Export Compiled Binary),{' '}
        <code>firmware.hex</code> of PlatformIO, an ELF file, S-records, or a .bin for address 0x0. A folder gives its
        sketch. A file with “with_bootloader” in its name is refused, and so is any file that reaches into the
        bootloader’s own flash. Only pages that differ are written, other data in these pages is kept, and every byte is
        read back. After an unplug connect the board again and press “Write the rest”: pages that are there are skipped.
      </p>
      <p>
        An <code>.eep</code> file, or the EEPROM data of an ELF file, is written to EEPROM if the bootloader can do
        that. Fuses and lock bits in an ELF file are named and left out.
      </p>
      <Subheading id="avr-limits" title="What the bootloaders cannot do" />
      <ul>
        <li>Write fuses, lock bits or themselves. Fuses are shown only where the bootloader reads them.</li>
        <li>Write or read EEPROM with the optiboot of Arduino’s boards. The page offers it on other boards only.</li>
        <li>Calculate a checksum. “Nothing changed” is found out by reading the whole sketch back.</li>
        <li>Write a chip without a bootloader. That takes an ISP programmer, which this page does not drive.</li>
        <li>
          Write a Nano Every or another board with UPDI. A Nano Every has no bootloader: its USB chip is a programmer
          with a protocol of its own, which is not supported. An ATmega4809 with optiboot is recognised.
        </li>
      </ul>
      <Subheading id="avr-parts" title="Parts" />
      <DocsTable
        label="AVR parts by signature"
        head={['Part', 'Signature', 'Flash', 'EEPROM']}
        rows={avrParts.map(({ name, signature, flashSize, eepromSize }) => [
          name,
          <code key="signature">{hexNumber(signature, 6)}</code>,
          memoryText(flashSize),
          memoryText(eepromSize),
        ])}
      />
      <p>A part that is not listed is shown by its signature. It is neither erased nor written.</p>
      <Subheading id="avr-codes" title="Error codes of Arduino boards" />
      <DocsTable
        label="Error codes of the Arduino flasher"
        mono
        head={['Code', 'What happened', 'What to do']}
        rows={Object.entries(avrFailureText).map(([code, { what, remedy }]) => [code, what, remedy])}
      />
    </>
  ),
};
