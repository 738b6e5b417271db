/** Flasher documentation: what it is, what it needs, the first minute. */

import { pagePaths, staticPages } from '@wirebench/contract/constants';
import { chipFacts, chipNames } from '@wirebench/flasher/espressif';
import { Link } from 'react-router';
import { hasServer } from '../../../shared/edition.ts';
import { WatchButton } from '../../../shared/videos/watch-button.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { serialBrowsers } from '../serial-browsers.ts';

export const start: DocsGroup = {
  name: 'Start',
  sections: [
    {
      id: 'overview',
      title: 'Overview',
      body: (
        <>
          <p>
            The flasher writes firmware to a board from this browser. It identifies the chip, shows what will be written
            and what stays before anything is erased, skips what is already there, verifies every byte by hash, restarts
            the board and opens the monitor on the same port.
          </p>
          <p>
            The files stay on this computer.{' '}
            <a href={staticPages.espFlasher} className="link">
              Open the Espressif flasher
            </a>
            .
          </p>
        </>
      ),
    },
    {
      id: 'requirements',
      title: 'Requirements',
      body: (
        <ul>
          <li>{serialBrowsers}, on a page served over https or from localhost.</li>
          <li>A board with one of these chips: {chipNames.map((name) => chipFacts[name].label).join(', ')}.</li>
          <li>
            A USB cable that carries data, and the driver of the board’s USB bridge, unless your system includes it.
          </li>
          <li>
            Firmware: the files of a build, a merged image, or {hasServer ? 'a link to a release' : 'a manifest'}.
          </li>
        </ul>
      ),
    },
    {
      id: 'quick-start',
      title: 'Quick start',
      body: (
        <>
          <ol>
            <li>
              {hasServer ? 'Open a release link' : 'Choose firmware on the home page'}, or drop the files of your build
              on the page.
            </li>
            <li>Press Connect a board and pick it.</li>
            <li>Check the memory map: it shows what will be written and what stays.</li>
            <li>
              Flash. The board restarts, and the monitor shows its output. The result names the program that the board
              says it runs, or what keeps it from starting.
            </li>
          </ol>
          <p>
            No board at hand? Choose the Demo ESP32 and its demo firmware: everything works as on a real board. The demo
            firmware is complete, so the board starts again even after you have erased its flash. It holds settings,
            files and two application slots, and joins the network “Workbench” with the password “solder-and-flux”.
          </p>
          <p>
            <WatchButton video="flasher">Watch a board being flashed</WatchButton>
          </p>
        </>
      ),
    },
    {
      id: 'device-detection',
      title: 'Device detection',
      body: (
        <p>
          The chip, its revision, MAC address, crystal, flash size and security state are read from the chip itself.
          Firmware for another chip is refused before a byte is written. Flash encryption, secure boot and Secure
          Download Mode are detected before anything is written, because plain firmware would not start on such a board.
        </p>
      ),
    },
    {
      id: 'firmware-flashing',
      title: 'Firmware flashing',
      body: (
        <p>
          Each file is split into regions that are compressed, written and verified one by one. That is why a second
          flash with the same files takes only a moment, why a small change writes only what changed, and why an
          interrupted flash continues where it stopped. Without the flashing program (the stub) data is sent
          uncompressed, because the ROM of some chips damages neighbouring flash otherwise, and the flash beside each
          region is checked afterwards.
        </p>
      ),
    },
    {
      id: 'uart-monitoring',
      title: 'UART monitoring',
      body: (
        <p>
          After a flash, the page shows the output of the board on the same port, at the baud rate of its program, and
          sends what you type. To search, plot and decode the output, open the port in the{' '}
          <Link to={pagePaths.uartDocs} className="link">
            terminal
          </Link>
          .
        </p>
      ),
    },
    {
      id: 'cloud-integration',
      only: 'server',
      title: 'Cloud integration',
      body: (
        <p>
          A release link includes files and addresses. The page reads them from the server and checks the hash of each
          file. Afterwards it reports only that a flash of this version succeeded, or why it failed: no address of the
          board, no log, nothing about you.
        </p>
      ),
    },
    {
      id: 'firmware-lists',
      only: 'static',
      title: 'Firmware on the home page',
      body: (
        <p>
          Whoever runs this copy of Wirebench can put firmware beside it. The home page lists it, and a click opens the
          flasher, which takes the files for the chip that you connect. To open another manifest by its address, choose
          “Load from a manifest” beside “Choose files”. Nothing is reported to anybody.
        </p>
      ),
    },
    {
      id: 'release-management',
      only: 'server',
      title: 'Release management',
      body: (
        <p>
          To share your own firmware, keep it in the{' '}
          <Link to={pagePaths.releases} className="link">
            release manager
          </Link>
          : see its{' '}
          <Link to={pagePaths.releasesDocs} className="link">
            documentation
          </Link>
          .
        </p>
      ),
    },
  ],
};
