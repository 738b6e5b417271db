/** Flasher documentation: what it is, what it needs, the first minute. */
import { pagePaths, staticPages } from '@wirebench/contract/constants';
import { chipFacts, chipNames } from '@wirebench/flasher';
import { Link } from 'react-router';
import { WatchButton } from '../../../shared/videos/watch-button.tsx';
import type { DocsGroup } from '../docs-model.ts';

export const start: DocsGroup = {
  name: 'Start',
  sections: [
    {
      id: 'overview',
      title: 'Overview',
      body: (
        <>
          <p>
            The flasher writes firmware to a board from this browser. It recognises the chip, shows what will be written
            and what stays before anything is erased, skips what is there already, proves every byte by its hash,
            restarts the board and opens the monitor on the same port.
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
          <li>Chrome or Edge, version 89 or later, on a page that came through https or from localhost.</li>
          <li>A board with one of these chips: {chipNames.map((name) => chipFacts[name].label).join(', ')}.</li>
          <li>A USB cable that carries data, and the driver of the board’s USB bridge where the system lacks it.</li>
          <li>The firmware: files of a build, a merged image, or the link to a release.</li>
        </ul>
      ),
    },
    {
      id: 'quick-start',
      title: 'Quick start',
      body: (
        <>
          <ol>
            <li>Open a release link, or drop the files of your build on the page.</li>
            <li>Press Choose port and pick the board.</li>
            <li>Look at the memory map: what is written, and what stays.</li>
            <li>
              Flash. The board restarts, and the monitor shows what it says. The result names the program that the board
              says it runs, or what keeps it from starting.
            </li>
          </ol>
          <p>
            No board at hand? Choose the Demo ESP32 and its demo firmware: everything works as on a real board. Its demo
            firmware is complete, so it also starts again after you have erased its flash.
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
          Download Mode are found first as well, because plain firmware would not start on such a board.
        </p>
      ),
    },
    {
      id: 'firmware-flashing',
      title: 'Firmware flashing',
      body: (
        <p>
          Each file is cut into regions that are compressed, written and verified by themselves. That is why a second
          flash with the same files takes a moment, why a small change writes only what changed, and why a flash that
          was interrupted goes on where it stopped. Without the flashing program (the stub) data is sent uncompressed,
          because the ROM of some chips damages neighbouring flash otherwise; the flash beside each region is checked
          afterwards.
        </p>
      ),
    },
    {
      id: 'uart-monitoring',
      title: 'UART monitoring',
      body: (
        <p>
          After a flash the page shows the output of the board on the same port, at the rate of its program, and sends
          what you type. To search, plot and decode what a board says, open it in the{' '}
          <Link to={pagePaths.uartDocs} className="link">
            terminal
          </Link>
          .
        </p>
      ),
    },
    {
      id: 'cloud-integration',
      title: 'Cloud integration',
      body: (
        <p>
          A release link brings files and addresses with it. The page reads them from the server, checks the hash of
          each file, and reports afterwards only that a flash of this version went well or why it did not: no address of
          the board, no log, nothing about you.
        </p>
      ),
    },
    {
      id: 'release-management',
      title: 'Release management',
      body: (
        <p>
          To hand out firmware yourself, keep it in the{' '}
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
