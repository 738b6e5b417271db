/** Flasher documentation: Nordic's boards, their three bootloaders, and what is proven. */
import { staticPages } from '@wirebench/contract/constants';
import { uf2Drives, uf2InfoFile } from '@wirebench/flasher/nordic';
import type { DocsSection } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';

export const nordicBoards: DocsSection = {
  id: 'nordic-boards',
  title: 'Nordic boards',
  body: (
    <>
      <p>
        The <a href={staticPages.nrfFlasher}>Nordic flasher</a> is experimental. It writes through the bootloader that
        is on the board, and detects which of three it is. A debug probe is never needed, and never used.
      </p>
      <DocsTable
        label="Bootloaders of Nordic boards"
        head={['Bootloader', 'Files', 'How to start it', 'Proof of a write']}
        rows={[
          [
            'Secure DFU of the nRF5 SDK',
            '.zip of nrfutil',
            'hold the button while plugging in or pressing reset',
            'CRC-32 of all bytes, and the bootloader’s own check of hash and signature',
          ],
          [
            'Adafruit (Feather, XIAO, nice!nano)',
            '.zip of adafruit-nrfutil or Arduino',
            'automatically by a 1200-baud touch, or press reset twice',
            'the program starts, which requires a matching CRC-16; without USB there is no proof',
          ],
          [
            'MCUboot (nRF Connect SDK)',
            'dfu_application.zip, signed .bin or .hex',
            'hold the recovery button while pressing reset',
            'the image’s hash in its list of bootable images',
          ],
        ]}
      />
      <Subheading id="nordic-refusals" title="What is refused before anything is erased" />
      <p>
        A package for another bootloader or another series of chips, an image that does not fit, a damaged package, demo
        firmware on a real chip, several packages in one archive, data behind an image. Padding and a boot trailer are
        left out. The bootloader checks the key, version and hardware number itself, when it receives the head of the
        package and before it erases.
      </p>
      <Subheading id="nordic-resume" title="After an interruption" />
      <p>
        Connect the board again and press “Write the rest”. Secure DFU and MCUboot continue from the last point that the
        bootloader remembers; Adafruit’s bootloader starts over. A board that has lost its old program waits in its
        bootloader.
      </p>
      <Subheading id="nordic-uf2" title="UF2 files" />
      <p>
        A .uf2 file is copied, not sent. Drop it here to see for which chip and which SoftDevice it is. Press reset
        twice within half a second: a drive appears, such as{' '}
        {uf2Drives
          .slice(0, 3)
          .map(({ label }) => label)
          .join(', ')}
        , with the file <code>{uf2InfoFile}</code> in it. Copy the file there; the board restarts automatically.
      </p>
    </>
  ),
};
