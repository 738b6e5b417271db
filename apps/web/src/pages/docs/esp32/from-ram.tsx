/** Guide of the ESP32 bench: the program in RAM, and what it makes possible. */

import { pagePaths } from '@wirebench/contract/constants';
import { Link } from 'react-router';
import { hasServer } from '../../../shared/edition.ts';
import type { DocsGroup } from '../docs-model.ts';
import { Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

export const fromRam: DocsGroup = {
  name: 'Faster, from RAM',
  sections: [
    {
      id: 'ram-program',
      title: 'The program in RAM',
      body: (
        <>
          <p>
            The boot ROM does one register at a time, and everything costs a round trip. A program of 4 KB does whole
            transfers, a UART bridge in both directions at once, and samples pins. Choose <em>Load RAM program</em> on a
            connected board. It writes nothing to flash, and a reset ends it, as does <em>Back to ROM</em>. Its source
            comes with Wirebench (<code>firmware/probe</code>).
          </p>
          <Subheading id="ram-or-release" title="In RAM, or flashed" />
          <p>
            Loaded into RAM, it has to be loaded again each time.{' '}
            {hasServer ? (
              <>
                For a board that stays an instrument, the same program can be flashed as a release from the{' '}
                <Link to={`${pagePaths.esp32}#release`} className="link">
                  ESP32 bench
                </Link>
                : that replaces what is in the board’s flash, and is the only step here that does.
              </>
            ) : (
              'Nothing is written to the board’s flash.'
            )}
          </p>
        </>
      ),
    },
    {
      id: 'capture',
      title: 'Capture and decoding',
      body: (
        <>
          <p>
            With the program in RAM, <em>Capture</em> samples the levels of up to 16 pins around a trigger, shows them
            as waves with two cursors, decodes them as I2C, UART or SPI, and saves them as a VCD file for other
            programs. While a capture runs, the program does nothing else. The time between two samples is measured by
            the chip and shown with the capture.
          </p>
          <DocsPicture
            name="lab-capture"
            alt="The logic capture panel: SDA and SCL as waves with two cursors, and the transfer decoded below them."
          >
            The bench asks the BME280 of the demo board for its identification, and captures itself doing so.
          </DocsPicture>
        </>
      ),
    },
  ],
};
