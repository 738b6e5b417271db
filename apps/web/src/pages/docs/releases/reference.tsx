/** Release manager documentation: to look things up. */
import { errorStatus, errorText, guidancePath, guidanceTopics, pagePaths } from '@wirebench/contract/constants';
import { Link } from 'react-router';
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable } from '../docs-parts.tsx';

export const reference: DocsGroup = {
  name: 'Reference',
  sections: [
    {
      id: 'troubleshooting',
      title: 'Troubleshooting',
      body: (
        <>
          <p>When an upload fails, the form says why, and nothing you typed is lost.</p>
          <ul>
            <li>“There is no release behind this link”: the project or the version is private, or was deleted.</li>
            <li>The visibility badge of a version is disabled: make the project public first.</li>
            <li>
              A board is refused: see{' '}
              <Link to={guidancePath('wrong-chip-type')} className="link">
                {guidanceTopics['wrong-chip-type']}
              </Link>
              .
            </li>
          </ul>
        </>
      ),
    },
    {
      id: 'best-practices',
      title: 'Best practices',
      body: (
        <ul>
          <li>Number versions so that people see what changed: 1.4.1 fixes, 1.5.0 adds, 2.0.0 breaks.</li>
          <li>Flash your own release from its link before you share it.</li>
          <li>Say in the notes what an update keeps and what it erases.</li>
          <li>
            Share the project link with people who should get updates, and the version link with people who all need the
            same version.
          </li>
          <li>Give each build server its own publishing token.</li>
        </ul>
      ),
    },
    {
      id: 'release-link-types',
      title: 'Release link types',
      body: (
        <DocsTable
          label="Types of release links"
          head={['Link', 'What people see', 'When to share it']}
          rows={[
            [
              'Project link',
              'the newest public version, and a list to choose another one from; it always includes what you publish',
              'people should get updates',
            ],
            ['Version link', 'only this version, as long as it is public', 'everyone needs the same version'],
          ]}
        />
      ),
    },
    {
      id: 'supported-devices',
      title: 'Supported devices',
      body: (
        <p>
          Projects can be built for the chips listed under “Creating a project”: five Espressif chips and five STM32
          series. A release for an Espressif chip is flashed over USB or a serial adapter with a CP210x, CH340, FTDI or
          CH9102 bridge; a release for an STM32 needs the bootloader of the part, and is experimental. The flasher
          supports more chips from files: see its{' '}
          <Link to={`${pagePaths.espFlasherDocs}#supported-devices`} className="link">
            supported devices
          </Link>{' '}
          and{' '}
          <Link to={`${pagePaths.espFlasherDocs}#flash-layouts`} className="link">
            layouts
          </Link>
          .
        </p>
      ),
    },
    {
      id: 'flash-settings',
      title: 'Flash settings',
      body: (
        <p>
          A release is written with the flash settings of its build: mode (DIO, DOUT, QIO, QOUT), frequency and size are
          in the header of the bootloader. They are right for the board the build was made for. Anyone who flashes it on
          another board can change them on the page before writing: see{' '}
          <Link to={`${pagePaths.espFlasherDocs}#flash-settings`} className="link">
            flash settings
          </Link>
          .
        </p>
      ),
    },
    {
      id: 'error-codes',
      title: 'Error codes',
      body: (
        <>
          <p>
            These are the server’s answers when it refuses a call. Use the code in your own programs; the sentence is
            for people.
          </p>
          <DocsTable
            label="Error codes of the server"
            mono
            head={['Code', 'Status', 'What it says']}
            rows={Object.entries(errorText).map(([code, text]) => [
              code,
              errorStatus[code as keyof typeof errorStatus],
              text,
            ])}
          />
        </>
      ),
    },
  ],
};
