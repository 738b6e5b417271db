/** Release manager documentation: to look things up. */
import { deviceModelName, moreDeviceModels } from '@wirebench/contract/builds';
import {
  deviceModelNames,
  deviceModels,
  errorStatus,
  errorText,
  guidancePath,
  guidanceTopics,
  pagePaths,
} from '@wirebench/contract/constants';
import { Link } from 'react-router';
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable } from '../docs-parts.tsx';

const namesOf = (family: keyof typeof deviceModels) =>
  deviceModels[family].map((model) => deviceModelNames[model]).join(', ');

const moreOf = (family: keyof typeof moreDeviceModels) => moreDeviceModels[family].map(deviceModelName).join(', ');

export const reference: DocsGroup = {
  name: 'Reference',
  sections: [
    {
      id: 'troubleshooting',
      title: 'Troubleshooting',
      body: (
        <>
          <p>When an upload fails, the form says why and keeps what you typed.</p>
          <ul>
            <li>“There is no release at this link”: the project or the version is private, or was deleted.</li>
            <li>You cannot change the visibility of a version: make its project public first.</li>
            <li>
              “The offset has no 0x prefix”: offsets are hexadecimal, so write <code>0x10000</code> instead of{' '}
              <code>10000</code>. The form suggests the likely one.
            </li>
            <li>
              A file is damaged: build it again. If you must publish it, confirm by typing the version number in the
              form, or name the file with <code>--accept-damaged</code> on the command line.
            </li>
            <li>
              “This description was changed in the meantime”: somebody saved another text while you were editing. Choose
              which one to keep.
            </li>
            <li>
              The flasher refuses a board: see{' '}
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
            Share the project link with people who want updates, the version link when everyone needs the same build.
          </li>
          <li>Give each build server a publishing token of its own.</li>
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
              'the newest public version and a list of the others; new versions appear as you publish them',
              'people want updates',
            ],
            ['Version link', 'this version only, as long as it is public', 'everyone needs the same build'],
          ]}
        />
      ),
    },
    {
      id: 'supported-devices',
      title: 'Supported devices',
      body: (
        <>
          <p>
            A project is for one chip family and one model. The model decides which flasher opens the release. A version
            accepts boards of that model, and of the chips of its further builds.
          </p>
          <DocsTable
            label="Devices that a project can target"
            head={['Family', 'Models', 'More chips', 'Flashed over', 'Offsets']}
            rows={[
              ['Espressif', namesOf('esp'), moreOf('esp'), 'serial port or USB', 'multiples of 0x1000'],
              ['STM32 (experimental)', namesOf('stm'), moreOf('stm'), 'serial port or USB (DFU)', 'from 0x08000000'],
              ['Nordic (experimental)', '', moreOf('nrf'), 'serial port or USB', 'in the package'],
              ['Arduino (experimental)', '', moreOf('avr'), 'serial port or USB', 'in the .hex file, or 0x0'],
            ]}
          />
          <p>
            Firmware for Nordic chips comes in packages that carry the addresses themselves. An Arduino board counts as
            its chip, because its bootloader tells no more: a build for an Uno is offered to a Nano with the same chip.
            The chips, boards and USB bridges that the flashers know are listed under{' '}
            <Link to={`${pagePaths.espFlasherDocs}#supported-devices`} className="link">
              supported devices
            </Link>{' '}
            and{' '}
            <Link to={`${pagePaths.espFlasherDocs}#flash-layouts`} className="link">
              flash layouts
            </Link>
            .
          </p>
        </>
      ),
    },
    {
      id: 'flash-settings',
      title: 'Flash settings',
      body: (
        <>
          <p>
            The header of an Espressif bootloader says how the chip talks to its flash. A release is written with the
            settings of its build. Whoever flashes it can change them in the flasher before writing.
          </p>
          <DocsTable
            label="Flash settings of Espressif chips"
            head={['Setting', 'Values', 'When in doubt']}
            rows={[
              ['Mode', 'DIO, DOUT, QIO, QOUT', 'DIO works on nearly every board'],
              ['Frequency', '20, 26, 40, 80 MHz', '40 MHz'],
              ['Size', '1, 2, 4, 8, 16 MB', 'the size of the flash chip, which the flasher can detect'],
            ]}
          />
          <p>
            STM32 chips have no such settings. What each value does is explained under{' '}
            <Link to={`${pagePaths.espFlasherDocs}#flash-settings`} className="link">
              flash settings
            </Link>
            .
          </p>
        </>
      ),
    },
    {
      id: 'error-codes',
      title: 'Error codes',
      body: (
        <>
          <p>
            When the server rejects a request, it answers with JSON: <code>error</code> and <code>message</code> contain
            the sentence, and <code>code</code> is for programs. <code>issues</code> names the fields of a request that
            are wrong; <code>files-damaged</code> is not returned for files listed in <code>acceptDamaged</code>, and{' '}
            <code>description-changed</code> includes the current description as <code>current</code>. After 429 and
            503, <code>Retry-After</code> says when to try again.
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
