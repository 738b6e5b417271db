/** Flasher documentation: STM32, the ways into its bootloader, which parts are known, and what is proven. */
import { staticPages } from '@wirebench/contract/constants';
import { stmEntries, stmFailureText, stmParts } from '@wirebench/flasher/stm32';
import type { DocsSection } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';

const families = [...new Set(stmParts.map(({ family }) => family))];

export const stmBoards: DocsSection = {
  id: 'stm-boards',
  title: 'STM32 boards',
  body: (
    <>
      <p>
        The <a href={staticPages.stmFlasher}>STM32 flasher</a> is experimental. It talks to the bootloader that ST puts
        into every part, over a UART or over USB. A debug probe is not needed, and not used.
      </p>
      <Subheading id="stm-parts" title="Parts" />
      <DocsTable
        label="STM32 parts by family"
        head={['Family', 'Parts', 'Product IDs, hexadecimal']}
        rows={families.map((family) => {
          const parts = stmParts.filter((part) => part.family === family);
          return [
            `STM32${family}`,
            parts.map(({ name }) => name).join(', '),
            parts.map(({ productId }) => productId.toString(16).toUpperCase()).join(', '),
          ];
        })}
      />
      <p>
        A part that is not listed is shown by its ID. It is neither erased nor written, because its sectors are unknown.
      </p>
      <Subheading id="stm-entry" title="Starting the bootloader" />
      <p>
        The part starts its bootloader when BOOT0 is high as it comes out of reset. Where the adapter’s DTR and RTS are
        wired to reset and BOOT0, this happens automatically; {Object.keys(stmEntries).length - 1} ways of wiring can be
        chosen. Otherwise choose “By hand”: set the jumper, press reset once, connect. The UART is PA9 and PA10 on most
        parts.
      </p>
      <Subheading id="stm-usb" title="Over USB" />
      <p>
        Parts with built-in USB show up as “STM32 BOOTLOADER”. Choose USB device needs a browser with WebUSB. Windows
        needs the WinUSB driver for the device, which Zadig installs; Linux needs a udev rule that lets your account use
        it. There is no monitor over USB.
      </p>
      <Subheading id="stm-files" title="Files and what stays" />
      <p>
        Intel HEX, S-record (.s19, .s28, .s37), TI-TXT (.txt), ELF, DfuSe (.dfu) and UF2 files contain their addresses;
        a .bin is written to the address beside it, 0x08000000 by default. Only flash is written. Data for option bytes,
        RAM, EEPROM or external memory is named, and left out when you confirm that. Only sectors that change are
        erased, and the rest of their contents is read first and written back. Every byte is read back, or verified by
        checksum where the bootloader supports it.
      </p>
      <Subheading id="stm-protection" title="Read protection" />
      <p>
        A part with read protection level 1 can be neither read nor written. Removing it erases the whole flash, so you
        have to type the name of the part. Option bytes are shown and never written; level 2 is never set.
      </p>
      <Subheading id="stm-codes" title="Error codes of STM32" />
      <DocsTable
        label="Error codes of the STM32 flasher"
        mono
        head={['Code', 'What happened', 'What to do']}
        rows={Object.entries(stmFailureText).map(([code, { what, remedy }]) => [code, what, remedy])}
      />
    </>
  ),
};
