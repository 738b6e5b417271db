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
          <p>An upload that fails says why, and nothing that you typed is lost.</p>
          <ul>
            <li>“There is no release behind this link”: the project or the version is private, or was deleted.</li>
            <li>A visibility badge that cannot be pressed: make the project public first.</li>
            <li>
              Somebody’s board is refused: see{' '}
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
          <li>Number versions so that people see what changed: 1.4.1 repairs, 1.5.0 adds, 2.0.0 breaks.</li>
          <li>Flash your own release from its link before you share it.</li>
          <li>Write into the notes what is kept and what is lost when one updates.</li>
          <li>Share the project link where people shall get updates, the version link where all need the same.</li>
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
              'the newest public version, and a list to choose another one from; it follows what you publish',
              'people shall get updates',
            ],
            ['Version link', 'this version and no other, as long as it is public', 'all need the same'],
          ]}
        />
      ),
    },
    {
      id: 'supported-devices',
      title: 'Supported devices',
      body: (
        <p>
          What the flashers support: see{' '}
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
          A release is written with the settings of its build. Whoever flashes can change them on the page: see{' '}
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
          <p>What the server answers when it refuses a call, for those who call it themselves.</p>
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
