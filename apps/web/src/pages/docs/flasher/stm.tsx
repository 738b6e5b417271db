/** Flasher documentation: STM32, the ways into its bootloader, which parts are known, and what is proven. */
import { staticPages } from '@wirebench/contract/constants';
import { stmEntries, stmFailureText, stmParts } from '@wirebench/flasher';
import type { DocsSection } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';

const families = [...new Set(stmParts.map(({ family }) => family))];

export const stmBoards: DocsSection = {
  id: 'stm-boards',
  title: 'STM32 boards',
  body: (
    <>
      <p>
        The <a href={staticPages.stmFlasher}>STM32 flasher</a> is experimental. It talks to the bootloader that ST has
        put into every part, over a UART or over USB. A debug probe is not needed, and not used.
      </p>
      <Subheading id="stm-parts" title="Parts" />
      <DocsTable
        label="STM32 parts by family"
        head={['Family', 'Parts', 'Product ids, hexadecimal']}
        rows={families.map((family) => {
          const parts = stmParts.filter((part) => part.family === family);
          return [
            `STM32${family}`,
            parts.map(({ name }) => name).join(', '),
            parts.map(({ productId }) => productId.toString(16).toUpperCase()).join(', '),
          ];
        })}
      />
      <p>A part that is not listed is named by its id, and neither erased nor written: its sectors are not known.</p>
      <Subheading id="stm-entry" title="Starting the bootloader" />
      <p>
        The part starts its bootloader when BOOT0 is high while it comes out of reset. Where DTR and RTS of the adapter
        reach reset and BOOT0 this happens automatically; {Object.keys(stmEntries).length - 1} ways of wiring can be
        chosen. Else choose “By hand”: set the jumper, press reset once, connect. The UART is PA9 and PA10 on most
        parts.
      </p>
      <Subheading id="stm-usb" title="Over USB" />
      <p>
        Parts with USB of their own show up as “STM32 BOOTLOADER”. Choose USB device needs a browser with WebUSB.
        Windows needs the WinUSB driver for the device, which Zadig installs; Linux a udev rule that lets your account
        use it. There is no monitor over USB.
      </p>
      <Subheading id="stm-files" title="Files and what stays" />
      <p>
        Intel HEX, S-record (.s19, .s28, .s37) and ELF files bring their addresses; a .bin goes to the address beside
        it, 0x08000000 at first. Only sectors that change are erased, and the rest of their contents is read before and
        written back. Every byte is read back, or asked for by checksum where the bootloader has one.
      </p>
      <Subheading id="stm-protection" title="Read protection" />
      <p>
        A part with read protection level 1 can be neither read nor written. Removing it erases the whole flash, so the
        name of the part has to be typed. Option bytes are shown and never written; level 2 is never set.
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
